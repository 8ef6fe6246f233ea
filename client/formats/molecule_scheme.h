// How a molecule becomes a graph: everything that decides which vertices and labels come out.
//
// Written as text it is the molecule scheme that a record states and an index enforces
// (index/base/molecule_scheme.h; docs/molecules.md): the labels, then what differs from the least,
//
//     element | ecfp [,bonds] [,hydrogens] [,largest-fragment]
//
// in this order. The default is "element,bonds".
//
// Threads: values.

#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace kindred::formats {

// What labels an atom: its element ("C"), or the invariants that extended-connectivity fingerprints start
// from (molecule_graph.h).
enum class AtomLabels { kElement, kEcfp };

struct MoleculeScheme {
  AtomLabels labels = AtomLabels::kElement;
  // Whether bonds are labelled with their type.
  bool bonds = true;
  // Whether hydrogens that are atoms of the input stay vertices.
  bool hydrogens = false;
  // Whether only the largest of several components counts, without its counter-ions and solvents.
  bool largest_fragment = false;

  friend bool operator==(const MoleculeScheme&, const MoleculeScheme&) = default;
};

std::string ToText(const MoleculeScheme& scheme);

// What ToText wrote. FAILED_PRECONDITION: another one, perhaps of a newer kindred.
absl::StatusOr<MoleculeScheme> ParseMoleculeScheme(std::string_view text);

}  // namespace kindred::formats
