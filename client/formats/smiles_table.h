// Which columns of a table hold the SMILES and the ids, judged by its first line and by what was asked for.
//
// Threads: free functions without state.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

struct SmilesTable {
  char separator = ',';
  size_t smiles_column = 0;
  // Nothing: the SMILES is the id.
  std::optional<size_t> id_column;
  // Whether the first line is no row.
  bool has_header = false;
};

// Nothing when the lines are no table, but a SMILES and an id each (smiles_reader.h tells which are).
absl::StatusOr<std::optional<SmilesTable>> FindSmilesTable(std::string_view first_line,
                                                           const ReadOptions& options);

}  // namespace kindred::formats
