// Pairs among the graphs whose tags match a filter, against all pairs by definition of which both match.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/generated_molecules.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "index/engine/filtered_snapshot.h"
#include "tests/support/engine_harness.h"
#include "tests/support/found_pairs.h"
#include "tests/support/graphs.h"
#include "tests/support/naive_pairs.h"
#include "tests/support/random_filter.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kFilteredDepth = 2;
constexpr uint64_t kFilteredSeed = 31;

// An index with tags, and the model of it.
class PairFilterTest : public ::testing::Test {
 protected:
  void Put(const std::string& id, const Graph& graph) {
    TagMap tags = RandomTags(rng_);
    mutations_.push_back(PutOf(id, graph));
    (*mutations_.back().record)->tags = ToTags(tags);
    model_.Add(id, graph);
    tags_[id] = std::move(tags);
  }
  void Write() { EXPECT_TRUE(harness_.Write(std::exchange(mutations_, {})).status.ok()); }

  // A filter that some graph can match.
  RandomFilter NewFilter() {
    while (true) {
      RandomFilter filter = MakeRandomFilter(rng_, 2);
      if (Filter::Parse(filter.text, Limits()).ok()) {
        return filter;
      }
    }
  }

  std::vector<IdPair> Expected(const PairQuestion& question, const RandomFilter& filter) {
    std::vector<IdPair> pairs = model_.Pairs(question);
    std::erase_if(pairs, [&](const IdPair& pair) {
      return !filter.matches(tags_[pair.a]) || !filter.matches(tags_[pair.b]);
    });
    return pairs;
  }

  void ExpectMatchingPairs(const PairQuestion& question, const RandomFilter& filter) {
    const auto shown =
        Must(Filtered(harness_.Newest(), Must(Filter::Parse(filter.text, Limits())), Interrupt()));
    const std::vector<IdPair> expected = Expected(question, filter);
    found_ += expected.size();
    ASSERT_EQ(Must(FindPairs(shown, question, {2})), expected) << filter.text;
  }

  Rng rng_{kFilteredSeed};
  EngineHarness harness_{OptionsOf(2, kFilteredDepth)};
  NaivePairs model_{kFilteredDepth};
  std::map<std::string, TagMap> tags_;
  std::vector<Mutation> mutations_;
  size_t found_ = 0;
};

TEST_F(PairFilterTest, AreThoseOfWhichBothMatchInvertedOrNotAndOutsizeToo) {
  auto source = bench::GeneratedMolecules(kFilteredSeed);
  for (int i = 0; i < 700; ++i) {
    const auto record = source->Next();
    Put(record->external_id, record->graph);
  }
  for (int i = 0; i < 12; ++i) {
    Put(fmt::format("outsize-{}", i), Path(std::string(600 + static_cast<size_t>(i % 3), 'C')));
  }
  Write();
  harness_.writer().merger().Settle();
  for (int i = 0; i < 300; ++i) {
    const auto record = source->Next();
    Put(record->external_id, record->graph);
  }
  Write();
  SCOPED_TRACE(fmt::format("seed {}", kFilteredSeed));
  size_t none = 0;
  for (int i = 0; i < 25; ++i) {
    const double least = std::vector{0.95, 0.7, 0.5}[static_cast<size_t>(i) % 3];
    const size_t before = found_;
    ExpectMatchingPairs({i % 2 == 0 ? Measure::kTanimoto : Measure::kCosine, least}, NewFilter());
    none += found_ == before ? 1 : 0;
  }
  EXPECT_GT(found_, 500u);
  EXPECT_LT(none, 15u);
}

}  // namespace
}  // namespace kindred::test
