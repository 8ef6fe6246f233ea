#include "index/lists/graph_extractor.h"

#include <algorithm>
#include <bit>
#include <span>

namespace kindred {
namespace {

// There are fewer features than postings, and of those fewer than 2^31 (engine/segment_stack.h).
constexpr uint32_t kFirst = uint32_t{1} << 31;

}  // namespace

GraphExtractor::GraphExtractor(const Segment& segment, const FeatureTable& target)
    : segment_(segment),
      blocks_(segment.blocks()),
      wanted_(blocks_.block_count()),
      wanted_places_(blocks_.block_count()) {
  const FeatureTable& features = blocks_.features();
  target_frequent_.reserve(blocks_.frequent_count());
  for (Level level = 0; level < features.level_count(); ++level) {
    for (uint32_t number = features.colours_at(level).begin; number < features.colours_at(level).end;
         ++number) {
      const FeatureRange here = features.features(number);
      while (target_frequent_.size() < blocks_.frequent_count()) {
        const uint32_t feature = blocks_.frequent_feature(static_cast<uint32_t>(target_frequent_.size()));
        if (feature >= here.end) {
          break;
        }
        // What the target lacks, no graph that is asked for has: it is numbered, and never given out.
        target_frequent_.push_back(target.Find(level, features.colour(number)).begin + feature - here.begin);
      }
    }
  }
}

void GraphExtractor::Clear() {
  std::ranges::fill(wanted_, uint16_t{0});
  blocks_end_ = 0;
  found_ = std::vector<Found>();  // Not {}, which would keep the memory.
  features_ = LargeVector<uint32_t>();
}

void GraphExtractor::Load(const FeatureTable& target, const std::vector<bool>& is_first) {
  const Level levels = blocks_.features().level_count();
  uint32_t wanted = 0;
  for (uint32_t block = 0; block < blocks_.block_count(); ++block) {
    wanted_places_[block] = wanted;
    if (wanted_[block] != 0) {
      ++wanted;
      blocks_end_ = block + 1;
    }
  }
  found_.resize(size_t{wanted} * kBlockGraphs);
  size_t end = 0;
  for (uint32_t block = 0; block < blocks_end_; ++block) {
    for (uint32_t lanes = wanted_[block]; lanes != 0; lanes &= lanes - 1) {
      const uint32_t slot = block * kBlockGraphs + static_cast<uint32_t>(std::countr_zero(lanes));
      found_[place(slot)].begin = end;
      // A graph has one feature a vertex and level.
      end += size_t{segment_.graphs().vertex_count(slot)} * levels;
    }
  }
  if (found_.empty()) {
    return;
  }
  features_.resize(end);
  LoadRows();
  for (Found& found : found_) {
    found.runs = found.size;
  }
  LoadLists(target);
  MarkRuns(is_first);
}

void GraphExtractor::Scatter(uint32_t block, uint32_t lanes, uint32_t feature) {
  for (; lanes != 0; lanes &= lanes - 1) {
    Found& found = found_[place(block * kBlockGraphs + static_cast<uint32_t>(std::countr_zero(lanes)))];
    features_[found.begin + found.size++] = feature;
  }
}

void GraphExtractor::MarkRuns(const std::vector<bool>& is_first) {
  std::vector<uint32_t> row;
  for (Found& found : found_) {
    // Those of the row go out of the way, and come back where they belong.
    uint32_t* to = features_.data() + found.begin;
    const uint32_t* rare = to + found.runs;
    const uint32_t* const end = to + found.size;
    row.assign(to, to + found.runs);
    found.runs = 0;
    for (auto next = row.begin(); to != end; ++to) {
      const bool take_rare = next == row.end() || (rare != end && *rare < *next);
      *to = take_rare ? *rare++ : *next++;
      if (is_first[*to]) {
        *to |= kFirst;
        ++found.runs;
      }
    }
  }
}

void GraphExtractor::LoadRows() {
  // Row bits of a level are numbered from its first word on; frequent features without gaps.
  std::vector<uint32_t> feature_of_bit(size_t{blocks_.row_words()} * 64);
  for (uint32_t frequent = 0; frequent < blocks_.frequent_count(); ++frequent) {
    feature_of_bit[blocks_.row_bit(frequent)] = target_frequent_[frequent];
  }
  for (uint32_t block = 0; block < blocks_end_; ++block) {
    if (wanted_[block] == 0) {
      continue;
    }
    const uint64_t* row = blocks_.row(block);
    const uint16_t* mask = blocks_.row_masks(block);
    for (uint32_t word = 0; word < blocks_.row_words(); ++word) {
      for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
        const uint32_t feature = feature_of_bit[word * 64 + static_cast<uint32_t>(std::countr_zero(bits))];
        Scatter(block, *mask++ & wanted_[block], feature);
      }
    }
  }
}

void GraphExtractor::LoadLists(const FeatureTable& target) {
  const FeatureTable& features = blocks_.features();
  // The colour whose feature was met last, and its first feature here and there: looked up when one is met,
  // as most lists lie outside the slice.
  Level level = 0;
  uint32_t number = 0;
  FeatureRange here;
  uint32_t there = 0;
  for (uint32_t feature = 0; feature < features.size(); ++feature) {
    uint32_t block = 0;
    for (const BlockPosting& posting : blocks_.rare_list(feature)) {
      block += posting.gap;
      if (block >= blocks_end_) {
        break;
      }
      const uint32_t lanes = posting.mask & wanted_[block];
      if (lanes == 0) {
        continue;
      }
      if (feature >= here.end) {
        while (features.features(number).end <= feature) {
          ++number;
        }
        while (features.colours_at(level).end <= number) {
          ++level;
        }
        here = features.features(number);
        there = target.Find(level, features.colour(number)).begin;
      }
      Scatter(block, lanes, there + feature - here.begin);
    }
  }
}

void GraphExtractor::AddTo(ForwardLists& lists, uint32_t slot) const {
  const Found& found = found_[place(slot)];
  FeatureRun run;
  for (const uint32_t feature : std::span(features_).subspan(found.begin, found.size)) {
    if ((feature & kFirst) == 0) {
      ++run.count;
      continue;
    }
    if (run.count > 0) {
      lists.Add(run);
    }
    run = {feature & ~kFirst, 1};
  }
  if (run.count > 0) {
    lists.Add(run);
  }
  lists.EndGraph();
}

}  // namespace kindred
