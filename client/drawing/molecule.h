// The molecule that a graph tells of, ready to be drawn: its elements from the vertex labels, its bonds from
// the edge labels, a place in the plane for each atom. Atom i is vertex i, bond i is edge i.
//
// A label starts with the symbol of the element; what follows a separator (anything but a letter or digit) is
// not needed here. Graphs tell of no hydrogens and of no charges. Those that the valences suggest are filled
// in where RDKit then takes the molecule for one; otherwise it is drawn as it is, element by element and bond
// by bond.
//
// Threads: any number.
// Cost: about a millisecond for a drug-like molecule; see kDrawnAtomsMax.

#pragma once

#include <GraphMol/RWMol.h>

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::drawing {

// A larger picture cannot be read, and RDKit takes time that is more than linear in the atoms for their
// places.
inline constexpr size_t kDrawnAtomsMax = 500;
inline constexpr size_t kDrawnBondsMax = 1000;

// INVALID_ARGUMENT, with the vertex or edge, for a graph that is not a molecule; RESOURCE_EXHAUSTED for more
// than kDrawnAtomsMax atoms or kDrawnBondsMax bonds.
absl::StatusOr<std::unique_ptr<RDKit::RWMol>> MoleculeFromGraph(const v1::Graph& graph);

}  // namespace kindred::drawing
