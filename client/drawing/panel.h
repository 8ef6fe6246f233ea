// One molecule drawn by RDKit, as elements of a larger SVG.
//
// Letters are drawn as outlines, so that they look the same everywhere.
//
// Threads: any number, each with molecules of its own.
// Cost: about a millisecond for a drug-like molecule.

#pragma once

#include <GraphMol/RWMol.h>

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "client/drawing/palette.h"

namespace kindred::drawing {

struct Highlight {
  Colour colour;
  double radius = 0.3;  // Of an atom; in units of RDKit's coordinates, where a bond is 1.5 long.
};

struct PanelStyle {
  double width = 0;
  double height = 0;
  // Pixels a bond is long, unless the molecule is too large for that.
  double bond_length = 0;
  // Elements in colours of their own; without, all is black.
  bool element_colours = true;
  std::map<unsigned, Highlight> atoms;
  std::map<unsigned, Colour> bonds;
  // Small texts beside atoms.
  std::map<unsigned, std::string> notes;
};

// REQUIRES: the molecule comes from MoleculeFromGraph.
absl::StatusOr<std::string> DrawPanel(const RDKit::RWMol& molecule, const PanelStyle& style);

}  // namespace kindred::drawing
