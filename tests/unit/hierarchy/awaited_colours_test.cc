// What a refinement stopped at, and who waits for it.

#include "index/hierarchy/awaited_colours.h"

#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/hierarchy/refinement.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr Level kAwaitedDepth = 3;

void Store(ColourHierarchy& hierarchy, const Graph& graph) {
  VertexColours colours(graph.vertex_count(), kAwaitedDepth);
  IssueMissing(hierarchy, graph, colours);
}

MissingColours MissingOf(const ColourHierarchy& hierarchy, const Graph& graph) {
  Refiner refiner;
  const ColourHierarchy::View known = hierarchy.view();
  return refiner.ListMissing(known, graph, refiner.RefineKnown(known, graph, kAwaitedDepth));
}

// The levels of the vertices that wait for a signature, vertex by vertex.
std::vector<std::pair<uint32_t, int>> Waiting(const MissingColours& missing) {
  std::vector<std::pair<uint32_t, int>> waiting;
  for (const MissingColours::AtVertex& at : missing.vertices) {
    waiting.emplace_back(at.vertex, at.level);
  }
  return waiting;
}

std::vector<uint32_t> LookAtAll(AwaitedColours& awaited, uint32_t most = UINT32_MAX) {
  std::vector<uint32_t> waiters;
  awaited.NoteIssued();
  while (!awaited.LookAtNoted(most, waiters)) {
  }
  return waiters;
}

TEST(ListMissing, OfAnEmptyIndexIsTheLabels) {
  const MissingColours missing = MissingOf(ColourHierarchy(), Path("CO", "="));
  EXPECT_THAT(missing.labels, UnorderedElementsAre("C", "O", "="));
  EXPECT_THAT(missing.vertices, IsEmpty());
}

TEST(ListMissing, OfAGraphThatIsStoredIsNothing) {
  ColourHierarchy hierarchy;
  Store(hierarchy, Path("CCO"));
  const MissingColours missing = MissingOf(hierarchy, Path("OCC"));
  EXPECT_THAT(missing.labels, IsEmpty());
  EXPECT_THAT(missing.vertices, IsEmpty());
}

TEST(ListMissing, IsTheFirstLevelAtWhichAVertexIsNewIfItCanBeWritten) {
  ColourHierarchy hierarchy;
  Store(hierarchy, Path("CCO"));
  // Of C-C-C-O both ends have neighbourhoods of radius 1 that were seen. The second C has two C, which is new
  // at level 1; the first and the third become new at level 2, but cannot be written before that.
  const MissingColours missing = MissingOf(hierarchy, Path("CCCO"));
  EXPECT_THAT(missing.labels, IsEmpty());
  EXPECT_THAT(Waiting(missing), ElementsAre(std::pair(1u, 1)));
}

TEST(ListMissing, ALabelThatOnlyEdgesHadWaitsForItsColour) {
  ColourHierarchy hierarchy;
  Store(hierarchy, Path("CC", "O"));
  const MissingColours missing = MissingOf(hierarchy, Isolated("O"));
  EXPECT_THAT(missing.labels, IsEmpty());
  EXPECT_THAT(Waiting(missing), ElementsAre(std::pair(0u, 0)));
}

TEST(AwaitedColours, TellsThoseWhoWaitOnceSomethingIsIssued) {
  ColourHierarchy hierarchy;
  AwaitedColours awaited(hierarchy);
  awaited.AwaitLabel("C", 1);
  awaited.AwaitLabel("C", 2);
  awaited.AwaitLabel("N", 3);
  EXPECT_THAT(LookAtAll(awaited), IsEmpty());
  Store(hierarchy, Path("CO"));
  EXPECT_THAT(LookAtAll(awaited), UnorderedElementsAre(1, 2));
  EXPECT_THAT(LookAtAll(awaited), IsEmpty());
}

TEST(AwaitedColours, TellsOfWhatWasIssuedBeforeItWasAwaitedButAfterTheLastLook) {
  ColourHierarchy hierarchy;
  Store(hierarchy, Path("CC"));
  AwaitedColours awaited(hierarchy);
  const MissingColours missing = MissingOf(hierarchy, Path("CCC"));
  ASSERT_FALSE(missing.vertices.empty());
  Store(hierarchy, Path("CCC"));  // In between.
  awaited.AwaitSignature(missing.vertices.front().signature, 7);
  EXPECT_THAT(LookAtAll(awaited), ElementsAre(7));
}

TEST(AwaitedColours, LooksAtWhatWasNotedAndNoFurther) {
  ColourHierarchy hierarchy;
  AwaitedColours awaited(hierarchy);
  awaited.AwaitLabel("C", 1);
  awaited.AwaitLabel("N", 2);
  Store(hierarchy, Isolated("C"));
  awaited.NoteIssued();
  Store(hierarchy, Isolated("N"));
  std::vector<uint32_t> waiters;
  EXPECT_TRUE(awaited.LookAtNoted(UINT32_MAX, waiters));
  EXPECT_THAT(waiters, ElementsAre(1));
  EXPECT_THAT(LookAtAll(awaited, 1), ElementsAre(2));  // A step at a time.
}

// However a graph comes together, refining again whenever someone is told finds everything.
TEST(AwaitedColours, WhoeverRefinesWhenToldKnowsAll) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    ColourHierarchy hierarchy;
    AwaitedColours awaited(hierarchy);
    const std::vector<Graph> queries = RandomGraphs(rng, 5, {.vertex_labels = 3});
    std::vector<VertexColours> colours;
    Refiner refiner;
    const auto refine = [&](uint32_t q) {
      const ColourHierarchy::View known = hierarchy.view();
      colours[q] = refiner.RefineKnown(known, queries[q], kAwaitedDepth);
      const MissingColours missing = refiner.ListMissing(known, queries[q], colours[q]);
      for (const std::string& label : missing.labels) {
        awaited.AwaitLabel(label, q);
      }
      for (const MissingColours::AtVertex& at : missing.vertices) {
        awaited.AwaitSignature(at.signature, q);
      }
    };
    for (uint32_t q = 0; q < queries.size(); ++q) {
      colours.emplace_back(queries[q].vertex_count(), kAwaitedDepth);
      refine(q);
    }
    for (int stored = 0; stored < 30; ++stored) {
      Store(hierarchy, Below(rng, 3) == 0 ? queries[Below(rng, queries.size())]
                                          : RandomGraph(rng, {.vertex_labels = 3}));
      for (const uint32_t q : LookAtAll(awaited)) {
        refine(q);
      }
      for (uint32_t q = 0; q < queries.size(); ++q) {
        const VertexColours now = RefineKnown(hierarchy.view(), queries[q], kAwaitedDepth);
        for (Level level = 0; level <= kAwaitedDepth; ++level) {
          ASSERT_TRUE(std::ranges::equal(std::as_const(colours[q]).at_level(level), now.at_level(level)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace kindred::test
