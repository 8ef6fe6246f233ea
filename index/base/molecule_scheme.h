// How molecules became graphs, as one text that clients make up and the index only compares: "element,bonds".
//
// Graphs of one molecule that were made by two schemes share few colours or none, and their similarity says
// nothing. So an index takes on the scheme of the first molecule it stores, and refuses others from then on.
// Graphs that state no scheme are plain graphs: they are always taken, and never decide. docs/molecules.md.
//
// Threads: free functions without state.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "index/base/status.h"

namespace kindred {

// It is kept in memory with every snapshot and repeated with every record on the wire.
inline constexpr size_t kMoleculeSchemeBytesMax = 128;

// 1 to kMoleculeSchemeBytesMax bytes of printable ASCII without spaces, so that a message can show it as it
// is.
inline absl::Status CheckMoleculeScheme(std::string_view scheme) {
  if (scheme.empty()) {
    return InvalidArgument("molecule_scheme: is empty");
  }
  if (scheme.size() > kMoleculeSchemeBytesMax) {
    return InvalidArgument("molecule_scheme: has {} bytes; at most {} are allowed", scheme.size(),
                           kMoleculeSchemeBytesMax);
  }
  const auto printable = [](char c) { return c > ' ' && c <= '~'; };
  if (const auto bad = std::ranges::find_if_not(scheme, printable); bad != scheme.end()) {
    return InvalidArgument("molecule_scheme: byte {} is not printable ASCII", bad - scheme.begin() + 1);
  }
  return absl::OkStatus();
}

// Whether graphs that state `stated` may be stored in or compared with an index of the scheme `of_index`;
// either may be empty, for none.
inline absl::Status CheckSameScheme(std::string_view stated, std::string_view of_index) {
  if (stated.empty() || of_index.empty() || stated == of_index) {
    return absl::OkStatus();
  }
  return MakeStatus(
      absl::StatusCode::kFailedPrecondition,
      "molecule_scheme: is '{}', but the molecules of this index are '{}', and graphs made in two ways "
      "cannot be "
      "compared; make them as the index does (kindred does so by itself when it is given none of --labels, "
      "--edge-labels, --hydrogens and --fragments), or use another index",
      stated, of_index);
}

}  // namespace kindred
