// ColourLists: a list for each colour, of every graph that wears it.

#include "index/lists/colour_lists.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using PairList = std::vector<std::pair<uint32_t, uint32_t>>;
using EntryList = std::vector<Histogram::Entry>;

PairList PairsOf(std::span<const Posting> list) {
  PairList pairs;
  for (const Posting& posting : list) {
    pairs.emplace_back(posting.graph, posting.count);
  }
  return pairs;
}

ColourLists ListsOf(const std::vector<EntryList>& graphs) {
  ColourLists::Builder builder;
  for (const EntryList& entries : graphs) {
    builder.Add(entries);
  }
  return std::move(builder).Build();
}

TEST(ColourLists, WithoutGraphsTheyAreEmptyAndAnswer) {
  const ColourLists lists = ListsOf({});
  EXPECT_EQ(lists.graph_count(), 0u);
  EXPECT_EQ(lists.posting_count(), 0u);
  EXPECT_TRUE(lists.list(ColourId{0}).empty());
  EXPECT_TRUE(ColourLists().list(ColourId{0}).empty());
}

TEST(ColourLists, ListEveryGraphThatWearsAColour) {
  const ColourLists lists = ListsOf(
      {{{ColourId{0}, 2}, {ColourId{5}, 1}}, {{ColourId{5}, 7}}, {{ColourId{0}, 300}, {ColourId{9}, 1}}});
  EXPECT_EQ(PairsOf(lists.list(ColourId{0})), (PairList{{0, 2}, {2, 300}}));
  EXPECT_EQ(PairsOf(lists.list(ColourId{5})), (PairList{{0, 1}, {1, 7}}));
  EXPECT_EQ(PairsOf(lists.list(ColourId{9})), (PairList{{2, 1}}));
  EXPECT_EQ(lists.posting_count(), 5u);
  EXPECT_EQ(lists.graph_count(), 3u);
}

TEST(ColourLists, AColourNobodyWearsHasAnEmptyList) {
  const ColourLists lists = ListsOf({{{ColourId{4}, 2}, {ColourId{6}, 1}}});
  for (const uint32_t colour : {0u, 3u, 5u, 7u, Raw(kUnknownColour)}) {
    EXPECT_TRUE(lists.list(ColourId{colour}).empty()) << colour;
  }
}

TEST(ColourLists, AGraphWithoutColoursHasANumberAllTheSame) {
  const ColourLists lists = ListsOf({{}, {{ColourId{1}, 1}}, {}});
  EXPECT_EQ(lists.graph_count(), 3u);
  EXPECT_EQ(PairsOf(lists.list(ColourId{1})), (PairList{{1, 1}}));
}

TEST(ColourLists, HoldExactlyTheEntriesOfTheirHistograms) {
  SCOPED_TRACE("seed 19");
  test::StoredGraphs random(19, 3);
  random.AddTiny(200);
  ColourLists::Builder builder;
  std::map<ColourId, PairList> expected;
  uint64_t postings = 0;
  for (uint32_t graph = 0; graph < random.graphs().size(); ++graph) {
    const Histogram& histogram = random.graphs()[graph].histogram;
    builder.Add(histogram.entries());
    for (const Histogram::Entry& entry : histogram.entries()) {
      expected[entry.colour].emplace_back(graph, entry.count);
      ++postings;
    }
  }
  const ColourLists lists = std::move(builder).Build();
  std::vector<std::pair<ColourId, PairList>> visited;
  lists.ForEach(
      [&](ColourId colour, std::span<const Posting> list) { visited.emplace_back(colour, PairsOf(list)); });
  const std::vector<std::pair<ColourId, PairList>> ascending(expected.begin(), expected.end());
  EXPECT_EQ(visited, ascending);
  for (const auto& [colour, list] : expected) {
    ASSERT_EQ(PairsOf(lists.list(colour)), list) << "colour " << Raw(colour);
  }
  EXPECT_EQ(lists.posting_count(), postings);
  EXPECT_GE(lists.memory_bytes(), postings * sizeof(Posting));
}

}  // namespace
}  // namespace kindred
