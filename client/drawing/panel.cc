#include "client/drawing/panel.h"

#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>

#include <string_view>
#include <vector>

#include "index/base/status.h"

namespace kindred::drawing {
namespace {

// What stands between the head of a document and its end.
absl::StatusOr<std::string> BodyOf(std::string_view document) {
  constexpr std::string_view kHead = "<!-- END OF HEADER -->\n";
  constexpr std::string_view kEnd = "</svg>";
  const size_t begin = document.find(kHead);
  const size_t end = document.rfind(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return absl::InternalError("RDKit drew something that is not the SVG it used to draw");
  }
  return std::string(document.substr(begin + kHead.size(), end - begin - kHead.size()));
}

RDKit::DrawColour ToRdkit(const Colour& colour) { return {colour.red, colour.green, colour.blue}; }

void SetOptions(RDKit::MolDrawOptions& options, const PanelStyle& style) {
  options.clearBackground = false;
  options.includeMetadata = false;
  options.prepareMolsBeforeDrawing = false;
  options.includeRadicals = false;  // Where hydrogens are unknown every atom would be one.
  options.atomHighlightsAreCircles = true;
  options.flagCloseContactsDist = -1;
  options.annotationFontScale = 0.55;
  options.fixedBondLength = style.bond_length;
  options.padding = 0.04;
  if (!style.element_colours) {
    RDKit::assignBWPalette(options.atomColourPalette);
  }
}

std::string Draw(const RDKit::RWMol& molecule, const PanelStyle& style) {
  RDKit::MolDraw2DSVG drawer(static_cast<int>(style.width), static_cast<int>(style.height));
  SetOptions(drawer.drawOptions(), style);
  std::vector<int> atoms;
  std::map<int, RDKit::DrawColour> atom_colours;
  std::map<int, double> radii;
  for (const auto& [atom, highlight] : style.atoms) {
    atoms.push_back(static_cast<int>(atom));
    atom_colours[atoms.back()] = ToRdkit(highlight.colour);
    radii[atoms.back()] = highlight.radius;
  }
  std::vector<int> bonds;
  std::map<int, RDKit::DrawColour> bond_colours;
  for (const auto& [bond, colour] : style.bonds) {
    bonds.push_back(static_cast<int>(bond));
    bond_colours[bonds.back()] = ToRdkit(colour);
  }
  RDKit::RWMol noted(molecule);
  for (const auto& [atom, note] : style.notes) {
    noted.getAtomWithIdx(atom)->setProp(RDKit::common_properties::atomNote, note);
  }
  drawer.drawMolecule(noted, "", &atoms, &bonds, &atom_colours, &bond_colours, &radii);
  drawer.finishDrawing();
  return drawer.getDrawingText();
}

}  // namespace

absl::StatusOr<std::string> DrawPanel(const RDKit::RWMol& molecule, const PanelStyle& style) {
  try {
    return BodyOf(Draw(molecule, style));
  } catch (const std::exception& error) {
    return MakeStatus(absl::StatusCode::kInternal, "RDKit cannot draw it: {}", error.what());
  }
}

}  // namespace kindred::drawing
