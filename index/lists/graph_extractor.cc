#include "index/lists/graph_extractor.h"

#include <algorithm>
#include <bit>

namespace kindred {

GraphExtractor::GraphExtractor(const Segment& segment, const FeatureTable& target)
    : segment_(segment),
      blocks_(segment.blocks()),
      wanted_(blocks_.block_count()),
      places_(segment.first_outsize_slot()) {
  const FeatureTable& features = blocks_.features();
  target_firsts_.reserve(features.colour_count());
  target_frequent_.reserve(blocks_.frequent_count());
  for (Level level = 0; level < features.level_count(); ++level) {
    for (uint32_t number = features.colours_at(level).begin; number < features.colours_at(level).end;
         ++number) {
      const FeatureRange here = features.features(number);
      const FeatureRange there = target.Find(level, features.colour(number));
      // What the target lacks, no graph that is asked for has: it is numbered, and never given out.
      target_firsts_.push_back(there.begin);
      while (target_frequent_.size() < blocks_.frequent_count()) {
        const uint32_t feature = blocks_.frequent_feature(static_cast<uint32_t>(target_frequent_.size()));
        if (feature >= here.end) {
          break;
        }
        target_frequent_.push_back(there.begin + feature - here.begin);
      }
    }
  }
}

void GraphExtractor::Load(std::span<const uint32_t> slots) {
  std::ranges::fill(wanted_, uint16_t{0});
  found_.clear();
  size_t end = 0;
  for (const uint32_t slot : slots) {
    wanted_[slot / kBlockGraphs] =
        static_cast<uint16_t>(wanted_[slot / kBlockGraphs] | 1u << slot % kBlockGraphs);
    places_[slot] = static_cast<uint32_t>(found_.size());
    found_.push_back({end, end, end});
    // A graph has one feature a vertex and level.
    end += size_t{segment_.graphs().vertex_count(slot)} * blocks_.features().level_count();
  }
  features_.resize(end);
  LoadRows();
  for (Found& found : found_) {
    found.frequent_end = found.end;
  }
  LoadLists();
}

void GraphExtractor::Scatter(uint32_t block, uint32_t mask, uint32_t feature) {
  for (uint32_t lanes = mask & wanted_[block]; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    features_[found_[places_[block * kBlockGraphs + lane]].end++] = feature;
  }
}

void GraphExtractor::LoadRows() {
  // Row bits of a level are numbered from its first word on; frequent features without gaps.
  std::vector<uint32_t> feature_of_bit(size_t{blocks_.row_words()} * 64);
  for (uint32_t frequent = 0; frequent < blocks_.frequent_count(); ++frequent) {
    feature_of_bit[blocks_.row_bit(frequent)] = target_frequent_[frequent];
  }
  for (uint32_t block = 0; block < blocks_.block_count(); ++block) {
    if (wanted_[block] == 0) {
      continue;
    }
    const uint64_t* row = blocks_.row(block);
    const uint16_t* mask = blocks_.row_masks(block);
    for (uint32_t word = 0; word < blocks_.row_words(); ++word) {
      for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
        Scatter(block, *mask++, feature_of_bit[word * 64 + static_cast<uint32_t>(std::countr_zero(bits))]);
      }
    }
  }
}

void GraphExtractor::LoadLists() {
  const FeatureTable& features = blocks_.features();
  for (uint32_t number = 0; number < features.colour_count(); ++number) {
    const FeatureRange here = features.features(number);
    for (uint32_t feature = here.begin; feature < here.end; ++feature) {
      uint32_t block = 0;
      for (const BlockPosting& posting : blocks_.rare_list(feature)) {
        block += posting.gap;
        Scatter(block, posting.mask, target_firsts_[number] + feature - here.begin);
      }
    }
  }
}

void GraphExtractor::Clear() {
  features_ = {};
  found_ = {};
}

void GraphExtractor::AddTo(ForwardLists& lists, size_t i, const std::vector<bool>& is_first) const {
  const Found& found = found_[i];
  size_t frequent = found.begin;
  size_t rare = found.frequent_end;
  FeatureRun run;
  while (frequent < found.frequent_end || rare < found.end) {
    const bool take_rare =
        frequent == found.frequent_end || (rare < found.end && features_[rare] < features_[frequent]);
    const uint32_t feature = features_[take_rare ? rare++ : frequent++];
    if (!is_first[feature]) {
      ++run.count;
      continue;
    }
    if (run.count > 0) {
      lists.Add(run);
    }
    run = {feature, 1};
  }
  if (run.count > 0) {
    lists.Add(run);
  }
  lists.EndGraph();
}

}  // namespace kindred
