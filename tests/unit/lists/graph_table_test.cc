// GraphTable: by slot the vertex count and external id of a graph, by id its slot.

#include "index/lists/graph_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "index/base/limits.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

std::vector<std::pair<GraphId, uint32_t>> PlacesOf(const GraphTable& table) {
  std::vector<std::pair<GraphId, uint32_t>> places;
  table.ForEach([&](GraphId id, uint32_t slot) { places.emplace_back(id, slot); });
  return places;
}

TEST(GraphTable, WithoutSlotsItFindsNothing) {
  GraphTable table;
  EXPECT_EQ(table.slot_count(), 0u);
  EXPECT_EQ(table.graph_count(), 0u);
  EXPECT_EQ(table.Find(GraphId{0}), std::nullopt);
  EXPECT_EQ(table.Find(GraphId{UINT64_MAX}), std::nullopt);
  EXPECT_TRUE(PlacesOf(table).empty());
}

TEST(GraphTable, OfEmptySlotsAloneFindsNothing) {
  GraphTable table;
  for (int i = 0; i < 20; ++i) {
    table.AddEmpty();
  }
  EXPECT_EQ(table.slot_count(), 20u);
  EXPECT_EQ(table.graph_count(), 0u);
  EXPECT_EQ(table.Find(GraphId{0}), std::nullopt);
  EXPECT_EQ(table.Find(GraphId{UINT64_MAX}), std::nullopt);
  EXPECT_EQ(table.vertex_count(19), 0u);
  EXPECT_EQ(table.external_id(19), "");
}

// Every length beside every other, over several groups of 16, with empty slots between.
TEST(GraphTable, KeepsExternalIdsOfEveryLength) {
  const std::vector<size_t> lengths{0, 1, 127, 128, 255, 256, 511, kExternalIdBytesMax};
  GraphTable table;
  std::vector<std::string> expected;
  for (const size_t first : lengths) {
    for (const size_t second : lengths) {
      for (const size_t length : {first, second}) {
        expected.emplace_back(length, static_cast<char>('a' + expected.size() % 26));
        table.Add(1, expected.back());
      }
      expected.emplace_back();
      table.AddEmpty();
    }
  }
  ASSERT_EQ(table.slot_count(), expected.size());
  for (uint32_t slot = 0; slot < table.slot_count(); ++slot) {
    EXPECT_EQ(table.external_id(slot), expected[slot]) << slot;
  }
}

TEST(GraphTable, TakesNoMoreThanWasReserved) {
  const std::vector<std::string> ids{"", "a", std::string(127, 'b'), std::string(128, 'c')};
  size_t id_bytes = 1;
  for (const std::string& id : ids) {
    id_bytes += GraphTable::IdBytes(id);
  }
  GraphTable table;
  table.Reserve(ids.size() + 1, id_bytes);
  table.ReserveIds(ids.size());
  const size_t reserved = table.memory_bytes();
  for (const std::string& id : ids) {
    table.Add(1, id);
  }
  table.AddEmpty();
  for (uint32_t slot = 0; slot < ids.size(); ++slot) {
    table.AddId(GraphId{slot}, slot);
  }
  EXPECT_EQ(table.memory_bytes(), reserved);
}

TEST(GraphTable, KeepsExternalIdsOfAnyBytes) {
  GraphTable table;
  const std::string bytes("\0\x80\xff\x7f\n", 5);
  table.Add(1, bytes);
  table.Add(1, "after");
  EXPECT_EQ(table.external_id(0), bytes);
  EXPECT_EQ(table.external_id(1), "after");
}

TEST(GraphTable, KeepsVertexCountsOfEverySize) {
  const std::vector<uint32_t> counts{1, 65534, 65535, 65536, 1 << 20, 2, 65535, 0, 70000, 65534, 1 << 20};
  GraphTable table;
  for (const uint32_t count : counts) {
    if (count == 0) {
      table.AddEmpty();
    } else {
      table.Add(count, "x");
    }
  }
  for (uint32_t slot = 0; slot < counts.size(); ++slot) {
    EXPECT_EQ(table.vertex_count(slot), counts[slot]) << slot;
  }
}

// Ids in random order, with gaps, and empty slots between them.
TEST(GraphTable, FindsEveryIdAndNothingInTheGaps) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Rng rng(seed);
    constexpr uint64_t kBase = uint64_t{1} << 40;
    std::map<GraphId, uint32_t> expected;
    GraphTable table;
    for (const uint32_t i : test::RandomPermutation(rng, static_cast<uint32_t>(1 + test::Below(rng, 300)))) {
      if (test::Below(rng, 4) == 0) {
        table.AddEmpty();
      }
      const GraphId id{kBase + 3 * i + seed % 3};
      expected.emplace(id, table.slot_count());
      table.Add(1 + i, std::to_string(i));
    }
    for (const auto& [id, slot] : expected) {
      table.AddId(id, slot);
    }
    EXPECT_EQ(table.graph_count(), expected.size());
    EXPECT_EQ(table.first_id(), expected.begin()->first);
    EXPECT_EQ(table.last_id(), expected.rbegin()->first);
    for (uint64_t raw = kBase - 5; raw < kBase + 1000; ++raw) {
      const auto found = expected.find(GraphId{raw});
      ASSERT_EQ(table.Find(GraphId{raw}),
                found == expected.end() ? std::nullopt : std::optional(found->second))
          << raw;
    }
    const std::vector<std::pair<GraphId, uint32_t>> ascending(expected.begin(), expected.end());
    EXPECT_EQ(PlacesOf(table), ascending);
  }
}

TEST(GraphTable, TakesIdsAsFarApartAs32BitsTell) {
  constexpr uint64_t kBase = 77;
  GraphTable table;
  table.Add(1, "last");
  table.Add(1, "first");
  table.AddId(GraphId{kBase}, 1);
  table.AddId(GraphId{kBase + UINT32_MAX}, 0);
  EXPECT_EQ(table.Find(GraphId{kBase}), 1u);
  EXPECT_EQ(table.Find(GraphId{kBase + UINT32_MAX}), 0u);
  EXPECT_EQ(table.Find(GraphId{kBase + 1}), std::nullopt);
  EXPECT_EQ(table.Find(GraphId{kBase + UINT32_MAX + 1}), std::nullopt);
  EXPECT_EQ(table.Find(GraphId{kBase - 1}), std::nullopt);
  EXPECT_EQ(table.Find(GraphId{kBase + (uint64_t{1} << 32)}), std::nullopt);
  EXPECT_EQ(table.Find(GraphId{UINT64_MAX}), std::nullopt);
}

}  // namespace
}  // namespace kindred
