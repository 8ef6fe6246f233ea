// CountMissing: how many colours a graph would add, without adding them.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/hierarchy/refinement.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

constexpr Level kMissingDepth = 3;

TEST(CountMissing, CountsEachNewColourOnce) {
  ColourHierarchy hierarchy;
  const Graph graph = test::Isolated("CCCCC");
  EXPECT_EQ(CountMissing(hierarchy, graph, VertexColours(5, kMissingDepth)), 4u);
  EXPECT_EQ(CountMissing(hierarchy, test::Path("CO"), VertexColours(2, kMissingDepth)), 8u);
}

TEST(CountMissing, ChangesNothing) {
  ColourHierarchy hierarchy;
  CountMissing(hierarchy, test::Path("CNO", "="), VertexColours(3, kMissingDepth));
  EXPECT_EQ(hierarchy.label_count(), 0u);
  EXPECT_EQ(hierarchy.colour_count(), 0u);
}

// However old the looked-up colours are, the count is what IssueMissing goes on to issue.
TEST(CountMissing, EqualsWhatIsIssuedNext) {
  constexpr uint64_t kSeed = 103;
  test::Rng rng(kSeed);
  ColourHierarchy hierarchy;
  for (int round = 0; round < 40; ++round) {
    const std::vector<Graph> group =
        test::RandomGraphs(rng, 6, {.vertex_labels = static_cast<uint32_t>(1 + round / 8), .edge_labels = 3});
    std::vector<VertexColours> known;
    for (const Graph& graph : group) {
      known.push_back(RefineKnown(hierarchy.view(), graph, kMissingDepth));
    }
    for (size_t i = 0; i < group.size(); ++i) {
      const uint64_t missing = CountMissing(hierarchy, group[i], known[i]);
      const uint32_t before = hierarchy.colour_count();
      IssueMissing(hierarchy, group[i], known[i]);
      ASSERT_EQ(hierarchy.colour_count() - before, missing) << "seed " << kSeed << " round " << round;
      ASSERT_EQ(CountMissing(hierarchy, group[i], VertexColours(group[i].vertex_count(), kMissingDepth)), 0u);
    }
  }
}

}  // namespace
}  // namespace kindred
