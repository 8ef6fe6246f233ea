// The rows of a kernel matrix as text.
//
//     libsvm   1 0:1 1:68 2:31.5 ...        class 0:row 1:K 2:K ..., rows counted from 1 (LIBSVM, -t 4)
//     csv      id,a,"b,c" / a,68,31.5       RFC 4180, but lines end as everywhere here
//     json     {"id":"a","class":"1","values":[68,31.5]}
//
// Threads: free functions without state.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

enum class KernelFormat { kLibsvm, kCsv, kJsonLines };

std::string CsvHeader(const std::vector<std::string>& ids);

// One line with its end. Refuses a class that LIBSVM would take for something else (white space in it).
absl::StatusOr<std::string> FormatRow(const v1::KernelRow& row, KernelFormat format);

// A field of a CSV file: quoted when it has to be.
std::string CsvField(std::string_view text);

}  // namespace kindred::cli
