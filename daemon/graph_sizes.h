// Graphs that are over a limit, found in a request while it is still bytes.
//
// To parse a graph of a hundred thousand labels takes as many allocations; to count them takes one pass over
// the bytes. So a large request is looked at before it is parsed, and one that would be refused never is.
//
// Walks the bytes by the descriptor of the message, so a new request with a graph in it needs nothing here. A
// field that comes twice is counted twice, as protobuf adds up what is repeated; a graph that a later field
// of the same oneof would drop counts, too: no encoder writes that.
//
// Threads: free function without state.
// Cost: some nanoseconds a label, a byte each of everything else; allocates for what it reports alone.

#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/zero_copy_stream.h"
#include "index/base/limits.h"

namespace kindred::daemon {

struct LargeGraphs {
  struct Refused {
    int index = 0;        // Of the item that has it, in its field of the request; 0 for what is not repeated.
    absl::Status status;  // RESOURCE_EXHAUSTED, with the path of the field.
  };

  int items = 0;  // Of the request's own repeated messages: the records of a Put.
  std::vector<Refused> refused;
};

// INVALID_ARGUMENT when the bytes are no such message.
absl::StatusOr<LargeGraphs> FindLargeGraphs(google::protobuf::io::ZeroCopyInputStream& bytes,
                                            const google::protobuf::Descriptor& type, const Limits& limits);

}  // namespace kindred::daemon
