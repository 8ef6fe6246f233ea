// What every reader checks of every record, whatever its format.
//
// The rules of a graph (its size, no self-loop, no edge twice) are the daemon's to check; here is only what
// has to hold before a record can be put in a message at all, and the id, which names it in every report.
//
// Threads: free functions without state.

#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

// As kindred.proto says of Record.id.
inline constexpr size_t kIdBytesMax = 512;

// Well-formed UTF-8: no overlong form, no surrogate, nothing beyond U+10FFFF. The fields of type `string`
// of a message hold nothing else.
bool IsUtf8(std::string_view text);

// 1 to kIdBytesMax bytes of UTF-8.
absl::Status CheckId(std::string_view id);

// What the record of a molecule states when its edge labels were left out. Fails when the scheme it states is
// not known here, so that nobody can tell what it becomes.
absl::Status DropBondsOfScheme(v1::Record& record);

}  // namespace kindred::formats
