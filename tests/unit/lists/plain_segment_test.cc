// Plain segments: what was added comes out again, put together or inverted, and what is hidden does not.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/histogram/packed.h"
#include "index/lists/segment.h"
#include "index/lists/segment_reader.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

constexpr Level kDepth = 2;

class PlainSegment : public ::testing::Test {
 protected:
  // Paths of 1 to `count` vertices.
  SegmentView Make(uint64_t first_id, uint32_t count) {
    PlainSegmentBuilder builder;
    for (uint32_t i = 0; i < count; ++i) {
      const Histogram histogram =
          test::GrowHistogram(hierarchy_, test::Path(std::string(i + 1, 'C')), kDepth);
      std::string packed;
      AppendPacked(packed, histogram);
      builder.Add(GraphId{first_id + i}, "g" + std::to_string(first_id + i), histogram.vertex_count(),
                  packed);
    }
    return {std::move(builder).Build(), nullptr};
  }

  // Ids and entries of all live graphs.
  static std::vector<std::string> Contents(const SegmentView& view) {
    std::vector<std::string> contents;
    ReadLiveGraphs(view, 0, UINT32_MAX, [&](const SegmentGraph& graph) {
      std::string text = std::to_string(Raw(graph.id)) + " " + std::string(graph.external_id) + " " +
                         std::to_string(graph.vertex_count);
      for (const Histogram::Entry& entry : graph.entries) {
        text += " " + std::to_string(Raw(entry.colour)) + "x" + std::to_string(entry.count);
      }
      contents.push_back(text);
    });
    return contents;
  }

  ColourHierarchy hierarchy_;
};

TEST_F(PlainSegment, CountsWhatItHas) {
  const SegmentView view = Make(5, 3);
  EXPECT_TRUE(view.segment->is_plain());
  EXPECT_EQ(view.segment->size(), 3u);
  EXPECT_EQ(view.segment->graphs().Find(GraphId{6}), 1u);
  EXPECT_EQ(view.segment->graphs().external_id(1), "g6");
  EXPECT_EQ(view.segment->posting_count(), (1 + 2 + 3) * (kDepth + 1u)) << "one a vertex and level";
}

TEST_F(PlainSegment, PutTogetherAndInvertedHoldTheSameLiveGraphs) {
  std::vector<SegmentView> parts{Make(1, 40), Make(41, 1), Make(50, 60)};
  test::HideGraph(parts[0], GraphId{7});
  test::HideGraph(parts[2], GraphId{50});
  std::vector<std::string> expected;
  for (const SegmentView& part : parts) {
    for (const std::string& graph : Contents(part)) {
      expected.push_back(graph);
    }
  }
  ASSERT_EQ(expected.size(), 99u);
  const SegmentView together{ConcatenatePlain(parts), nullptr};
  EXPECT_TRUE(together.segment->is_plain());
  EXPECT_EQ(Contents(together), expected);
  for (const Ordering ordering : {Ordering::kBySize, Ordering::kBySimilarity}) {
    const SegmentView inverted{InvertPlain(parts, ordering), nullptr};
    EXPECT_FALSE(inverted.segment->is_plain());
    EXPECT_EQ(Contents(inverted), expected);
  }
}

TEST_F(PlainSegment, OfNothingIsEmpty) {
  SegmentView part = Make(1, 1);
  test::HideGraph(part, GraphId{1});
  EXPECT_EQ(ConcatenatePlain(std::vector{part})->size(), 0u);
  EXPECT_EQ(InvertPlain(std::vector{part}, Ordering::kBySimilarity)->size(), 0u);
}

TEST_F(PlainSegment, InvertingStopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(InvertPlain(std::vector{Make(1, 100)}, Ordering::kBySimilarity, stop.get_token()), nullptr);
}

}  // namespace
}  // namespace kindred
