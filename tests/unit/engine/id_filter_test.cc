// IdFilter: no id that was added is ever denied, and few others are taken for one.

#include "index/engine/id_filter.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace kindred {
namespace {

TEST(IdFilter, KnowsNothingAtFirst) {
  const IdFilter filter;
  EXPECT_FALSE(filter.MayHave(""));
  EXPECT_FALSE(filter.MayHave("a"));
  EXPECT_EQ(filter.memory_bytes(), 0u);
}

// Through several pieces, the edge of each included.
TEST(IdFilter, NeverDeniesWhatWasAdded) {
  constexpr int kIds = (1 << 16) * 7 + 1;
  IdFilter filter;
  for (int i = 0; i < kIds; ++i) {
    const std::string id = "ZINC" + std::to_string(i);
    filter.Add(id);
    ASSERT_TRUE(filter.MayHave(id)) << id;
  }
  for (int i = 0; i < kIds; ++i) {
    ASSERT_TRUE(filter.MayHave("ZINC" + std::to_string(i))) << i;
  }
  EXPECT_LE(filter.memory_bytes(), size_t{kIds} * 5);
}

TEST(IdFilter, TakesFewOtherIdsForOneOfThem) {
  constexpr int kIds = 200'000;
  IdFilter filter;
  for (int i = 0; i < kIds; ++i) {
    filter.Add("ZINC" + std::to_string(i));
  }
  int taken = 0;
  for (int i = 0; i < kIds; ++i) {
    taken += filter.MayHave("ZINC" + std::to_string(kIds + i)) ? 1 : 0;
  }
  EXPECT_LT(taken, kIds / 100);
}

TEST(IdFilter, DoesNotGrowWithWhatItHas) {
  IdFilter filter;
  for (int i = 0; i < 300'000; ++i) {
    filter.Add("ZINC" + std::to_string(i % 1'000));
  }
  IdFilter once;
  once.Add("ZINC0");
  EXPECT_EQ(filter.memory_bytes(), once.memory_bytes());
}

TEST(IdFilter, AddsManyAsItAddsEach) {
  std::vector<std::string> ids;
  for (int i = 0; i < 100'000; ++i) {
    ids.push_back("ZINC" + std::to_string(i));
  }
  IdFilter one_by_one;
  IdFilter together;
  for (const std::string& id : ids) {
    one_by_one.Add(id);
  }
  together.AddAll(std::vector<std::string_view>(ids.begin(), ids.end()));
  EXPECT_EQ(together.memory_bytes(), one_by_one.memory_bytes());
  for (const std::string& id : ids) {
    ASSERT_TRUE(together.MayHave(id)) << id;
  }
}

TEST(IdFilter, TakesAnyBytes) {
  IdFilter filter;
  for (const std::string& id : {std::string(), std::string(3, '\0'), std::string(512, '\xff')}) {
    filter.Add(id);
    EXPECT_TRUE(filter.MayHave(id));
  }
}

}  // namespace
}  // namespace kindred
