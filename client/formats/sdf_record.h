// A record of an SDF file: a molecule as a connection table (V2000 or V3000), and properties behind it.
//
//     aspirin                            the title line
//       RDKit          2D
//
//      13 13  0  0  0  0  0  0  0  0999 V2000
//     ...
//     M  END
//     > <CAS>                            a property: its name,
//     50-78-2                            the lines of its value,
//                                        and a blank one
//
// Threads: values and free functions without state; any number.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/molecule_scheme.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

// Views into the text of the record.
struct SdfParts {
  // Without white space around it.
  std::string_view title;
  // Up to its end, "M  END".
  std::string_view mol_block;
  // Name and value; the lines of a value are parted by "\n". A name that stands twice has both values.
  std::vector<std::pair<std::string, std::string>> properties;
};

SdfParts SplitSdfRecord(std::string_view text);

struct SdfMolecule {
  v1::Graph graph;
  // As RDKit writes the molecule, with its stereochemistry; its atoms stand in the order of the graph's
  // vertices. Empty when it is larger than kWrittenAtomsMax.
  std::string smiles;
};

// To write a SMILES RDKit perceives stereochemistry, which is cubic in the length of a chain: at this size
// 0.2 s.
inline constexpr size_t kWrittenAtomsMax = 500;

// Reads a connection table; `line` is the number of its first line, for messages. The error says what RDKit
// says.
absl::StatusOr<SdfMolecule> MoleculeFromMolBlock(std::string_view mol_block, uint64_t line,
                                                 const MoleculeScheme& scheme);

}  // namespace kindred::formats
