// Writes a record as one JSON line, the inverse of jsonl_reader.h.
//
// What is empty is left out (payload, tags, the label of an edge). A payload that is not UTF-8 stands as
// "payload_base64". Reading the line gives the same record again, but for the order of its table of labels;
// writing that gives the same line.
//
// Threads: free function without state.

#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

// The line, without an end. Refuses a record that is not well formed (an index beyond the table of labels,
// half an edge, text that is not UTF-8).
absl::StatusOr<std::string> ToJsonLine(const v1::Record& record);

}  // namespace kindred::formats
