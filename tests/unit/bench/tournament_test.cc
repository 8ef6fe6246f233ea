// Rounds: every pair of folds meets once, and no fold is twice in a round.

#include "bench/tournament.h"

#include <set>

#include "gtest/gtest.h"

namespace kindred::bench {
namespace {

TEST(Rounds, LeaveOutEveryPairOnceAndNoFoldTwiceInARound) {
  for (size_t folds = 2; folds <= 13; ++folds) {
    SCOPED_TRACE(folds);
    std::set<FoldPair> met;
    size_t pairs = 0;
    const auto rounds = Rounds(folds);
    EXPECT_EQ(rounds.size(), folds % 2 == 0 ? folds - 1 : folds);
    for (const auto& round : rounds) {
      std::set<size_t> busy;
      for (const auto& [one, other] : round) {
        EXPECT_LT(one, other);
        EXPECT_LT(other, folds);
        EXPECT_TRUE(busy.insert(one).second);
        EXPECT_TRUE(busy.insert(other).second);
        met.emplace(one, other);
        ++pairs;
      }
      EXPECT_EQ(busy.size(), folds - folds % 2);
    }
    EXPECT_EQ(met.size(), folds * (folds - 1) / 2);
    EXPECT_EQ(pairs, met.size());
  }
}

}  // namespace
}  // namespace kindred::bench
