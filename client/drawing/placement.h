// Where the atoms of a molecule lie in the plane.
//
// Threads: free functions without state.

#pragma once

#include <GraphMol/RWMol.h>

#include <span>

namespace kindred::drawing {

// RDKit's coordinates place atoms that are joined this far apart.
inline constexpr double kBondUnits = 1.5;

struct Extent {
  double width = 0;
  double height = 0;
};

// REQUIRES, here and below: the molecules come from MoleculeFromGraph.
Extent ExtentOf(const RDKit::RWMol& molecule);

struct Anchoring {
  unsigned fixed = 0;  // An atom of what stays.
  unsigned moved = 0;  // Its partner in what moves.
  double weight = 0;
};

// Turns `moved`, and mirrors it if that is better, so that its atoms come to lie as near to their partners as
// a rigid motion brings them: least squares. Changes nothing for fewer than two pairs.
void AlignTo(const RDKit::RWMol& fixed, std::span<const Anchoring> pairs, RDKit::RWMol& moved);

}  // namespace kindred::drawing
