#include "index/search/bounded_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "index/base/mutant.h"
#include "index/base/status.h"

namespace kindred {

template <typename T>
absl::Status BoundedBlocks<T>::Bound(BlockPart part, const BoundUnits& units, NeedTable& need,
                                     const Interrupt& interrupt, SearchStats& stats) {
  KINDRED_RETURN_IF_ERROR(CountRare(interrupt, stats));
  FindRuns(part, units, need);
  const size_t padded = size_t{blocks_.column_words()} * kChunkBlocks;
  GrowTo(counters_.bounds, padded);
  GrowTo(counters_.frequent, padded);
  GrowTo(counters_.chunk_bounds, blocks_.column_words());
  const BlockBounds<T> out{counters_.bounds.data(), counters_.chunk_bounds.data(), counters_.frequent.data()};
  const std::vector<LevelTerms<T>> levels = Levels();
  const T* largest = Largest();
  constexpr uint32_t kChunksBetweenChecks = 4096;
  for (const Run& run : runs_) {
    for (uint32_t first = run.first; first < run.last; first += kChunksBetweenChecks) {
      KINDRED_RETURN_IF_ERROR(interrupt.Check());
      const uint32_t last = std::min(first + kChunksBetweenChecks, run.last);
      BoundBlocks(levels, largest, first, last, out);
      stats.blocks_bounded += std::min(last * kChunkBlocks, blocks_.block_count()) - first * kChunkBlocks;
    }
  }
  return interrupt.Check();
}

template <typename T>
absl::Status BoundedBlocks<T>::CountRare(const Interrupt& interrupt, SearchStats& stats) {
  GrowTo(counters_.rare, terms_.levels.size());
  uint64_t unchecked = 0;
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    const QueryTerms::AtLevel& level = terms_.levels[l];
    if (level.rare.empty()) {
      continue;
    }
    std::vector<T>& counts = counters_.rare[l];
    counts.assign(size_t{blocks_.column_words()} * kChunkBlocks, 0);
    for (const std::span<const BlockPosting> list : level.rare) {
      uint32_t block = 0;
      for (const BlockPosting& posting : list) {
        block += posting.gap;
        counts[block] = static_cast<T>(counts[block] + (posting.mask != 0 ? 1 : 0));
      }
      stats.postings_read += list.size();
      unchecked += list.size();
      if (unchecked >= kPostingsBetweenChecks) {
        unchecked = 0;
        KINDRED_RETURN_IF_ERROR(interrupt.Check());
      }
    }
  }
  return absl::OkStatus();
}

// [SizeBound] Eight chunks at a time: those in which some graph can be similar enough by its size alone.
template <typename T>
void BoundedBlocks<T>::FindRuns(BlockPart part, const BoundUnits& units, NeedTable& need) {
  const auto allowed = [&](uint32_t first) {
    const uint32_t last = std::min(first + kColumnWordsMultiple, blocks_.chunk_count());
    for (uint32_t chunk = first; chunk < last; ++chunk) {
      if (units.Most(blocks_.chunk_largest(chunk)) >= need(blocks_.chunk_smallest(chunk))) {
        return true;
      }
    }
    return false;
  };
  const uint64_t groups = blocks_.column_words() / kColumnWordsMultiple;
  const auto begin = static_cast<uint32_t>(groups * part.number / part.count * kColumnWordsMultiple);
  const auto end = static_cast<uint32_t>(groups * (part.number + 1) / part.count * kColumnWordsMultiple);
  runs_.clear();
  for (uint32_t first = begin; first < end; first += kColumnWordsMultiple) {
    if (!allowed(first)) {
      continue;
    }
    if (!runs_.empty() && runs_.back().last == first) {
      runs_.back().last += kColumnWordsMultiple;
    } else {
      runs_.push_back({first, first + kColumnWordsMultiple});
    }
  }
}

template <typename T>
std::vector<LevelTerms<T>> BoundedBlocks<T>::Levels() const {
  std::vector<LevelTerms<T>> levels;
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    const QueryTerms::AtLevel& level = terms_.levels[l];
    levels.push_back({level.columns, level.rare.empty() ? nullptr : counters_.rare[l].data(),
                      static_cast<T>(std::min<uint32_t>(level.always, std::numeric_limits<T>::max())),
                      level.weight});
    levels.back().always -= std::min<T>(levels.back().always, TooTight(Mutant::kUbiquitousBound));
  }
  return levels;
}

template <typename T>
const T* BoundedBlocks<T>::Largest() {
  const T* largest = nullptr;
  if constexpr (sizeof(T) == 1) {
    largest = blocks_.largest_bytes();
  } else {
    largest = blocks_.largest();
  }
  if (TooTight(Mutant::kLevelBound) != 0) {
    for (size_t block = 0; block < size_t{blocks_.column_words()} * kChunkBlocks; ++block) {
      too_small_.push_back(static_cast<T>(largest[block] - (largest[block] > 0 ? 1 : 0)));
    }
    largest = too_small_.data();
  }
  return largest;
}

template <typename T>
uint32_t BoundedBlocks<T>::chunk_count() const {
  uint32_t count = 0;
  for (const Run& run : runs_) {
    count += std::min(run.last, blocks_.chunk_count()) - run.first;
  }
  return count;
}

template <typename T>
void BoundedBlocks<T>::ForEachChunk(absl::FunctionRef<void(uint32_t)> visit) const {
  for (const Run& run : runs_) {
    for (uint32_t chunk = run.first; chunk < std::min(run.last, blocks_.chunk_count()); ++chunk) {
      visit(chunk);
    }
  }
}

template <typename T>
std::vector<uint32_t> BoundedBlocks<T>::Select(absl::FunctionRef<uint32_t(uint32_t)> least) const {
  GrowTo(counters_.chunk_least, blocks_.column_words());
  GrowTo(scratch_.selected, blocks_.column_words());
  constexpr uint32_t kBoundMax = std::numeric_limits<T>::max();
  std::vector<uint32_t> selected;
  for (const Run& run : runs_) {
    const uint32_t last = std::min(run.last, blocks_.chunk_count());
    for (uint32_t chunk = run.first; chunk < last; ++chunk) {
      counters_.chunk_least[chunk] = static_cast<T>(std::min(least(chunk), kBoundMax));
    }
    SelectBlocks(counters_.bounds.data(), counters_.chunk_least.data(), run.first, last,
                 scratch_.selected.data());
    for (uint32_t chunk = run.first; chunk < last; ++chunk) {
      for (uint64_t bits = scratch_.selected[chunk]; bits != 0; bits &= bits - 1) {
        selected.push_back(chunk * kChunkBlocks + static_cast<uint32_t>(std::countr_zero(bits)));
      }
    }
  }
  // The last chunk is padded with blocks that do not exist.
  while (!selected.empty() && selected.back() >= blocks_.block_count()) {
    selected.pop_back();
  }
  return selected;
}

template <typename T>
std::vector<uint32_t> BoundedBlocks<T>::ByBound(const std::vector<uint32_t>& blocks) const {
  constexpr int kShift = sizeof(T) == 1 ? 0 : 8;
  const auto rank = [&](uint32_t block) { return 255u - (counters_.bounds[block] >> kShift); };
  std::array<uint32_t, 257> begins{};
  for (const uint32_t block : blocks) {
    ++begins[rank(block) + 1];
  }
  for (size_t i = 1; i < begins.size(); ++i) {
    begins[i] += begins[i - 1];
  }
  std::vector<uint32_t> sorted(blocks.size());
  for (const uint32_t block : blocks) {
    sorted[begins[rank(block)]++] = block;
  }
  return sorted;
}

template class BoundedBlocks<uint8_t>;
template class BoundedBlocks<uint16_t>;

}  // namespace kindred
