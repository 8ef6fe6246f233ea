// The tags of a segment: lists and bits, merges, and the masks of filters, against a map of tags.

#include "index/lists/tag_index.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/lists/tag_mask.h"
#include "tests/support/corpus.h"
#include "tests/support/random_filter.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::TagMap;

std::set<uint32_t> SlotsOf(const SlotBits& bits) {
  std::set<uint32_t> slots;
  for (uint32_t slot = 0; slot < bits.size() * 64; ++slot) {
    if ((bits[slot / 64] >> slot % 64 & 1) != 0) {
      slots.insert(slot);
    }
  }
  return slots;
}

// All the index says, asked in every way, is what `tags` has.
void ExpectTags(const TagIndex& index, const std::map<uint32_t, TagMap>& tags, uint32_t slot_count) {
  std::map<std::string, std::map<std::string, std::set<uint32_t>>> expected;
  for (const auto& [slot, each] : tags) {
    for (const auto& [key, value] : each) {
      expected[key][value].insert(slot);
    }
  }
  ASSERT_EQ(index.key_count(), expected.size());
  EXPECT_EQ(index.empty(), expected.empty());
  uint32_t number = 0;
  for (const auto& [key, values] : expected) {
    EXPECT_EQ(index.key(number), key);
    std::set<uint32_t> with_key;
    ASSERT_EQ(index.values_end(number) - index.values_begin(number), values.size());
    uint32_t value_number = index.values_begin(number++);
    for (const auto& [value, slots] : values) {
      EXPECT_EQ(index.value(value_number), value);
      std::set<uint32_t> visited;
      index.ForEachSlot(value_number++, [&](uint32_t slot) { EXPECT_TRUE(visited.insert(slot).second); });
      EXPECT_EQ(visited, slots);
      SlotBits bits(SlotWords(slot_count));
      index.AddSlots(key, value, bits);
      EXPECT_EQ(SlotsOf(bits), slots);
      for (uint32_t slot = 0; slot < slot_count; ++slot) {
        EXPECT_EQ(index.Has(key, value, slot), slots.contains(slot));
      }
      with_key.insert(slots.begin(), slots.end());
    }
    SlotBits bits(SlotWords(slot_count));
    index.AddSlotsOfKey(key, bits);
    EXPECT_EQ(SlotsOf(bits), with_key);
  }
  SlotBits none(SlotWords(slot_count));
  index.AddSlots("no such key", "x", none);
  index.AddSlots("a", "no such value", none);
  index.AddSlotsOfKey("no such key", none);
  EXPECT_TRUE(SlotsOf(none).empty());
  EXPECT_FALSE(index.Has("no such key", "x", 0));
}

TagIndex IndexOf(const std::map<uint32_t, TagMap>& tags, uint32_t slot_count) {
  TagCollector collector;
  for (const auto& [slot, each] : tags) {
    collector.Add(slot, test::ToTags(each));
  }
  return collector.Build(slot_count);
}

TEST(TagIndex, OfNothingTakesNothing) {
  const TagIndex index = TagCollector().Build(1000);
  EXPECT_TRUE(index.empty());
  EXPECT_EQ(index.memory_bytes(), 0u);
  ExpectTags(index, {}, 1000);
}

// At a 32nd of all slots lists become bits: values and keys of every number around it.
TEST(TagIndex, HoldsListsAndBitsAlike) {
  for (const uint32_t slot_count : {1u, 31u, 32u, 64u, 100u, 320u}) {
    for (uint32_t having = 1; having <= std::min(slot_count, 14u); ++having) {
      SCOPED_TRACE(std::to_string(having) + " of " + std::to_string(slot_count));
      std::map<uint32_t, TagMap> tags;
      for (uint32_t i = 0; i < having; ++i) {
        const uint32_t slot = slot_count - 1 - i;
        tags[slot]["same"] = "x";
        tags[slot]["two"] = i % 2 == 0 ? "" : "y";
        tags[slot]["own"] = std::to_string(i);
      }
      ExpectTags(IndexOf(tags, slot_count), tags, slot_count);
    }
  }
}

TEST(TagIndex, OfRandomTags) {
  constexpr uint64_t kSeed = 5;
  test::Rng rng(kSeed);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
    const auto slot_count = static_cast<uint32_t>(1 + test::Below(rng, 300));
    std::map<uint32_t, TagMap> tags;
    for (uint32_t slot = 0; slot < slot_count; slot += 1 + static_cast<uint32_t>(test::Below(rng, 9))) {
      tags[slot] = test::RandomTags(rng);
    }
    ExpectTags(IndexOf(tags, slot_count), tags, slot_count);
  }
}

// Segments with tags, plain and inverted, and what they should hold.
class TaggedSegments {
 public:
  explicit TaggedSegments(uint64_t seed) : rng_(seed) {}

  // Graphs of 1 to 5 vertices, one of which is outsize now and then; the ids go on.
  SegmentView Plain(size_t graphs, bool tagged = true) {
    PlainSegmentBuilder builder;
    for (size_t i = 0; i < graphs; ++i) {
      const uint64_t id = next_id_++;
      const bool outsize = test::Below(rng_, 20) == 0;
      const Graph graph =
          outsize ? test::Isolated(std::string(300, 'C')) : test::RandomGraph(rng_, {.vertices_max = 5});
      std::string packed;
      const Histogram histogram = test::GrowHistogram(hierarchy_, graph, 1);
      AppendPacked(packed, histogram);
      builder.Add(GraphId{id}, "g" + std::to_string(id), histogram.vertex_count(), packed);
      if (tagged && test::Below(rng_, 3) != 0) {
        tags_[id] = test::RandomTags(rng_);
        builder.AddTags(test::ToTags(tags_[id]));
      }
    }
    return {std::move(builder).Build(), nullptr};
  }

  // Hides some.
  SegmentView Hidden(SegmentView view) {
    auto mask = std::make_shared<LiveMask>(view.segment->graphs().slot_count());
    view.segment->graphs().ForEach([&](GraphId, uint32_t slot) {
      if (test::Below(rng_, 4) == 0) {
        mask->Hide(slot);
      }
    });
    view.live = std::move(mask);
    return view;
  }

  // The tags of the live graphs are those they were given; filters show exactly those that match.
  void Check(const SegmentView& view) {
    std::map<uint32_t, TagMap> expected;
    view.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      if (const auto found = tags_.find(Raw(id)); found != tags_.end() && !found->second.empty()) {
        expected[slot] = found->second;
      }
    });
    ExpectTags(view.segment->tags(), expected, view.segment->graphs().slot_count());
    for (int i = 0; i < 20; ++i) {
      const test::RandomFilter filter = test::MakeRandomFilter(rng_, 2);
      const auto parsed = Filter::Parse(filter.text, Limits());
      if (parsed.ok()) {
        CheckMask(view, *parsed, filter);
      }
    }
  }

 private:
  void CheckMask(const SegmentView& view, const Filter& filter, const test::RandomFilter& meant) {
    const SegmentView shown{view.segment, MatchingMask(view, filter)};
    uint32_t count = 0;
    view.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      const auto found = tags_.find(Raw(id));
      const bool matches =
          view.is_live(slot) && meant.matches(found == tags_.end() ? TagMap() : found->second);
      EXPECT_EQ(shown.is_live(slot), matches) << meant.text;
      count += matches ? 1 : 0;
    });
    EXPECT_EQ(shown.live_count(), count);
    uint32_t next = 0;
    for (uint32_t slot = 0; slot < view.segment->graphs().slot_count(); ++slot) {
      EXPECT_EQ(shown.is_live(slot), shown.NextShown(slot) == slot) << "slot " << slot;
      next += shown.NextShown(slot) == slot ? 1 : 0;
    }
    EXPECT_EQ(next, count);
  }

  test::Rng rng_;
  ColourHierarchy hierarchy_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, TagMap> tags_;
};

TEST(SegmentTags, ComeAlongHoweverSegmentsAreMade) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TaggedSegments graphs(seed);
    const std::vector<SegmentView> plain{graphs.Plain(40), graphs.Hidden(graphs.Plain(130)),
                                         graphs.Plain(30, /*tagged=*/false), graphs.Hidden(graphs.Plain(1))};
    for (const SegmentView& view : plain) {
      graphs.Check(view);
    }
    graphs.Check({ConcatenatePlain(plain), nullptr});
    const SegmentView inverted{InvertPlain(plain, Ordering::kBySimilarity), nullptr};
    graphs.Check(inverted);
    const SegmentView hidden = graphs.Hidden(inverted);
    graphs.Check(hidden);
    const SegmentView more{InvertPlain(std::vector<SegmentView>{graphs.Plain(60)}, Ordering::kBySize),
                           nullptr};
    graphs.Check({MergeSegments(std::vector<SegmentView>{hidden, more}, Ordering::kBySimilarity), nullptr});
  }
}

TEST(SegmentTags, OfUntaggedGraphsTakeNothing) {
  TaggedSegments graphs(3);
  const SegmentView plain = graphs.Plain(50, /*tagged=*/false);
  EXPECT_EQ(plain.segment->tags().memory_bytes(), 0u);
  EXPECT_EQ(InvertPlain(std::vector<SegmentView>{plain}, Ordering::kBySize)->tags().memory_bytes(), 0u);
}

}  // namespace
}  // namespace kindred
