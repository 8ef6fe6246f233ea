// Refinement: the colours of the definition, known-only and growing, with ids that depend on the order
// of the graphs alone.

#include "index/hierarchy/refinement.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/reference_model.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::MakeGraph;
using test::Path;

constexpr Level kRefinementDepth = 3;

VertexColours Grow(ColourHierarchy& hierarchy, const Graph& graph, Level depth = kRefinementDepth) {
  VertexColours colours(graph.vertex_count(), depth);
  IssueMissing(hierarchy, graph, colours);
  return colours;
}

std::vector<uint32_t> At(const VertexColours& colours, Level level) {
  std::vector<uint32_t> raw;
  for (const ColourId colour : colours.at_level(level)) {
    raw.push_back(Raw(colour));
  }
  return raw;
}

bool Equal(const VertexColours& a, const VertexColours& b) {
  bool equal = a.depth() == b.depth();
  for (Level level = 0; equal && level <= a.depth(); ++level) {
    equal = std::ranges::equal(a.at_level(level), b.at_level(level));
  }
  return equal;
}

constexpr uint32_t kNoColour = Raw(kUnknownColour);

TEST(Refinement, IssuesColoursLevelByLevelAndVertexByVertex) {
  ColourHierarchy hierarchy;
  // C-C-O-C: at level 1 the end carbons differ, one next to C, one next to O.
  const VertexColours colours = Grow(hierarchy, Path("CCOC"));
  EXPECT_EQ(At(colours, 0), (std::vector<uint32_t>{0, 0, 1, 0}));
  EXPECT_EQ(At(colours, 1), (std::vector<uint32_t>{2, 3, 4, 5}));
  EXPECT_EQ(At(colours, 2), (std::vector<uint32_t>{6, 7, 8, 9}));
  const VertexColours again = Grow(hierarchy, Path("COCC"));  // The same path from its other end.
  EXPECT_EQ(At(again, 1), (std::vector<uint32_t>{5, 4, 3, 2}));
  EXPECT_EQ(At(again, 2), (std::vector<uint32_t>{9, 8, 7, 6}));
}

TEST(Refinement, CannotTellASixRingFromTwoTriangles) {
  ColourHierarchy hierarchy;
  const VertexColours ring = Grow(hierarchy, test::Cycle("CCCCCC"));
  const VertexColours triangles = Grow(
      hierarchy, MakeGraph({"C", "C", "C", "C", "C", "C"}, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
  EXPECT_TRUE(Equal(ring, triangles));
}

TEST(Refinement, EqualColoursIfAndOnlyIfTheNeighbourhoodsSpellTheSame) {
  constexpr uint64_t kSeed = 29;
  test::Rng rng(kSeed);
  ColourHierarchy hierarchy;
  std::map<std::pair<int, std::string>, ColourId> colour_of;
  std::map<ColourId, std::string> spelling_of;
  for (int round = 0; round < 300; ++round) {
    const Graph graph = test::RandomGraph(rng, {.vertices_max = 8, .disconnected = round % 3 == 0});
    const VertexColours colours = Grow(hierarchy, graph);
    const test::NaiveColours naive = test::NaiveColoursOf(graph, kRefinementDepth);
    for (Level level = 0; level <= kRefinementDepth; ++level) {
      for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
        const ColourId colour = colours.at_level(level)[v];
        const std::string& spelling = naive[level][v];
        ASSERT_EQ(colour_of.try_emplace({level, spelling}, colour).first->second, colour) << "seed " << kSeed;
        ASSERT_EQ(spelling_of.try_emplace(colour, spelling).first->second, spelling) << "seed " << kSeed;
        ASSERT_EQ(hierarchy.level(colour), level);
        if (level > 0) {
          ASSERT_EQ(hierarchy.parent(colour), colours.at_level(level - 1)[v]);
        }
      }
    }
  }
  EXPECT_EQ(hierarchy.colour_count(), spelling_of.size());
}

TEST(Refinement, AnUnlabelledEdgeEqualsOneWithTheEmptyLabel) {
  ColourHierarchy hierarchy;
  const VertexColours labelled = Grow(hierarchy, Path("CCO", ""));
  const Graph unlabelled = test::Must(Graph::Create(
      {{"C", "O"}, {0, 0, 1}, {{0, 1, GraphParts::kNoLabel}, {1, 2, GraphParts::kNoLabel}}}, Limits()));
  EXPECT_TRUE(Equal(RefineKnown(hierarchy.view(), unlabelled, kRefinementDepth), labelled));
}

TEST(RefinementKnownOnly, AddsNothing) {
  ColourHierarchy hierarchy;
  Grow(hierarchy, Path("CCO"));
  const uint32_t labels = hierarchy.label_count();
  const uint32_t colours = hierarchy.colour_count();
  RefineKnown(hierarchy.view(), Path("NOCBr", "new"), kRefinementDepth);
  EXPECT_EQ(hierarchy.label_count(), labels);
  EXPECT_EQ(hierarchy.colour_count(), colours);
  EXPECT_EQ(hierarchy.view().FindLabel("new"), std::nullopt);
}

TEST(RefinementKnownOnly, FindsEveryColourOfAGraphThatWasSeen) {
  ColourHierarchy hierarchy;
  const Graph graph = MakeGraph({"C", "C", "N", "O"}, {{0, 1, "="}, {1, 2}, {1, 3, "="}});
  const VertexColours issued = Grow(hierarchy, graph);
  EXPECT_TRUE(Equal(RefineKnown(hierarchy.view(), graph, kRefinementDepth), issued));
}

TEST(RefinementKnownOnly, AnUnseenLabelSpoilsOneMoreStepAtEachLevel) {
  ColourHierarchy hierarchy;
  Grow(hierarchy, Path("CCCCCC"));
  const VertexColours found = RefineKnown(hierarchy.view(), Path("XCCCCC"), kRefinementDepth);
  const auto known = [&](Level level) {
    std::vector<bool> flags;
    for (const uint32_t colour : At(found, level)) {
      flags.push_back(colour != kNoColour);
    }
    return flags;
  };
  EXPECT_EQ(known(0), (std::vector<bool>{false, true, true, true, true, true}));
  EXPECT_EQ(known(1), (std::vector<bool>{false, false, true, true, true, true}));
  EXPECT_EQ(known(2), (std::vector<bool>{false, false, false, true, true, true}));
  EXPECT_EQ(known(3), (std::vector<bool>{false, false, false, false, true, true}));
}

TEST(RefinementKnownOnly, AnUnseenEdgeLabelSpoilsBothItsEndsButNotTheirLabels) {
  ColourHierarchy hierarchy;
  Grow(hierarchy, Path("CCCC", "-"));
  const VertexColours found =
      RefineKnown(hierarchy.view(), MakeGraph({"C", "C", "C", "C"}, {{0, 1, "-"}, {1, 2, "-"}, {2, 3, "#"}}),
                  kRefinementDepth);
  EXPECT_EQ(At(found, 0), (std::vector<uint32_t>{0, 0, 0, 0}));
  EXPECT_NE(At(found, 1)[0], kNoColour);
  EXPECT_NE(At(found, 1)[1], kNoColour);
  EXPECT_EQ(At(found, 1)[2], kNoColour);
  EXPECT_EQ(At(found, 1)[3], kNoColour);
  EXPECT_NE(At(found, 2)[0], kNoColour);
  EXPECT_EQ(At(found, 2)[1], kNoColour);
}

TEST(RefinementKnownOnly, ALabelSeenOnEdgesAloneIsNoKnownVertexColour) {
  ColourHierarchy hierarchy;
  Grow(hierarchy, Path("CC", "X"));
  const VertexColours found = RefineKnown(hierarchy.view(), test::Isolated("XC"), 1);
  EXPECT_EQ(At(found, 0), (std::vector<uint32_t>{kNoColour, 0}));
}

TEST(RefinementKnownOnly, AnUnseenNeighbourhoodOfSeenLabelsIsUnknown) {
  ColourHierarchy hierarchy;
  Grow(hierarchy, Path("CC"));
  const VertexColours found = RefineKnown(hierarchy.view(), Path("CCC"), 1);
  EXPECT_EQ(At(found, 0), (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(At(found, 1)[1], kNoColour);
  EXPECT_EQ(At(found, 1)[0], At(found, 1)[2]);
  EXPECT_NE(At(found, 1)[0], kNoColour);
}

// However old the known-only result is that growing starts from, the ids come out the same.
class RefinementDeterminism : public ::testing::TestWithParam<size_t> {};

TEST_P(RefinementDeterminism, IdsDoNotDependOnWhenKnownColoursWereLookedUp) {
  const size_t lag = GetParam();
  constexpr uint64_t kSeed = 17;
  test::Rng rng(kSeed);
  const std::vector<Graph> graphs = test::RandomGraphs(rng, 120, {.vertex_labels = 3, .edge_labels = 3});
  ColourHierarchy from_scratch;
  ColourHierarchy looked_up;
  std::vector<VertexColours> known;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (i % lag == 0) {  // Look the next `lag` graphs up at once, as the writer does for a group.
      for (size_t next = i; next < std::min(i + lag, graphs.size()); ++next) {
        known.push_back(RefineKnown(looked_up.view(), graphs[next], kRefinementDepth));
      }
    }
    IssueMissing(looked_up, graphs[i], known[i]);
    ASSERT_TRUE(Equal(known[i], Grow(from_scratch, graphs[i]))) << "graph " << i << " seed " << kSeed;
  }
  ASSERT_EQ(looked_up.label_count(), from_scratch.label_count());
  ASSERT_EQ(looked_up.colour_count(), from_scratch.colour_count());
  for (uint32_t id = 0; id < from_scratch.label_count(); ++id) {
    ASSERT_EQ(looked_up.label(LabelId{id}), from_scratch.label(LabelId{id}));
  }
  for (uint32_t id = 0; id < from_scratch.colour_count(); ++id) {
    ASSERT_EQ(looked_up.signature(ColourId{id}), from_scratch.signature(ColourId{id}));
  }
}

INSTANTIATE_TEST_SUITE_P(Lags, RefinementDeterminism, ::testing::Values(1, 2, 7, 120));

}  // namespace
}  // namespace kindred
