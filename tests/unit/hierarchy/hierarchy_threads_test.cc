// Many readers of a hierarchy that one writer grows. ThreadSanitizer judges the synchronisation; the
// assertions judge that what a reader finds is right.

#include <atomic>
#include <barrier>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/intern_table.h"
#include "index/hierarchy/refinement.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

constexpr int kReaders = 4;

std::string StringOf(uint32_t n) { return "string " + std::to_string(n); }

// Interns so many strings while readers call read(rng, seen, view): what was there when the size `seen` was
// read must be found, what comes just now may be.
template <typename Read>
void ReadWhileGrowing(InternTable& table, uint32_t count, Read read) {
  std::barrier start(kReaders + 1);
  std::vector<std::jthread> readers;
  for (int reader = 0; reader < kReaders; ++reader) {
    readers.emplace_back([&, reader] {
      test::Rng rng(static_cast<uint64_t>(reader));
      start.arrive_and_wait();
      for (uint32_t seen = 0; seen < count;) {
        seen = table.size();
        read(rng, seen, table.view());
      }
    });
  }
  start.arrive_and_wait();
  for (uint32_t n = 0; n < count; ++n) {
    table.Intern(StringOf(n));
  }
}

TEST(InternTableThreads, ReadersFindWhatIsPublishedWhileTheTableGrows) {
  InternTable table(HashKey::Random());
  std::atomic<uint64_t> wrong{0};
  std::atomic<uint64_t> found{0};
  ReadWhileGrowing(table, 60'000, [&](test::Rng& rng, uint32_t seen, const InternTable::View& view) {
    for (int i = 0; i < 50 && seen > 0; ++i) {
      const auto n = static_cast<uint32_t>(test::Below(rng, seen));
      wrong += view.Find(StringOf(n)) != n || table.Get(n) != StringOf(n) ? 1 : 0;
      const auto beyond = view.Find(StringOf(seen + 10));
      wrong += beyond && *beyond != seen + 10 ? 1 : 0;
      ++found;
    }
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_GE(found, 50u * kReaders);
}

// Each mask lets this many bits of a hash through: the second makes nearly all strings collide.
class FindAllThreads : public ::testing::TestWithParam<uint32_t> {};

TEST_P(FindAllThreads, ReadersFindWhatIsPublishedWhileTheTableGrows) {
  constexpr size_t kBatch = 50;
  const uint32_t count = GetParam() == UINT32_MAX ? 60'000 : 3'000;
  InternTable table({{1, 2}, GetParam()});
  std::atomic<uint64_t> wrong{0};
  ReadWhileGrowing(table, count, [&](test::Rng& rng, uint32_t seen, const InternTable::View& view) {
    std::vector<uint32_t> picks;
    std::vector<std::string> strings;
    for (size_t i = 0; i < kBatch; ++i) {  // Some are there, some come just now.
      picks.push_back(static_cast<uint32_t>(i % 2 == 0 ? test::Below(rng, seen + 1) : seen + i));
      strings.push_back(StringOf(picks.back()));
    }
    const std::vector<std::string_view> views(strings.begin(), strings.end());
    std::vector<std::optional<uint32_t>> found(kBatch);
    view.FindAll(views, found);
    for (size_t i = 0; i < kBatch; ++i) {
      const bool right = found[i] == picks[i] || (picks[i] >= seen && !found[i]);
      wrong += right ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0u);
}

INSTANTIATE_TEST_SUITE_P(Masks, FindAllThreads, ::testing::Values(UINT32_MAX, 3u));

TEST(HierarchyThreads, KnownOnlyRefinementBesideAGrowingWriterFindsRightColoursOrNone) {
  constexpr uint64_t kSeed = 5;
  constexpr Level kDepth = 3;
  test::Rng rng(kSeed);
  const std::vector<Graph> graphs = test::RandomGraphs(
      rng, 600, {.vertices_min = 5, .vertices_max = 20, .edge_probability = 0.15, .vertex_labels = 4});

  // The colours each graph must have, from a hierarchy that grew in the same order.
  ColourHierarchy expected_hierarchy;
  std::vector<VertexColours> expected;
  for (const Graph& graph : graphs) {
    VertexColours colours(graph.vertex_count(), kDepth);
    IssueMissing(expected_hierarchy, graph, colours);
    expected.push_back(std::move(colours));
  }

  ColourHierarchy hierarchy;
  std::atomic<size_t> grown{0};  // The graphs before this one are known.
  std::atomic<uint64_t> wrong{0};
  std::barrier start(kReaders + 1);
  {
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < kReaders; ++reader) {
      readers.emplace_back([&, reader] {
        test::Rng reader_rng(static_cast<uint64_t>(reader));
        start.arrive_and_wait();
        while (grown < graphs.size()) {
          const size_t known_graphs = grown;
          const size_t pick = test::Below(reader_rng, graphs.size());
          const VertexColours found = RefineKnown(hierarchy.view(), graphs[pick], kDepth);
          for (Level level = 0; level <= kDepth; ++level) {
            for (uint32_t v = 0; v < graphs[pick].vertex_count(); ++v) {
              const ColourId colour = found.at_level(level)[v];
              const bool may_be_unknown = pick >= known_graphs;
              const bool right =
                  colour == expected[pick].at_level(level)[v] || (may_be_unknown && colour == kUnknownColour);
              wrong += right ? 0 : 1;
              wrong += colour != kUnknownColour && hierarchy.level(colour) != level ? 1 : 0;
            }
          }
        }
      });
    }
    start.arrive_and_wait();
    for (size_t i = 0; i < graphs.size(); ++i) {
      VertexColours colours = RefineKnown(hierarchy.view(), graphs[i], kDepth);
      IssueMissing(hierarchy, graphs[i], colours);
      grown = i + 1;
    }
  }
  EXPECT_EQ(wrong, 0u) << "seed " << kSeed;
  EXPECT_EQ(hierarchy.colour_count(), expected_hierarchy.colour_count());
}

}  // namespace
}  // namespace kindred
