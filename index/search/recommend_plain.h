// The recommendation over graphs that are not inverted: each is read once for all examples, level by level,
// until its score cannot matter any more.
//
//   [PlainReach] after levels 0..l, with overlaps I_0..I_l, the kernel with an example is at least
//   w_0 I_0 + ... + w_l I_l, and at most that and (w_(l+1) + ... + w_d) I_l more, since no deeper level has
//   more than I_l; before all of them, it is at most what the smaller one of graph and example could share
//   with itself.
//
// Threads: one recommendation.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "index/lists/segment.h"
#include "index/search/best_recommended.h"
#include "index/search/recommend_examples.h"
#include "index/search/score_bound.h"

namespace kindred {

class RecommendPlain {
 public:
  // `examples` must outlive this.
  explicit RecommendPlain(RecommendExamples& examples);

  // Offers to `best` every plain graph of the segment that could be one of the best.
  absl::Status Offer(const SegmentView& view, const Interrupt& interrupt, BestRecommended& best,
                     SearchStats& stats);

 private:
  // An example that wears a colour.
  struct Wearer {
    uint32_t example = 0;
    uint32_t count = 0;
  };
  // Where the wearers of a colour lie, by open addressing.
  struct Slot {
    uint32_t colour = 0;
    uint32_t begin = 0;
    uint32_t size = 0;  // 0: free.
  };

  std::span<const Wearer> WearersOf(uint32_t colour) const {
    for (size_t at = Hash(colour);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.colour == colour || slot.size == 0) {
        return {wearers_.data() + slot.begin, slot.colour == colour ? slot.size : 0};
      }
    }
  }
  size_t Hash(uint32_t colour) const { return (colour * 0x9e3779b1u >> 8) & mask_; }
  void AddColour(uint32_t colour, std::span<const Wearer> wearers);

  double SizeBound(uint32_t vertex_count);
  bool Hopeless(Level level, double self, double least);

  RecommendExamples& examples_;
  ScoreBound bound_;
  size_t liked_ = 0;
  size_t mask_ = 0;
  std::vector<Slot> slots_;  // Colours of all levels: none is of two.
  std::vector<Wearer> wearers_;
  std::vector<double> deeper_;       // The weights of all deeper levels, a level each.
  std::vector<double> size_bounds_;  // By vertex count; NaN: not computed yet.
  // Of the graph at hand, one an example.
  std::vector<uint32_t> overlaps_;
  std::vector<double> kernels_;
};

}  // namespace kindred
