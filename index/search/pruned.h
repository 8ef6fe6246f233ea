// The search users get: every segment's blocks through their bounds, outsize graphs through plain lists.

#pragma once

#include <functional>
#include <span>
#include <utility>

#include "index/lists/segment.h"
#include "index/search/searcher.h"

namespace kindred {

// Calls work(i) for every i < count, on several threads, and returns when all are done.
using RunParts = std::function<void(size_t count, const std::function<void(size_t)>& work)>;

class PrunedSearcher : public Searcher {
 public:
  // `segments` must outlive this.
  explicit PrunedSearcher(std::span<const SegmentView> segments) : segments_(segments) {}
  // The blocks of every segment in so many parts, which share only what similarity is enough: the same
  // answer.
  PrunedSearcher(std::span<const SegmentView> segments, uint32_t parts, RunParts run)
      : segments_(segments), parts_(parts), run_(std::move(run)) {}

  absl::StatusOr<Answer> Search(const Query& query, const Interrupt& interrupt) const override;

 private:
  std::span<const SegmentView> segments_;
  uint32_t parts_ = 1;
  RunParts run_ = [](size_t count, const std::function<void(size_t)>& work) {
    for (size_t i = 0; i < count; ++i) {
      work(i);
    }
  };
};

}  // namespace kindred
