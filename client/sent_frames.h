// The frames of an ingest stream that are not acknowledged yet: numbers them, and finds for each rejected
// item where the caller had it from.
//
// Threads: one caller at a time.
// Invariants: (1) numbers go up by one; (2) what is held is always the last frames numbered.
// Cost: a Position for each item not acknowledged.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

// Where a record came from, in the caller's own terms; handed back with a rejection as it was given.
struct Position {
  uint32_t source = 0;
  uint64_t record = 0;

  bool operator==(const Position&) const = default;
};

struct Rejection {
  std::string id;
  absl::Status status;
  Position position;
};

class SentFrames {
 public:
  struct Settled {
    size_t bytes = 0;  // Of the frames that are durable now.
    std::vector<Rejection> rejections;
  };

  // The number of the first frame, before any is added.
  void StartAt(uint64_t sequence) { next_ = sequence; }

  // Takes a frame that is about to be sent, with the position of each of its items; gives its number.
  uint64_t Add(std::vector<Position> positions, size_t bytes);

  // Lets go of every frame up to the one acknowledged. INTERNAL, and nothing is let go of, when the answer
  // speaks of a frame or item that is not waiting for one.
  absl::StatusOr<Settled> Settle(const v1::IngestAck& ack);

  size_t size() const { return frames_.size(); }

 private:
  struct Frame {
    std::vector<Position> positions;
    size_t bytes = 0;
  };

  std::deque<Frame> frames_;
  uint64_t next_ = 1;
};

}  // namespace kindred::client
