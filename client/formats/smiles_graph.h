// The graph of a molecule that is written as a SMILES. RDKit reads it; molecule_graph.h tells what it
// becomes.
//
// Threads: any number.
// Cost: about 100 us for a drug-like molecule.

#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/formats/molecule_scheme.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

// As for kMoleculeAtomsMax. The longest of 1.7 million real molecules has 1,782 bytes.
inline constexpr size_t kSmilesBytesMax = 8192;

// The graph of one SMILES (white space around it is fine). The error says what RDKit says.
absl::StatusOr<v1::Graph> GraphFromSmiles(std::string_view smiles, const MoleculeScheme& scheme);

}  // namespace kindred::formats
