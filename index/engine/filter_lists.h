// Lists of their own for filters that are used again and again.
//
// A filter hides graphs of a segment behind a mask. What is left of a block is then a graph or two, but what
// bounds it still counts the features of all 16. So once a filter was used often enough on a segment, the
// graphs that it matches there become a segment of their own, in the background, which is searched in place
// of the masked one: a search costs what it does on an index that has no others.
//
// They take up to filter_lists_bytes_max of memory (index/base/limits.h): those not used for longest go
// first. Those of a segment that was merged away go as soon as another one is searched with a filter.
//
// Threads: all methods from any thread; one thread of its own.
// Cost: Find is a look-up, and a bit for each matching graph when others were deleted since the last
//       time. What is made takes as much memory a graph as a segment does, and 4 bytes: the slot of each in
//       the segment it comes from.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "index/filter/filter.h"
#include "index/lists/segment.h"

namespace kindred {

// Smaller segments are searched in no time.
inline constexpr uint32_t kFilterListsGraphsMin = 1'024;

class FilterLists {
 public:
  // 0: none are ever made.
  explicit FilterLists(uint64_t bytes_max);
  // Gives up what is being made.
  ~FilterLists();
  FilterLists(const FilterLists&) = delete;
  FilterLists& operator=(const FilterLists&) = delete;

  // The graphs of the view that match, as a segment of their own; nothing: there is none, or not yet.
  // REQUIRES, as for Note: the filter does not match everything.
  std::optional<SegmentView> Find(const SegmentView& view, const Filter& filter);
  // Counts a use that Find had nothing for; so many graphs of the view match. Enough uses have lists made.
  void Note(const SegmentView& view, const Filter& filter, uint32_t matching);

  // How many are enough for a segment of so many graphs of which so many match: the more, the longer it takes
  // to make lists.
  static uint64_t UsesMin(uint32_t graphs, uint32_t matching);

  // Waits until nothing is being made. For tests and benchmarks.
  void Settle();

  struct Stats {
    uint64_t count = 0;  // Of segments that were made and are kept,
    uint64_t bytes = 0;  // and what they take.
    uint64_t made = 0;   // Since the start.
  };
  Stats stats() const;

 private:
  // The graphs of a segment that match.
  struct Lists {
    std::shared_ptr<const Segment> segment;
    std::vector<uint32_t> origins;  // A slot each: that of the segment it was made of.
    size_t bytes() const { return segment->memory_bytes() + origins.size() * sizeof(uint32_t); }
  };

  struct Entry {
    std::weak_ptr<const Segment> of;
    uint64_t uses = 0;
    uint64_t last_use = 0;
    bool decided = false;  // They are made, being made, or not worth it.
    std::shared_ptr<const Lists> lists{};
    // What was hidden last in `of`, and so in the lists.
    std::shared_ptr<const LiveMask> hidden{};
    std::shared_ptr<const LiveMask> live{};
  };

  using Key = std::pair<const Segment*, std::string>;

  struct Task {
    std::weak_ptr<const Segment> of;
    Filter filter;
  };

  bool Suits(const SegmentView& view) const;
  bool Worthwhile(const Segment& segment, uint32_t matching) const;
  // REQUIRES, these four: mutex_ is held.
  Entry* FindEntry(const std::shared_ptr<const Segment>& segment, const Filter& filter);
  Entry& EntryOf(const std::shared_ptr<const Segment>& segment, const Filter& filter);
  void Forget();
  void MakeRoom(const Entry& newest);

  void Run(const std::stop_token& stop);
  // Null: not worth it, or stopped.
  std::shared_ptr<const Lists> Make(const std::shared_ptr<const Segment>& segment, const Filter& filter,
                                    const std::stop_token& stop) const;

  const uint64_t bytes_max_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  absl::flat_hash_map<Key, Entry> entries_;
  std::deque<Task> tasks_;
  bool making_ = false;
  uint64_t uses_ = 0;
  uint64_t made_ = 0;

  std::jthread thread_;  // Last: it ends before anything above goes.
};

}  // namespace kindred
