// Makes one bound too tight by one and compares until an answer is wrong; without a mutant, none may be.

#include <array>
#include <ostream>
#include <string>

#include "gtest/gtest.h"
#include "index/base/mutant.h"
#include "tests/mutation/joins.h"
#include "tests/mutation/searches.h"
#include "tests/mutation/standing.h"

namespace kindred {

Mutant present_mutant = Mutant::kNone;

namespace test {
namespace {

struct NamedMutant {
  const char* name;
  Mutant mutant;

  friend void PrintTo(const NamedMutant& named, std::ostream* out) { *out << named.name; }
};

constexpr auto kMutants = std::to_array<NamedMutant>({
    {"Unary", Mutant::kUnary},
    {"BlockBound", Mutant::kBlockBound},
    {"GroupBound", Mutant::kGroupBound},
    {"ShelfBound", Mutant::kShelfBound},
    {"UbiquitousBound", Mutant::kUbiquitousBound},
    {"LevelBound", Mutant::kLevelBound},
    {"LevelStep", Mutant::kLevelStep},
    {"Units", Mutant::kUnits},
    {"SizeBound", Mutant::kSizeBound},
    {"NeedBound", Mutant::kNeedBound},
    {"RowBound", Mutant::kRowBound},
    {"RestBound", Mutant::kRestBound},
    {"RestAfterLevel", Mutant::kRestAfterLevel},
    {"PlainBound", Mutant::kPlainBound},
    {"SharedLeast", Mutant::kSharedLeast},
    {"ReachBound", Mutant::kReachBound},
    {"ScoreGroup", Mutant::kScoreGroup},
    {"ScoreBlock", Mutant::kScoreBlock},
    {"ScoreRest", Mutant::kScoreRest},
    {"ScoreNeed", Mutant::kScoreNeed},
    {"NetWeight", Mutant::kNetWeight},
    {"NetChord", Mutant::kNetChord},
    {"NetTangent", Mutant::kNetTangent},
    {"NetUneven", Mutant::kNetUneven},
    {"ScorePlain", Mutant::kScorePlain},
    {"WindowBound", Mutant::kWindowBound},
    {"ShareBound", Mutant::kShareBound},
    {"VerticesMost", Mutant::kVerticesMost},
    {"KernelLeast", Mutant::kKernelLeast},
    {"FirstSharedLeft", Mutant::kFirstSharedLeft},
    {"PrefixBound", Mutant::kPrefixBound},
    {"PartnerBound", Mutant::kPartnerBound},
    {"SketchBound", Mutant::kSketchBound},
    {"FirstShared", Mutant::kFirstShared},
});
static_assert(kMutants.size() == static_cast<size_t>(Mutant::kFirstShared), "a mutant is not tested");

// What only recommendations, standing queries or pairs use, only they can show.
bool AnswersDiffer(Mutant mutant) {
  if (mutant < Mutant::kReachBound) {
    return SearchesDiffer();
  }
  if (mutant < Mutant::kWindowBound) {
    return RecommendationsDiffer();
  }
  return mutant < Mutant::kPrefixBound ? StandingQueriesDiffer() : JoinsDiffer();
}

class Mutants : public testing::TestWithParam<NamedMutant> {
 protected:
  ~Mutants() override { present_mutant = Mutant::kNone; }
};

TEST_P(Mutants, AreNoticed) {
  present_mutant = GetParam().mutant;
  EXPECT_TRUE(AnswersDiffer(present_mutant)) << "no answer was wrong";
}

INSTANTIATE_TEST_SUITE_P(Bounds, Mutants, testing::ValuesIn(kMutants),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(WithoutAMutant, SearchesAreRight) { EXPECT_FALSE(SearchesDiffer()); }
TEST(WithoutAMutant, RecommendationsAreRight) { EXPECT_FALSE(RecommendationsDiffer()); }
TEST(WithoutAMutant, StandingQueriesAreRight) { EXPECT_FALSE(StandingQueriesDiffer()); }
TEST(WithoutAMutant, PairsAreRight) { EXPECT_FALSE(JoinsDiffer()); }

}  // namespace
}  // namespace test
}  // namespace kindred
