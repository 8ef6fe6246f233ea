// The records of several files, read on a thread of its own: whoever takes them can stop at any time,
// even while the thread waits for standard input.
//
// Threads: one caller at a time.
// Invariants: records come file by file, in their order; a file that cannot be opened is the last.
// Memory: at most twice kFeedItemsMax records wait to be taken.
// Cost: records change threads many at a time, so that a record costs no lock.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "client/formats/record_reader.h"

namespace kindred::cli {

inline constexpr size_t kFeedItemsMax = 1024;

class RecordFeed {
 public:
  struct Item {
    uint32_t source = 0;  // The place of the file among those given.
    formats::EncodedResult result;
  };
  struct Nothing {};  // Nothing within the time given.
  struct End {
    absl::Status status;  // Why a file could not be opened.
  };
  using Next = std::variant<Item, Nothing, End>;

  RecordFeed(std::vector<std::string> paths, const formats::ReadOptions& options);
  // Waits for the thread only a moment: when it is stuck in a read it is left behind.
  ~RecordFeed();
  RecordFeed(const RecordFeed&) = delete;
  RecordFeed& operator=(const RecordFeed&) = delete;

  Next Take(std::chrono::milliseconds patience);

 private:
  struct State;

  const std::shared_ptr<State> state_;  // Shared with the thread.
  std::deque<Item> taken_;              // From there, and not given out yet.
};

}  // namespace kindred::cli
