// The graph of a molecule: its atoms, labelled by their element, and its bonds, labelled by their type.
//
// RDKit reads the SMILES and sanitizes it as by default: valences are checked, rings made aromatic, explicit
// hydrogens removed. Stereochemistry is not perceived, as no label depends on it; it is a third of the time,
// and cubic in the length of a chain (37 s for 3,000 carbons).
//
// Threads: any number.
// Cost: about 100 us for a drug-like molecule.

#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

// RDKit takes time cubic in the size of a fused ring system: at this length at most about a minute. The
// longest of 1.7 million real molecules has 1,782 bytes.
inline constexpr size_t kSmilesBytesMax = 8192;

// The graph of one SMILES (white space around it is fine), with bonds labelled "single", "double", "triple",
// "aromatic", "dative" and so on when `edge_labels`. The error says what RDKit says.
absl::StatusOr<v1::Graph> GraphFromSmiles(std::string_view smiles, bool edge_labels);

}  // namespace kindred::formats
