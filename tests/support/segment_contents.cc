#include "tests/support/segment_contents.h"

#include <optional>
#include <set>
#include <utility>

#include "gtest/gtest.h"

namespace kindred::test {
namespace {

constexpr uint32_t kSkip = UINT16_MAX;

template <typename Word>
bool BitOf(const Word* words, size_t bit) {
  constexpr size_t kWordBits = 8 * sizeof(Word);
  return (words[bit / kWordBits] >> (bit % kWordBits) & 1) != 0;
}

BlockMasks RareMasks(const BlockIndex& blocks, uint32_t feature) {
  BlockMasks masks;
  uint32_t block = 0;
  bool is_first = true;  // Only then a gap may be 0.
  for (const BlockPosting& posting : blocks.rare_list(feature)) {
    block += posting.gap;
    EXPECT_LT(block, blocks.block_count()) << "feature " << feature;
    EXPECT_TRUE(posting.gap > 0 || is_first) << "feature " << feature << " stands twice in block " << block;
    is_first = false;
    if (posting.mask == 0) {
      EXPECT_EQ(posting.gap, kSkip) << "feature " << feature;
    } else {
      EXPECT_TRUE(masks.emplace(block, posting.mask).second) << "feature " << feature;
    }
  }
  const auto list = blocks.rare_list(feature);
  EXPECT_TRUE(list.empty() || list.back().mask != 0) << "feature " << feature << " ends with a skip";
  return masks;
}

// Every bit of every row, with its mask; each row's masks are used up by its bits.
void AddRowMasks(const BlockIndex& blocks, std::vector<BlockMasks>& masks) {
  const uint32_t row_bits = blocks.row_words() * 64;
  std::vector<std::optional<uint32_t>> features(row_bits);
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    const uint32_t bit = blocks.row_bit(frequent);
    EXPECT_FALSE(features.at(bit).has_value()) << "two features have row bit " << bit;
    features.at(bit) = blocks.frequent_feature(frequent);
  }
  for (uint32_t block = 0; block < blocks.block_count(); ++block) {
    const uint16_t* mask = blocks.row_masks(block);
    for (uint32_t bit = 0; bit < row_bits; ++bit) {
      if (!BitOf(blocks.row(block), bit)) {
        continue;
      }
      EXPECT_TRUE(features[bit].has_value()) << "block " << block << " has padding bit " << bit;
      EXPECT_NE(*mask, 0) << "block " << block << " bit " << bit;
      masks.at(features[bit].value()).emplace(block, *mask++);
    }
    EXPECT_EQ(mask, blocks.row_masks(block + 1)) << "block " << block;
  }
}

void CheckColumns(const BlockIndex& blocks, const std::vector<BlockMasks>& masks) {
  for (uint32_t frequent = 0; frequent < blocks.frequent_count(); ++frequent) {
    const uint32_t feature = blocks.frequent_feature(frequent);
    EXPECT_EQ(blocks.FindFrequent(feature), frequent);
    std::set<uint32_t> groups;
    for (const auto& [block, mask] : masks[feature]) {
      groups.insert(block / kGroupBlocks);
    }
    for (uint32_t block = 0; block < blocks.shelf_count() * kShelfBlocks; ++block) {
      EXPECT_EQ(BitOf(blocks.column(frequent), block), masks[feature].contains(block))
          << "feature " << feature << " block " << block;
    }
    for (uint32_t group = 0; group < blocks.shelf_count() * kShelfGroups; ++group) {
      EXPECT_EQ(BitOf(blocks.group_column(frequent), group), groups.contains(group))
          << "feature " << feature << " group " << group;
    }
  }
}

// Adds the graphs of the blocks: slot by slot how often each colour is worn.
void AddBlockCounts(const Segment& segment, std::vector<std::map<ColourId, uint32_t>>& counts) {
  const FeatureTable& features = segment.blocks().features();
  const std::vector<BlockMasks> masks = MasksOf(segment.blocks());
  for (uint32_t number = 0; number < features.colour_count(); ++number) {
    const FeatureRange range = features.features(number);
    for (uint32_t feature = range.begin; feature < range.end; ++feature) {
      for (const auto& [block, mask] : masks[feature]) {
        for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
          if ((mask >> lane & 1) == 0) {
            continue;
          }
          const uint32_t slot = block * kBlockGraphs + lane;
          EXPECT_NE(segment.graphs().vertex_count(slot), 0u) << "empty slot " << slot << " has features";
          uint32_t& count = counts.at(slot)[features.colour(number)];
          EXPECT_EQ(count, feature - range.begin) << "slot " << slot << " lacks a lower count";
          ++count;
        }
      }
    }
  }
}

}  // namespace

void PrintTo(const GraphContents& contents, std::ostream* out) {
  *out << "graph " << Raw(contents.id) << ", " << contents.vertex_count << " vertices:";
  for (const auto& [colour, count] : contents.counts) {
    *out << ' ' << Raw(colour) << 'x' << count;
  }
}

std::vector<BlockMasks> MasksOf(const BlockIndex& blocks) {
  std::vector<BlockMasks> masks(blocks.features().size());
  for (uint32_t feature = 0; feature < masks.size(); ++feature) {
    masks[feature] = RareMasks(blocks, feature);
    EXPECT_TRUE(masks[feature].empty() || !blocks.FindFrequent(feature))
        << "feature " << feature << " stands twice";
  }
  AddRowMasks(blocks, masks);
  CheckColumns(blocks, masks);
  return masks;
}

SegmentContents ContentsOf(const SegmentView& view) {
  const Segment& segment = *view.segment;
  std::vector<std::map<ColourId, uint32_t>> counts(segment.graphs().slot_count());
  AddBlockCounts(segment, counts);
  segment.outsize().ForEach([&](ColourId colour, std::span<const Posting> list) {
    for (const Posting& posting : list) {
      const uint32_t slot = segment.first_outsize_slot() + posting.graph;
      EXPECT_TRUE(counts.at(slot).emplace(colour, posting.count).second) << "slot " << slot;
    }
  });
  SegmentContents contents;
  segment.graphs().ForEach([&](GraphId id, uint32_t slot) {
    if (view.is_live(slot)) {
      const std::string external_id(segment.graphs().external_id(slot));
      const bool is_new = contents
                              .emplace(external_id, GraphContents{id, segment.graphs().vertex_count(slot),
                                                                  std::move(counts[slot])})
                              .second;
      EXPECT_TRUE(is_new) << external_id << " stands twice";
    }
  });
  EXPECT_EQ(contents.size(), view.live_count());
  return contents;
}

SegmentContents ContentsOf(std::span<const StoredGraph> graphs) {
  SegmentContents contents;
  for (const StoredGraph& graph : graphs) {
    GraphContents& here = contents[graph.external_id];
    here = {graph.id, graph.histogram.vertex_count(), {}};
    for (const Histogram::Entry& entry : graph.histogram.entries()) {
      here.counts.emplace(entry.colour, entry.count);
    }
  }
  return contents;
}

}  // namespace kindred::test
