// SignatureWriter: the bytes of EncodeSignature; and buffers that serve many graphs serve each as new ones
// do.

#include "index/hierarchy/signature_writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/hierarchy/refinement.h"
#include "index/hierarchy/signature.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

// Colours and labels of all sizes a varint has.
uint32_t NumberOfAnySize(test::Rng& rng) {
  return static_cast<uint32_t>(test::Below(rng, uint64_t{1} << (1 + test::Below(rng, 31))));
}

// The definition: parent, then the sorted arms.
std::string Expected(const Graph& graph, const std::vector<LabelId>& labels,
                     const std::vector<ColourId>& above, uint32_t vertex) {
  Signature signature{2, {}, above[vertex], {}};
  for (const Graph::Neighbour& neighbour : graph.neighbours(vertex)) {
    signature.arms.push_back({labels[neighbour.edge_label], above[neighbour.vertex]});
  }
  std::ranges::sort(signature.arms);
  std::string out;
  EncodeSignature(signature, out);
  return out;
}

TEST(SignatureWriter, WritesWhatEncodeSignatureWritesForEveryDegree) {
  constexpr uint64_t kSeed = 44;
  test::Rng rng(kSeed);
  SignatureWriter writer;
  for (uint32_t degree = 0; degree <= 70; ++degree) {
    const Graph star = test::Star(std::string(degree + 1, 'C'), "-");
    std::vector<LabelId> labels;
    for (size_t i = 0; i < star.labels().size(); ++i) {
      labels.push_back(LabelId{NumberOfAnySize(rng)});
    }
    std::vector<ColourId> above;
    for (uint32_t v = 0; v < star.vertex_count(); ++v) {
      above.push_back(ColourId{NumberOfAnySize(rng)});
    }
    writer.Clear(star);
    std::vector<std::string_view> written;
    for (uint32_t v = 0; v < star.vertex_count(); ++v) {
      const auto signature = writer.Write(star, labels, above, 2, v);
      ASSERT_TRUE(signature.has_value());
      written.push_back(*signature);
    }
    for (uint32_t v = 0; v < star.vertex_count(); ++v) {  // All of them are still there.
      ASSERT_EQ(written[v], Expected(star, labels, above, v)) << "seed " << kSeed << " degree " << degree;
    }
  }
}

TEST(SignatureWriter, TheLargestNumbersHaveRoom) {
  const Graph path = test::Path("CCCC", "-");
  const std::vector<LabelId> labels(path.labels().size(), LabelId{UINT32_MAX - 2});
  const std::vector<ColourId> above(path.vertex_count(), ColourId{UINT32_MAX - 2});
  SignatureWriter writer;
  writer.Clear(path);
  for (uint32_t v = 0; v < path.vertex_count(); ++v) {
    EXPECT_EQ(writer.Write(path, labels, above, 2, v), Expected(path, labels, above, v));
  }
}

TEST(SignatureWriter, WritesLabelsAsLevelZero) {
  const Graph path = test::Path("CO");
  SignatureWriter writer;
  writer.Clear(path);
  std::string expected;
  EncodeSignature({0, LabelId{300}, {}, {}}, expected);
  EXPECT_EQ(writer.WriteLabel(LabelId{300}), expected);
}

TEST(SignatureWriter, WritesNothingThatNamesTheUnknown) {
  const Graph path = test::Path("CCC", "-");
  const std::vector<LabelId> labels(path.labels().size(), LabelId{1});
  const std::vector<LabelId> unknown(path.labels().size(), kUnknownLabel);
  const std::vector<ColourId> above{ColourId{1}, ColourId{2}, kUnknownColour};
  SignatureWriter writer;
  writer.Clear(path);
  EXPECT_TRUE(writer.Write(path, labels, above, 1, 0).has_value());
  EXPECT_FALSE(writer.Write(path, labels, above, 1, 1).has_value());  // Its neighbour is unknown,
  EXPECT_FALSE(writer.Write(path, labels, above, 1, 2).has_value());  // and here itself.
  EXPECT_FALSE(writer.Write(path, unknown, above, 1, 0).has_value());
}

TEST(Refiner, RefinesEachOfManyGraphsAsIfItWereTheFirst) {
  constexpr uint64_t kSeed = 45;
  constexpr Level kDepth = 3;
  test::Rng rng(kSeed);
  ColourHierarchy shared;
  ColourHierarchy alone;
  Refiner refiner;
  for (int i = 0; i < 200; ++i) {
    // Small after large, and labels that others do not have.
    const Graph graph = i % 7 == 0 ? test::Star(std::string(1 + test::Below(rng, 60), 'S'), "=")
                                   : test::RandomGraph(rng, {.vertex_labels = 1u + i % 5, .edge_labels = 3});
    VertexColours colours = refiner.RefineKnown(shared.view(), graph, kDepth);
    VertexColours expected = RefineKnown(alone.view(), graph, kDepth);
    const uint64_t missing = refiner.CountMissing(shared, graph, colours);
    const uint32_t before = shared.colour_count();
    for (const bool issued : {false, true}) {
      for (Level level = 0; level <= kDepth; ++level) {
        ASSERT_TRUE(std::ranges::equal(colours.at_level(level), expected.at_level(level)))
            << "graph " << i << " seed " << kSeed << (issued ? " issued" : " known");
      }
      refiner.IssueMissing(shared, graph, colours);
      IssueMissing(alone, graph, expected);
    }
    ASSERT_EQ(shared.colour_count(), before + missing);
  }
}

}  // namespace
}  // namespace kindred
