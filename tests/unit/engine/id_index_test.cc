// IdIndex: what was put is found, whatever grew or was replaced since; few others are looked at for nothing.

#include "index/engine/id_index.h"

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kindred {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using GraphNumbers = std::vector<uint64_t>;

GraphNumbers GraphsUnder(const IdIndex::View& view, std::string_view external_id) {
  GraphNumbers found;
  view.ForEach(external_id, [&](GraphId id) {
    found.push_back(Raw(id));
    return true;
  });
  return found;
}

constexpr auto kKeepsItsPlace = [](GraphId) { return false; };
constexpr auto kGivesUpItsPlace = [](GraphId) { return true; };

std::string ZincName(uint64_t i) { return "ZINC" + std::to_string(i); }

TEST(IdIndex, KnowsNothingAtFirst) {
  EXPECT_THAT(GraphsUnder(IdIndex::View(), "a"), IsEmpty());
  EXPECT_THAT(GraphsUnder(IdIndex().view(), ""), IsEmpty());
}

TEST(IdIndex, FindsWhatWasPutThroughManyGrowthsAndLittleElse) {
  constexpr uint64_t kIds = 300'000;
  IdIndex index;
  for (uint64_t i = 1; i <= kIds; ++i) {
    index.MakeRoom(1, i - 1, kGivesUpItsPlace);
    index.Put(ZincName(i), GraphId{i}, kKeepsItsPlace);
  }
  const IdIndex::View view = index.view();
  uint64_t others = 0;
  for (uint64_t i = 1; i <= kIds; ++i) {
    ASSERT_THAT(GraphsUnder(view, ZincName(i)), Contains(i));
    others += GraphsUnder(view, ZincName(kIds + i)).size();
  }
  EXPECT_LE(others, kIds / 100);
  EXPECT_LE(index.memory_bytes(), kIds * 30);
}

TEST(IdIndex, AViewKeepsWhatItHadWhenTheTableGrows) {
  IdIndex index;
  index.Put("a", GraphId{1}, kKeepsItsPlace);
  const IdIndex::View before = index.view();
  index.MakeRoom(10'000, 1, kGivesUpItsPlace);
  index.Put("a", GraphId{2}, kGivesUpItsPlace);
  EXPECT_THAT(GraphsUnder(before, "a"), ElementsAre(1));
  EXPECT_THAT(GraphsUnder(index.view(), "a"), ElementsAre(2));
}

TEST(IdIndex, WhatIsOutdatedGivesUpItsPlace) {
  IdIndex index;
  const IdIndex::View view = index.view();
  const size_t bytes = index.memory_bytes();
  for (uint64_t i = 1; i <= 100'000; ++i) {
    index.MakeRoom(1, 1, kGivesUpItsPlace);
    index.Put("a", GraphId{i}, kGivesUpItsPlace);
  }
  EXPECT_THAT(GraphsUnder(view, "a"), ElementsAre(100'000));
  EXPECT_EQ(index.memory_bytes(), bytes);
}

TEST(IdIndex, IdsOfTheSameHashAreAllFound) {
  IdIndex index(HashKey{{1, 2}, 0});
  for (uint64_t i = 1; i <= 100; ++i) {
    index.Put(ZincName(i), GraphId{i}, kKeepsItsPlace);
  }
  EXPECT_EQ(GraphsUnder(index.view(), ZincName(7)).size(), 100u);
  index.Put("b", GraphId{101}, [](GraphId id) { return id == GraphId{50}; });
  EXPECT_EQ(GraphsUnder(index.view(), "b").size(), 100u);
  EXPECT_THAT(GraphsUnder(index.view(), "b"), Contains(101));
}

// Readers go on with the view they have while the writer replaces, adds and grows.
TEST(IdIndex, IsReadWhileItIsWritten) {
  constexpr uint64_t kNumbers = 60'000;
  IdIndex index;
  std::mutex mutex;  // Guards what follows, as that of the published snapshot does.
  IdIndex::View published = index.view();
  uint64_t last = 0;
  std::atomic<uint64_t> missing{0};
  std::vector<std::jthread> readers;
  for (uint64_t reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&, reader] {
      for (uint64_t seen = 0, step = reader; seen < kNumbers; ++step) {
        IdIndex::View view;
        {
          const std::scoped_lock lock(mutex);
          view = published;
          seen = last;
        }
        const uint64_t number = seen == 0 ? 0 : step * 7'919 % seen + 1;
        // The one that was put, or the one that took its place since.
        const GraphNumbers found = number == 0 ? GraphNumbers{0} : GraphsUnder(view, ZincName(number));
        missing += found.empty() ? 1 : 0;
      }
    });
  }
  for (uint64_t i = 1; i <= kNumbers; ++i) {
    index.MakeRoom(2, i, kGivesUpItsPlace);
    index.Put(ZincName(i), GraphId{i}, kKeepsItsPlace);
    index.Put(ZincName(i / 2 + 1), GraphId{kNumbers + i}, kGivesUpItsPlace);
    const std::scoped_lock lock(mutex);
    published = index.view();
    last = i;
  }
  readers.clear();
  EXPECT_EQ(missing, 0u);
}

// An index through which ids come and go for years does not grow.
TEST(IdIndex, DropsWhatIsNotLiveWhenThereIsMuchOfIt) {
  constexpr uint64_t kLive = 1'000;
  IdIndex index;
  size_t largest = 0;
  for (uint64_t i = 1; i <= 200 * kLive; ++i) {
    const uint64_t live = std::min(i - 1, kLive);
    index.MakeRoom(1, live, [&](GraphId id) { return Raw(id) + kLive >= i; });
    index.Put(ZincName(i), GraphId{i}, kKeepsItsPlace);
    largest = std::max(largest, index.memory_bytes());
  }
  const IdIndex::View view = index.view();
  for (uint64_t i = 199 * kLive + 1; i <= 200 * kLive; ++i) {
    ASSERT_THAT(GraphsUnder(view, ZincName(i)), Contains(i));
  }
  EXPECT_LE(largest, kLive * 100);
}

}  // namespace
}  // namespace kindred
