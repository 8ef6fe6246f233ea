// At which levels colours are worn by the histograms that were looked at. With it, whether all of them wear
// colours there are, each at its level, is a question about colours, of which there are far fewer.
//
// Threads: any.
// Cost: two bytes a colour; to note what was noted before is a read.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "index/base/ids.h"
#include "index/base/limits.h"

namespace kindred {

class WornLevels {
 public:
  // Colours are 0, ..., colours - 1.
  explicit WornLevels(uint32_t colours) : levels_(colours) {}

  void Note(uint64_t colour, Level level) {
    if (colour >= levels_.size()) {
      beyond_.store(true, std::memory_order_relaxed);
      return;
    }
    const auto bit = static_cast<uint16_t>(1u << level);
    if ((levels_[colour].load(std::memory_order_relaxed) & bit) == 0) {
      levels_[colour].fetch_or(bit, std::memory_order_relaxed);
    }
  }

  // A colour was noted that there is not.
  bool beyond() const { return beyond_.load(std::memory_order_relaxed); }
  // REQUIRES: there is such a colour.
  bool OnlyAt(Level level, uint32_t colour) const {
    return (levels_[colour].load(std::memory_order_relaxed) & ~(1u << level)) == 0;
  }
  bool Nowhere(uint32_t colour) const { return levels_[colour].load(std::memory_order_relaxed) == 0; }

 private:
  static_assert(kLevelsMax <= 16);

  std::vector<std::atomic<uint16_t>> levels_;
  std::atomic<bool> beyond_{false};
};

}  // namespace kindred
