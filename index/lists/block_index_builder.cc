#include <algorithm>
#include <limits>
#include <utility>

#include "index/base/check.h"
#include "index/lists/block_index.h"

namespace kindred {
namespace {

// A feature is frequent when it occurs in more than one of so many blocks. More frequent features make the
// bound pass longer and everything after it shorter; measured on molecules, bench/README.md.
constexpr uint32_t kFrequentShare = 48;
// And in at least so many: a column has to be worth its padding.
constexpr uint32_t kFrequentBlocksMin = 24;

// A feature is ubiquitous when all blocks but one of so many have it: to take it for granted then costs the
// bound next to nothing, and saves a column.
constexpr uint32_t kUbiquitousShare = 8;

constexpr uint32_t kGapMax = std::numeric_limits<uint16_t>::max();

bool Frequent(uint32_t feature_blocks, uint32_t blocks) {
  return feature_blocks >= kFrequentBlocksMin && uint64_t{feature_blocks} * kFrequentShare > blocks;
}

void SetBit(uint16_t& word, uint32_t bit) { word = static_cast<uint16_t>(word | 1u << bit); }

// Of each `size` of them in a row; the last may be fewer.
std::vector<uint16_t> SmallestOfEach(const std::vector<uint16_t>& values, size_t size) {
  std::vector<uint16_t> smallest;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % size == 0) {
      smallest.push_back(values[i]);
    }
    smallest.back() = std::min(smallest.back(), values[i]);
  }
  smallest.shrink_to_fit();
  return smallest;
}

std::vector<uint16_t> LargestOfEach(const std::vector<uint16_t>& values, size_t size) {
  std::vector<uint16_t> largest((values.size() + size - 1) / size);
  for (size_t i = 0; i < values.size(); ++i) {
    largest[i / size] = std::max(largest[i / size], values[i]);
  }
  return largest;
}

uint32_t RoundUp(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace

BlockIndexBuilder::BlockIndexBuilder(FeatureTable features) {
  index_.features_ = std::move(features);
  progress_.resize(index_.features_.size());
  gathered_.resize(index_.features_.size());
}

void BlockIndexBuilder::Gather(std::span<const Graph> block) {
  touched_.clear();
  for (uint32_t lane = 0; lane < block.size(); ++lane) {
    for (const FeatureRun& run : block[lane].runs) {
      for (uint32_t feature = run.first; feature < run.first + run.count; ++feature) {
        if (gathered_[feature] == 0) {
          touched_.push_back(feature);
        }
        gathered_[feature] = static_cast<uint16_t>(gathered_[feature] | 1u << lane);
      }
    }
  }
}

void BlockIndexBuilder::Count(std::span<const Graph> block) {
  KINDRED_CHECK(!laid_out_ && !block.empty() && block.size() <= kBlockGraphs);
  Gather(block);
  for (const uint32_t feature : touched_) {
    gathered_[feature] = 0;
    Progress& progress = progress_[feature];
    ++progress.blocks;
    const uint32_t gap = counted_ - progress.last_block;
    progress.postings += 1 + (gap == 0 ? 0 : (gap - 1) / kGapMax);
    progress.last_block = counted_;
  }
  const auto [smallest, largest] = std::ranges::minmax(block, {}, &Graph::vertex_count);
  KINDRED_CHECK(largest.vertex_count <= kBlockVerticesMax);
  index_.smallest_.push_back(static_cast<uint16_t>(smallest.vertex_count));
  index_.largest_.push_back(static_cast<uint16_t>(largest.vertex_count));
  ++counted_;
}

void BlockIndexBuilder::Layout() {
  laid_out_ = true;
  BlockIndex& index = index_;
  const FeatureTable& features = index.features_;

  uint64_t postings = 0;
  uint64_t masks = 0;
  std::vector<uint32_t> frequent_at_level;
  index.list_begins_.reserve(features.size() + 1);
  for (Level level = 0; level < features.level_count(); ++level) {
    const uint32_t first = index.frequent_count();
    for (uint32_t feature = features.at_level(level).begin; feature < features.at_level(level).end;
         ++feature) {
      Progress& progress = progress_[feature];
      index.list_begins_.push_back(static_cast<uint32_t>(postings));
      if (Frequent(progress.blocks, counted_)) {
        progress.postings = index.frequent_count();  // From here on: its number.
        index.frequent_.push_back(feature);
        index.ubiquitous_.push_back(uint64_t{progress.blocks} * kUbiquitousShare >=
                                    uint64_t{counted_} * (kUbiquitousShare - 1));
        masks += progress.blocks;
      } else {
        progress.blocks = 0;  // From here on: not frequent.
        postings += std::exchange(progress.postings, static_cast<uint32_t>(postings));
      }
      progress.last_block = 0;
    }
    frequent_at_level.push_back(index.frequent_count() - first);
  }
  const uint32_t words = LayoutRows(frequent_at_level);
  // The merge policy keeps segments far below this (engine/segment_stack.h).
  KINDRED_CHECK(postings < UINT32_MAX && masks < UINT32_MAX);
  index.list_begins_.push_back(static_cast<uint32_t>(postings));
  index.postings_.resize(postings);
  index.columns_.resize(index.frequent_.size() * index.shelf_count() * kShelfGroups);
  index.group_columns_.resize(index.frequent_.size() * index.shelf_count());
  index.rows_.resize(size_t{counted_} * words);
  index.mask_begins_.reserve(counted_ + 1);
  index.mask_begins_.push_back(0);
  index.masks_.reserve(masks);
}

// Returns the words of a row.
uint32_t BlockIndexBuilder::LayoutRows(const std::vector<uint32_t>& frequent_at_level) {
  uint32_t words = 0;
  index_.row_levels_.resize(frequent_at_level.size());
  for (size_t level = 0; level < frequent_at_level.size(); ++level) {
    const uint32_t level_words = RoundUp(frequent_at_level[level], 64) / 64;
    index_.row_levels_[level] = {words, words + level_words};
    words += level_words;
    for (uint32_t i = 0; i < frequent_at_level[level]; ++i) {
      index_.row_bits_.push_back(index_.row_levels_[level].begin * 64 + i);
    }
  }
  return words;
}

void BlockIndexBuilder::AddPosting(uint32_t feature, uint16_t mask) {
  Progress& progress = progress_[feature];
  while (added_ - progress.last_block > kGapMax) {
    index_.postings_[progress.postings++] = {kGapMax, 0};
    progress.last_block += kGapMax;
  }
  index_.postings_[progress.postings++] = {static_cast<uint16_t>(added_ - progress.last_block), mask};
  progress.last_block = added_;
}

void BlockIndexBuilder::Add(std::span<const Graph> block) {
  if (!laid_out_) {
    Layout();
  }
  KINDRED_CHECK(added_ < counted_);
  Gather(block);
  const uint32_t group = added_ / kGroupBlocks;
  const uint32_t shelf = added_ / kShelfBlocks;
  uint64_t* row = index_.rows_.data() + size_t{added_} * index_.row_words();
  row_.clear();
  for (const uint32_t feature : touched_) {
    const uint16_t mask = std::exchange(gathered_[feature], uint16_t{0});
    if (progress_[feature].blocks == 0) {
      AddPosting(feature, mask);
      continue;
    }
    const uint32_t number = progress_[feature].postings;
    SetBit(index_.columns_[size_t{number} * index_.shelf_count() * kShelfGroups + group],
           added_ % kGroupBlocks);
    SetBit(index_.group_columns_[size_t{number} * index_.shelf_count() + shelf], group % kShelfGroups);
    row_.emplace_back(index_.row_bits_[number], mask);
  }
  std::sort(row_.begin(), row_.end());
  for (const auto& [bit, mask] : row_) {
    row[bit / 64] |= uint64_t{1} << (bit % 64);
    index_.masks_.push_back(mask);
  }
  index_.mask_begins_.push_back(static_cast<uint32_t>(index_.masks_.size()));
  ++added_;
}

BlockIndex BlockIndexBuilder::Build() && {
  if (!laid_out_) {
    Layout();
  }
  KINDRED_CHECK(added_ == counted_);
  FillGroups();
  return std::move(index_);
}

void BlockIndexBuilder::FillGroups() {
  BlockIndex& index = index_;
  index.smallest_.shrink_to_fit();
  index.group_smallest_ = SmallestOfEach(index.smallest_, kGroupBlocks);
  index.shelf_smallest_ = SmallestOfEach(index.group_smallest_, kShelfGroups);
  index.largest_.resize(size_t{index.shelf_count()} * kShelfBlocks);
  index.largest_.shrink_to_fit();
  index.group_largest_ = LargestOfEach(index.largest_, kGroupBlocks);
  index.shelf_largest_ = LargestOfEach(index.group_largest_, kShelfGroups);
}

}  // namespace kindred
