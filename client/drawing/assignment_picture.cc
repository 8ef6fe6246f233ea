#include "client/drawing/assignment_picture.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "client/drawing/molecule.h"
#include "client/drawing/panel.h"
#include "client/drawing/placement.h"
#include "client/drawing/svg_page.h"
#include "index/base/status.h"

namespace kindred::drawing {
namespace {

constexpr double kBondPixels = 44;
constexpr double kMargin = 16;
constexpr double kPanelMargin = 44;  // Room for letters and numbers beyond the outermost atoms.
constexpr double kPanelWidthMin = 260;
constexpr double kPanelHeightMin = 160;
constexpr double kPanelMax = 1400;
constexpr double kLineHeight = 26;
constexpr double kDiscRadius = 9;
constexpr double kTextSize = 14;
constexpr double kRadiusLeast = 0.26;  // Of the discs under atoms: the deeper, the larger.
constexpr double kRadiusMost = 0.44;

struct DrawnSide {
  std::unique_ptr<RDKit::RWMol> molecule;
  PanelStyle style;
};

absl::StatusOr<std::unique_ptr<RDKit::RWMol>> MoleculeOf(const std::string& name, const v1::Graph& graph) {
  auto molecule = MoleculeFromGraph(graph);
  if (!molecule.ok()) {
    return Annotate(molecule.status(), fmt::format("{} is not drawn: ", name));
  }
  return molecule;
}

Highlight HighlightOf(uint32_t levels, uint32_t levels_all) {
  const double share = static_cast<double>(levels) / levels_all;
  return {DepthColour(levels, levels_all), kRadiusLeast + (kRadiusMost - kRadiusLeast) * share};
}

// Colours and numbers the atoms that agree with their partners.
void MarkAtoms(const v1::ExplainResponse& answer, DrawnSide& a, DrawnSide& b) {
  const auto levels_all = static_cast<uint32_t>(answer.overlaps_size());
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    if (pair.levels() > 0) {
      a.style.atoms[pair.a()] = b.style.atoms[pair.b()] = HighlightOf(pair.levels(), levels_all);
      a.style.notes[pair.a()] = b.style.notes[pair.b()] = std::to_string(pair.a());
    }
  }
}

// Colours the bonds between partners that both molecules have, by the less deep of their ends.
void MarkBonds(const v1::ExplainResponse& answer, DrawnSide& a, DrawnSide& b) {
  std::vector<const v1::ExplainResponse::Pair*> pair_of(a.molecule->getNumAtoms(), nullptr);
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    if (pair.levels() > 0) {
      pair_of[pair.a()] = &pair;
    }
  }
  for (const RDKit::Bond* const bond : a.molecule->bonds()) {
    const auto* const from = pair_of[bond->getBeginAtomIdx()];
    const auto* const to = pair_of[bond->getEndAtomIdx()];
    const RDKit::Bond* const there =
        from == nullptr || to == nullptr ? nullptr : b.molecule->getBondBetweenAtoms(from->b(), to->b());
    if (there != nullptr) {
      const Colour colour =
          DepthColour(std::min(from->levels(), to->levels()), static_cast<uint32_t>(answer.overlaps_size()));
      a.style.bonds[bond->getIdx()] = b.style.bonds[there->getIdx()] = colour;
    }
  }
}

void Turn(const v1::ExplainResponse& answer, const DrawnSide& a, DrawnSide& b) {
  std::vector<Anchoring> anchors;
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    if (pair.levels() > 0) {
      anchors.push_back({pair.a(), pair.b(), static_cast<double>(pair.levels())});
    }
  }
  AlignTo(*a.molecule, anchors, *b.molecule);
}

void SetSizes(DrawnSide& a, DrawnSide& b) {
  const auto pixels = [](double units, double least) {
    return std::clamp(units / kBondUnits * kBondPixels + 2 * kPanelMargin, least, kPanelMax);
  };
  const Extent extent_a = ExtentOf(*a.molecule);
  const Extent extent_b = ExtentOf(*b.molecule);
  a.style.width = pixels(extent_a.width, kPanelWidthMin);
  b.style.width = pixels(extent_b.width, kPanelWidthMin);
  a.style.height = b.style.height = pixels(std::max(extent_a.height, extent_b.height), kPanelHeightMin);
  for (DrawnSide* const side : {&a, &b}) {
    side->style.bond_length = kBondPixels;
    side->style.element_colours = false;  // A colour means a depth here.
  }
}

// The colours with their depths, wrapped into lines; draws nothing without a page. Gives the lines it takes.
int AddLegend(uint32_t levels_all, double width, double top, SvgPage* page) {
  double x = kMargin;
  int lines = 1;
  for (uint32_t levels = 0; levels <= levels_all; ++levels) {
    const std::string text = levels == 0 ? "none" : (levels == 1 ? "0 (label)" : std::to_string(levels - 1));
    const double item = 2 * kDiscRadius + 6 + TextWidth(text, {.size = kTextSize}) + 18;
    if (x + item > width - kMargin && x > kMargin) {
      x = kMargin;
      ++lines;
    }
    if (page != nullptr) {
      const double y = top + kLineHeight * (lines - 0.5);
      if (levels == 0) {
        page->AddRing(x + kDiscRadius, y, kDiscRadius);
      } else {
        page->AddDisc(x + kDiscRadius, y, kDiscRadius, DepthColour(levels, levels_all));
      }
      page->AddText(x + 2 * kDiscRadius + 6, y + 5, text, {.size = kTextSize});
    }
    x += item;
  }
  return lines;
}

absl::StatusOr<std::string> Compose(const std::string& name_a, const std::string& name_b,
                                    const v1::ExplainResponse& answer, const DrawnSide& a,
                                    const DrawnSide& b) {
  KINDRED_ASSIGN_OR_RETURN(const std::string panel_a, DrawPanel(*a.molecule, a.style));
  KINDRED_ASSIGN_OR_RETURN(const std::string panel_b, DrawPanel(*b.molecule, b.style));
  const auto levels_all = static_cast<uint32_t>(answer.overlaps_size());
  const double width = 3 * kMargin + a.style.width + b.style.width;
  const int legend_lines = AddLegend(levels_all, width, 0, nullptr);
  const double names = kMargin + a.style.height + kLineHeight;
  const double scores = names + kLineHeight + 4;
  const double legend_title = scores + kLineHeight + 8;
  const double legend = legend_title + 6;
  const double numbers = legend + legend_lines * kLineHeight + 18;

  SvgPage page(width, numbers + kMargin);
  const double left_b = 2 * kMargin + a.style.width;
  page.AddPart(kMargin, kMargin, panel_a);
  page.AddPart(left_b, kMargin, panel_b);
  const TextStyle bold{.size = 15, .anchor = Anchor::kMiddle, .bold = true};
  page.AddText(kMargin + a.style.width / 2, names, FitText(name_a, bold, a.style.width), bold);
  page.AddText(left_b + b.style.width / 2, names, FitText(name_b, bold, b.style.width), bold);
  page.AddText(width / 2, scores,
               fmt::format("tanimoto {:.4f} · cosine {:.4f} · kernel {:g}", answer.tanimoto(),
                           answer.cosine(), answer.kernel()),
               {.size = kTextSize, .anchor = Anchor::kMiddle});
  page.AddText(kMargin, legend_title, "Depth to which an atom and its partner agree:", {.size = kTextSize});
  AddLegend(levels_all, width, legend, &page);
  page.AddText(kMargin, numbers, "Equal numbers are partners; coloured bonds join partners in both.",
               {.size = 12, .faint = true});
  return std::move(page).Take();
}

}  // namespace

absl::StatusOr<std::string> DrawAssignment(const std::string& name_a, const std::string& name_b,
                                           const v1::ExplainResponse& answer) {
  DrawnSide a;
  DrawnSide b;
  KINDRED_ASSIGN_OR_RETURN(a.molecule, MoleculeOf(name_a, answer.graph_a()));
  KINDRED_ASSIGN_OR_RETURN(b.molecule, MoleculeOf(name_b, answer.graph_b()));
  for (const v1::ExplainResponse::Pair& pair : answer.pairs()) {
    if (pair.a() >= a.molecule->getNumAtoms() || pair.b() >= b.molecule->getNumAtoms() ||
        pair.levels() > static_cast<uint32_t>(answer.overlaps_size())) {
      return InvalidArgument("the answer pairs {} with {}, which its graphs do not have", pair.a(), pair.b());
    }
  }
  MarkAtoms(answer, a, b);
  MarkBonds(answer, a, b);
  Turn(answer, a, b);
  SetSizes(a, b);
  return Compose(name_a, name_b, answer, a, b);
}

}  // namespace kindred::drawing
