// Watches of an engine under a random history, beside a model of what each part must have had: upserts,
// deletes, merges and restarts in between, positions taken up again.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/random_filter.h"
#include "tests/support/reference_model.h"
#include "tests/support/watching.h"

namespace kindred::test {
namespace {

constexpr Level kWatchDepth = 2;

class WatchHistory {
 public:
  explicit WatchHistory(uint64_t seed) : rng_(seed) {
    how_.measure = static_cast<Measure>(Below(rng_, 3));
    how_.depth = static_cast<uint32_t>(Below(rng_, kWatchDepth + 1));
    for (int i = 0; i < 12; ++i) {
      const double scale = how_.measure == Measure::kKernel ? 10 : 1;
      queries_.push_back({"q" + std::to_string(i), RandomGraph(rng_, kGraphs),
                          static_cast<double>(1 + Below(rng_, 10)) / 10 * scale});
    }
    // Half of the histories are watched through a filter, which some graphs match and some do not.
    while (Below(rng_, 2) == 0) {
      filter_ = MakeRandomFilter(rng_, 2);
      if (Filter::Parse(filter_.text, Limits()).ok()) {
        break;
      }
      filter_ = {};
    }
  }

  // Returns how many matches were told.
  size_t Go() {
    StartFrom(0);
    for (int step = 0; step < 120 && !testing::Test::HasFatalFailure(); ++step) {
      switch (Below(rng_, 12)) {
        case 0:
          harness_.writer().merger().Settle();
          break;
        case 1:
          watch_.reset();
          harness_.Restart();
          StartFrom(position_);
          break;
        case 2:  // Another client, from anywhere.
          StartFrom(Below(rng_, history_.size() + 1));
          break;
        case 3:
        case 4:
        case 5:
          Pull();
          break;
        default:
          WriteSome();
          break;
      }
    }
    while (position_ < history_.size()) {
      Pull();
    }
    return told_;
  }

 private:
  static constexpr RandomGraphOptions kGraphs{.vertices_max = 6, .vertex_labels = 3};

  // One commit: what it stored, if it stored anything, and the commit that removed that.
  struct Commit {
    std::string id;
    std::optional<Graph> graph;
    TagMap tags{};
    uint64_t removed_at = UINT64_MAX;
  };

  void StartFrom(uint64_t after) {
    WatchRequest request;
    request.measure = how_.measure;
    request.depth = how_.depth;
    request.after = CommitSequence{after};
    request.filter = Must(Filter::Parse(filter_.text, Limits()));
    watch_ = Must(StartWatch(harness_.engine(), queries_, std::move(request)));
    position_ = after;
  }

  void WriteSome() {
    std::vector<Mutation> mutations;
    for (uint64_t i = 1 + Below(rng_, 5); i > 0; --i) {
      const std::string id = "g" + std::to_string(Below(rng_, 12));
      const auto live = live_.find(id);
      const bool removes = Below(rng_, 4) == 0;
      if (removes && live == live_.end()) {
        continue;
      }
      if (live != live_.end()) {
        history_[live->second - 1].removed_at = history_.size() + 1;
        live_.erase(live);
      }
      history_.push_back({id, std::nullopt});
      if (removes) {
        mutations.push_back(DeleteOf(id));
      } else {
        // Now and then the very graph of a query, whose colours nobody may have worn before.
        Graph graph = Below(rng_, 3) == 0 ? std::get<Graph>(queries_[Below(rng_, queries_.size())].graph)
                                          : RandomGraph(rng_, kGraphs);
        history_.back().tags = RandomTags(rng_);
        mutations.push_back(PutOf(id, graph));
        (*mutations.back().record)->tags = ToTags(history_.back().tags);
        history_.back().graph = std::move(graph);
        live_[id] = history_.size();
      }
    }
    if (!mutations.empty()) {
      ASSERT_EQ(Raw(harness_.Write(std::move(mutations)).sequence), history_.size());
    }
  }

  void Pull() {
    const WatchPart part = Must(watch_->Next(Interrupt()));
    ASSERT_EQ(Raw(part.sequence) + part.behind, history_.size());
    std::vector<Told> told;
    Append(*watch_, part, told);
    std::vector<Told> expected;
    for (uint64_t sequence = position_ + 1; sequence <= Raw(part.sequence); ++sequence) {
      const Commit& commit = history_[sequence - 1];
      if (commit.graph && commit.removed_at == UINT64_MAX &&
          (filter_.text.empty() || filter_.matches(commit.tags))) {
        AddExpected(sequence, commit, expected);
      }
    }
    ASSERT_EQ(told, expected);
    told_ += told.size();
    position_ = Raw(part.sequence);
  }

  void AddExpected(uint64_t sequence, const Commit& commit, std::vector<Told>& expected) const {
    ReferenceModel alone(kWatchDepth);
    alone.Put(commit.id, *commit.graph);
    for (const WatchQuery& query : queries_) {
      ModelQuery how = how_;
      how.min_similarity = query.least;
      for (const Hit& hit : alone.Search(std::get<Graph>(query.graph), how)) {
        expected.push_back({sequence, hit.id, query.name, hit.kernel, hit.similarity});
      }
    }
  }

  Rng rng_;
  ModelQuery how_;
  RandomFilter filter_;  // Empty: none.
  std::vector<WatchQuery> queries_;
  EngineHarness harness_{OptionsOf(2, kWatchDepth)};
  std::unique_ptr<Watch> watch_;
  uint64_t position_ = 0;
  size_t told_ = 0;
  std::vector<Commit> history_;           // Commit n is history_[n - 1].
  std::map<std::string, uint64_t> live_;  // Id, and the commit that stored it.
};

TEST(WatchModel, EveryPartHasExactlyWhatItsSnapshotHasOfItsCommits) {
  size_t told = 0;
  for (uint64_t seed = 1; seed <= 12 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    told += WatchHistory(seed).Go();
  }
  EXPECT_GT(told, 200u) << "too few matches to mean anything";
}

}  // namespace
}  // namespace kindred::test
