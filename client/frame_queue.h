// The frames of an ingest stream, each from its first item until it is durable: gathers items into frames,
// numbers them, gives them out to be sent (again after a lost connection), and finds for each item that was
// not stored where the caller had it from.
//
//     durable | sent, not acknowledged | closed, not sent | filling
//             |<------------------ what is held ------------------>|
//
// Threads: one caller at a time; a frame given out may be read while its place is let go of.
// Invariants: (1) numbers go up by one, and what is held is always the last frames numbered;
//             (2) a frame that was given out once never changes.
// Cost: the bytes of the items not acknowledged, and a Position for each.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
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

// A record that was not stored because another is as similar as the stream's rule of novelty says.
struct NotNovel {
  std::string id;
  v1::ClosestGraph closest;
  Position position;
};

class FrameQueue {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  enum class Kind { kPut, kDelete };

  struct Settled {
    size_t frames = 0;
    size_t items = 0;
    std::vector<Rejection> rejections;
    std::vector<NotNovel> not_novel;
  };

  // A frame is closed when it has either.
  FrameQueue(size_t items_max, size_t bytes_max) : items_max_(items_max), bytes_max_(bytes_max) {}

  // The last frame that is durable already, before any is added.
  void StartAfter(uint64_t durable) { first_ = durable + 1; }

  // Adds a serialised record, or the id of one to delete, to the last frame; or to a new one, which is true.
  bool Add(Kind kind, std::string bytes, Position position);

  // The last frame gets no further item. Gives its number.
  uint64_t Close();

  // The next frame to send: whether there is one, whether it is closed, when it got its first item.
  bool HasNext() const { return given_ < frames_.size(); }
  bool NextIsClosed() const;                            // REQUIRES: HasNext().
  TimePoint NextBegun() const;                          // REQUIRES: HasNext().
  std::shared_ptr<const v1::IngestRequest> TakeNext();  // REQUIRES: HasNext(). Closes it.

  // Lets go of every frame up to the one acknowledged. INTERNAL, and nothing is let go of, when the answer
  // speaks of a frame or item that is not waiting for one.
  absl::StatusOr<Settled> Settle(const v1::IngestAck& ack);

  // After a lost connection: lets go of every frame up to `durable`, and gives out the others again.
  // DATA_LOSS when an acknowledged frame is not durable; ABORTED when one is that was never sent.
  absl::StatusOr<Settled> Resume(uint64_t durable);

  size_t size() const { return frames_.size(); }
  // Of all items held.
  size_t bytes() const { return bytes_; }
  // The number of the last durable frame.
  uint64_t durable() const { return first_ - 1; }

 private:
  struct Frame {
    std::shared_ptr<v1::IngestRequest> request;
    std::vector<Position> positions;  // One an item.
    size_t bytes = 0;
    TimePoint begun;
    bool closed = false;
  };

  bool LastTakes(size_t bytes) const;
  // Null unless the frame is held, is not later than `last`, and has the item.
  const Position* PositionOf(uint64_t frame, uint32_t item, uint64_t last) const;
  void LetGo(uint64_t last, Settled& settled);

  const size_t items_max_;
  const size_t bytes_max_;
  std::deque<Frame> frames_;
  uint64_t first_ = 1;  // The number of the front, or of the next frame.
  size_t given_ = 0;    // How many of the held are given out since the last Resume.
  uint64_t sent_ = 0;   // The number of the last frame ever given out.
  size_t bytes_ = 0;
};

}  // namespace kindred::client
