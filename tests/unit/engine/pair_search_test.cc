// Pairs of stored graphs against all pairs by definition: whatever was written, merged or deleted.

#include "index/engine/pair_search.h"

#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/generated_molecules.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/found_pairs.h"
#include "tests/support/graphs.h"
#include "tests/support/naive_pairs.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kPairsDepth = 3;

// An index and the model of it.
class PairSearchTest : public ::testing::Test {
 protected:
  void Put(const std::string& id, const Graph& graph) {
    mutations_.push_back(PutOf(id, graph));
    model_.Add(id, graph);
  }
  void Delete(const std::string& id) {
    Write();
    harness_.Delete(id);
    model_.Remove(id);
  }
  // What was put since.
  void Write() {
    if (!mutations_.empty()) {
      EXPECT_TRUE(harness_.Write(std::exchange(mutations_, {})).status.ok());
    }
  }
  void Settle() {
    Write();
    harness_.writer().merger().Settle();
  }
  void ExpectAllPairs(const PairQuestion& question, const PairRun& run = {}) {
    Write();
    const std::vector<IdPair> expected = model_.Pairs(question);
    found_ += expected.size();
    ASSERT_EQ(Must(FindPairs(harness_.Newest(), question, run)), expected)
        << "similarity " << question.min_similarity << ", measure " << static_cast<int>(question.measure);
  }

  EngineHarness harness_{OptionsOf(2, kPairsDepth)};
  NaivePairs model_{kPairsDepth};
  std::vector<Mutation> mutations_;
  size_t found_ = 0;
};

TEST_F(PairSearchTest, NothingComesOfNothing) {
  ExpectAllPairs({});
  Put("alone", Path("CCO"));
  ExpectAllPairs({});
  Settle();
  ExpectAllPairs({});
}

TEST_F(PairSearchTest, EqualGraphsAreAllPairsOfEachOther) {
  for (int i = 0; i < 40; ++i) {
    Put(fmt::format("a{}", i * 7 % 40), Path("CCO"));
    Put(fmt::format("b{}", i), Path("CCN"));
  }
  Put("near", Path("CCCO"));
  for (const bool settled : {false, true}) {
    if (settled) {
      Settle();
    }
    for (const double least : {1.0, 0.5, 0.2, 0.01}) {
      ExpectAllPairs({Measure::kTanimoto, least});
      ExpectAllPairs({Measure::kCosine, least});
      ExpectAllPairs({Measure::kKernel, least * 12});
    }
    ExpectAllPairs({Measure::kKernel, 12.5});
    ExpectAllPairs({Measure::kTanimoto, 1, 0});
    ExpectAllPairs({Measure::kTanimoto, 1, 3, {0, 1, 0, 0}});
  }
  EXPECT_GT(found_, 10'000u);
}

TEST_F(PairSearchTest, OutsizeGraphsArePairsToo) {
  for (const std::string label : {"C", "N"}) {
    const std::string many(300, label[0]);
    Put("isolated-" + label, Isolated(many));          // A colour worn more than 255 times.
    Put("fewer-" + label, Isolated(many.substr(60)));  // In a block.
    Put("same-" + label, Isolated(many));
    Put("path-" + label, Path(many));
    Put("longer-" + label, Path(many + "C"));
    Put("huge-" + label, Path(std::string(4'200, label[0])));
    Put("hugest-" + label, Path(std::string(4'300, label[0])));
  }
  for (int round = 0; round < 3; ++round) {
    for (const double least : {1.0, 0.9, 0.7, 0.3}) {
      ExpectAllPairs({Measure::kTanimoto, least}, {2});
      ExpectAllPairs({Measure::kCosine, least, 2, {1, 0, 2.5}});
      ExpectAllPairs({Measure::kKernel, least * 1'000});
    }
    if (round == 0) {
      Settle();
    } else {
      Delete(round == 1 ? "same-C" : "hugest-N");
    }
  }
  EXPECT_GT(found_, 50u);
}

TEST_F(PairSearchTest, DeletedAndReplacedGraphsAreInNoPair) {
  auto source = bench::GeneratedMolecules(21);
  std::vector<std::string> ids;
  for (int i = 0; i < 600; ++i) {
    const auto record = source->Next();
    ids.push_back(record->external_id);
    Put(record->external_id, record->graph);
    if (i % 150 == 149) {
      Settle();
    }
  }
  for (size_t i = 0; i < ids.size(); i += 3) {
    Delete(ids[i]);
  }
  for (const double least : {0.9, 0.6, 0.4}) {
    ExpectAllPairs({Measure::kTanimoto, least});
  }
  Settle();
  ExpectAllPairs({Measure::kTanimoto, 0.6});
  for (size_t i = 0; i < ids.size(); i += 9) {
    Put(ids[i], Path("CCC"));  // Again, as something else: the model has the old one removed.
  }
  ExpectAllPairs({Measure::kTanimoto, 0.6});
  EXPECT_GT(found_, 1'000u);
}

TEST_F(PairSearchTest, LittleMemoryManyThreadsAndFlushesChangeNothing) {
  auto source = bench::GeneratedMolecules(22);
  for (int i = 0; i < 3'000; ++i) {
    const auto record = source->Next();
    Put(record->external_id, record->graph);
    if (i == 2'000) {
      Settle();
    }
  }
  Limits little;
  little.pairs_memory_bytes = 1 << 20;
  ExpectAllPairs({Measure::kTanimoto, 0.5}, {1, false, little});
  ExpectAllPairs({Measure::kTanimoto, 0.5}, {4, true, little});
  ExpectAllPairs({Measure::kTanimoto, 0.5}, {4, false});
  ExpectAllPairs({Measure::kTanimoto, 0.5}, {1, true});
}

TEST_F(PairSearchTest, SeesOneSnapshotWhateverIsWrittenMeanwhile) {
  auto source = bench::GeneratedMolecules(23);
  for (int i = 0; i < 1'500; ++i) {
    const auto record = source->Next();
    Put(record->external_id, record->graph);
  }
  Write();
  const std::shared_ptr<const Snapshot> before = harness_.Newest();
  const PairQuestion question{Measure::kTanimoto, 0.6};
  const std::vector<IdPair> expected = model_.Pairs(question);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      harness_.Put(fmt::format("more-{}", i % 50), Path("CCOCN"));
      harness_.Delete(expected[static_cast<size_t>(i) % expected.size()].a);
    }
  });
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(Must(FindPairs(before, question, {2})), expected);
  }
  stop = true;
  writer.join();
  harness_.writer().merger().Settle();
  EXPECT_EQ(Must(FindPairs(before, question, {2})), expected);
  EXPECT_NE(Must(FindPairs(harness_.Newest(), question, {2})), expected);
}

TEST_F(PairSearchTest, StopsWhenItIsToldTo) {
  auto source = bench::GeneratedMolecules(24);
  for (int i = 0; i < 500; ++i) {
    const auto record = source->Next();
    Put(record->external_id, record->graph);
  }
  Settle();
  // Cancelled at the n-th look: at every place that looks.
  int looks = 0;
  int cancelled = 0;
  for (int at = 0; at < 200; ++at) {
    looks = 0;
    const Interrupt interrupt([&] { return looks++ >= at; }, Interrupt::Clock::time_point::max());
    const auto search = Must(PairSearch::Create(harness_.Newest(), ToRequest({Measure::kTanimoto, 0.5}), {}));
    std::vector<FoundPair> found;
    absl::StatusOr<bool> more = true;
    while (more.ok() && *more) {
      more = search->Step(true, ForEachInTurn, interrupt, found);
    }
    if (more.ok()) {
      break;
    }
    EXPECT_EQ(more.status().code(), absl::StatusCode::kCancelled);
    ++cancelled;
  }
  EXPECT_GT(cancelled, 5);
  EXPECT_LT(cancelled, 200) << "it never came to an end";
  const Interrupt late({}, Interrupt::Clock::time_point::min());
  std::vector<FoundPair> found;
  const auto search = Must(PairSearch::Create(harness_.Newest(), ToRequest({}), {}));
  EXPECT_EQ(search->Step(false, ForEachInTurn, late, found).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST_F(PairSearchTest, RefusesWhatItCannotMean) {
  const auto status = [&](const PairQuestion& question) {
    return PairSearch::Create(harness_.Newest(), ToRequest(question), {}).status();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double least : {0.0, -0.5, 1.001, nan, infinite}) {
    for (const Measure measure : {Measure::kTanimoto, Measure::kCosine}) {
      EXPECT_THAT(status({measure, least}), StatusIs(kInvalid, "min_similarity: "));
    }
  }
  for (const double least : {0.0, -1.0, nan, infinite}) {
    EXPECT_THAT(status({Measure::kKernel, least}), StatusIs(kInvalid, "min_similarity: "));
  }
  EXPECT_TRUE(status({Measure::kKernel, 1e9}).ok());
  EXPECT_THAT(status({Measure::kTanimoto, 0.5, 4}), StatusIs(kFailedPrecondition, "depth: "));
  EXPECT_THAT(status({Measure::kTanimoto, 0.5, 1, {1}}), StatusIs(kInvalid, "weights: "));
}

}  // namespace
}  // namespace kindred::test
