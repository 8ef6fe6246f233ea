// The rows of a kernel matrix as bytes.
//
//     libsvm   1 0:1 1:68 2:31.5 ...        class 0:row 1:K 2:K ..., rows counted from 1 (LIBSVM, -t 4)
//     csv      id,a,"b,c" / a,68,31.5       RFC 4180, but lines end as everywhere here
//     npy      a header, then doubles       NumPy's format 1.0, row by row; without ids and classes
//     json     {"id":"a","class":"1","values":[68,31.5]}
//
// Threads: free functions without state.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace kindred::cli {

enum class KernelFormat { kLibsvm, kCsv, kNpy, kJsonLines };

struct MatrixRow {
  uint64_t index = 0;  // From 0.
  std::string_view id;
  std::string_view tag;  // The class; empty for none.
  std::span<const double> values;
};

// What stands before the first row.
std::string CsvHeader(const std::vector<std::string>& ids);
std::string NpyHeader(uint64_t rows);

// One row with its end. Refuses a class that LIBSVM would take for something else (white space in it).
absl::StatusOr<std::string> FormatRow(const MatrixRow& row, KernelFormat format);

// A field of a CSV file: quoted when it has to be.
std::string CsvField(std::string_view text);

}  // namespace kindred::cli
