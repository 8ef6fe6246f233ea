// Searches with filters, excluded ids and pages against the model, filtered by hand: while tags change by
// upserts and deletes, through commits, merges and restarts.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/random_filter.h"
#include "tests/support/reference_model.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kFilteredDepth = 2;
constexpr uint64_t kFilteredSeed = 41;

// An engine, and beside it all it should hold.
class TaggedGraphs {
 public:
  explicit TaggedGraphs(uint64_t seed) : rng_(seed) {}

  Rng& rng() { return rng_; }
  EngineHarness& harness() { return harness_; }

  // One request of puts and deletes over so many ids.
  void Write(size_t mutations, uint64_t ids) {
    std::vector<Mutation> batch;
    for (size_t i = 0; i < mutations; ++i) {
      const std::string id = "g" + std::to_string(Below(rng_, ids));
      if (model_.contains(id) && Below(rng_, 4) == 0) {
        batch.push_back(DeleteOf(id));
        model_.Delete(id);
        continue;
      }
      // Few labels and vertices: ties abound.
      const Graph graph = RandomGraph(rng_, {.vertices_max = 7, .vertex_labels = 2, .edge_labels = 1});
      tags_[id] = Below(rng_, 4) == 0 ? TagMap() : RandomTags(rng_);
      batch.push_back(PutOf(id, graph));
      (*batch.back().record)->tags = ToTags(tags_[id]);
      model_.Put(id, graph);
    }
    ASSERT_THAT(harness_.Write(std::move(batch)).status, IsOk());
  }

  void CheckSearch() {
    SearchRequest request = RandomRequest();
    const RandomFilter filter = FilterFor(request);
    SCOPED_TRACE(filter.text);
    const std::vector<Hit> expected = Expected(request, filter);
    for (const SearchMode mode : {SearchMode::kPruned, SearchMode::kExhaustive}) {
      request.mode = mode;
      request.threads = 1 + static_cast<uint32_t>(Below(rng_, 2));
      ASSERT_EQ(harness_.Hits(request), expected) << (mode == SearchMode::kPruned ? "pruned" : "exhaustive");
    }
    CheckPages(request, filter);
  }

 private:
  SearchRequest RandomRequest() {
    const Measure measures[] = {Measure::kKernel, Measure::kCosine, Measure::kTanimoto};
    SearchRequest request = Ask(RandomGraph(rng_, {.vertices_max = 7, .vertex_labels = 2, .edge_labels = 1}),
                                1 + static_cast<uint32_t>(Below(rng_, 30)), measures[Below(rng_, 3)]);
    request.depth = static_cast<uint32_t>(Below(rng_, kFilteredDepth + 1));
    const std::vector<std::vector<double>> kinds{{}, {2, 1, 3}, {0.3, 1.7, 0.1}, {0, 5, 1}};
    request.weights = kinds[Below(rng_, kinds.size())];
    if (!request.weights.empty()) {
      request.weights.resize(*request.depth + 1);
    }
    if (!request.weights.empty() && std::ranges::all_of(request.weights, [](double w) { return w == 0; })) {
      request.weights.clear();
    }
    if (Below(rng_, 4) == 0) {
      request.min_similarity = request.measure == Measure::kKernel ? 3 : 0.4;
    }
    const std::vector<std::string> ids = model_.ids();
    for (uint64_t excluded = Below(rng_, 3) == 0 ? Below(rng_, 40) : 0; excluded > 0 && !ids.empty();
         --excluded) {
      request.excluded.push_back(Below(rng_, 8) == 0 ? "nobody" : ids[Below(rng_, ids.size())]);
    }
    return request;
  }

  RandomFilter FilterFor(SearchRequest& request) {
    while (Below(rng_, 5) != 0) {
      RandomFilter filter = MakeRandomFilter(rng_, static_cast<int>(Below(rng_, 4)));
      if (auto parsed = Filter::Parse(filter.text, Limits()); parsed.ok()) {
        request.filter = *std::move(parsed);
        return filter;
      }
    }
    return {"", [](const TagMap&) { return true; }};
  }

  // The whole answer of the model, filtered by hand.
  std::vector<Hit> AllOf(const SearchRequest& request, const RandomFilter& filter) const {
    std::vector<Hit> hits =
        model_.Search(std::get<Graph>(request.query),
                      {request.measure, request.depth, request.weights, UINT32_MAX, request.min_similarity});
    std::erase_if(hits, [&](const Hit& hit) {
      return !filter.matches(tags_.at(hit.id)) ||
             std::ranges::find(request.excluded, hit.id) != request.excluded.end();
    });
    return hits;
  }

  std::vector<Hit> Expected(const SearchRequest& request, const RandomFilter& filter) const {
    std::vector<Hit> hits = AllOf(request, filter);
    hits.resize(std::min<size_t>(hits.size(), request.k));
    return hits;
  }

  // Page after page, until one is not full: together the whole answer.
  void CheckPages(SearchRequest request, const RandomFilter& filter) {
    const std::vector<Hit> expected = AllOf(request, filter);
    const bool exhaustive = expected.size() < 100;
    std::vector<Hit> paged;
    while (true) {
      request.mode = exhaustive && Below(rng_, 4) == 0 ? SearchMode::kExhaustive : SearchMode::kPruned;
      const std::vector<Hit> page = harness_.Hits(request);
      ASSERT_LE(page.size(), request.k);
      paged.insert(paged.end(), page.begin(), page.end());
      if (page.size() < request.k) {
        break;
      }
      request.after = page.back();
    }
    ASSERT_EQ(paged, expected);
  }

  Rng rng_;
  EngineHarness harness_{OptionsOf(2, kFilteredDepth)};
  ReferenceModel model_{kFilteredDepth};
  std::map<std::string, TagMap> tags_;  // Of all ids there ever were.
};

TEST(FilteredSearch, IsTheModelsAnswerFilteredByHandWhateverTheHistory) {
  for (uint64_t seed = kFilteredSeed; seed < kFilteredSeed + 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TaggedGraphs graphs(seed);
    for (int round = 0; round < 40; ++round) {
      graphs.Write(1 + Below(graphs.rng(), 30), 200);
      if (Below(graphs.rng(), 6) == 0) {
        graphs.harness().writer().merger().Settle();
      }
      if (Below(graphs.rng(), 12) == 0) {
        graphs.harness().Restart();
      }
      graphs.CheckSearch();
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

// Enough graphs for groups and shelves of blocks, of which filters leave some.
TEST(FilteredSearch, IsTheModelsAnswerInLargeSegments) {
  TaggedGraphs graphs(kFilteredSeed + 100);
  graphs.Write(6000, 1'000'000);
  graphs.harness().writer().merger().Settle();
  graphs.Write(300, 1'000'000);
  for (int search = 0; search < 40; ++search) {
    SCOPED_TRACE("search " + std::to_string(search));
    graphs.CheckSearch();
    if (::testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

}  // namespace
}  // namespace kindred::test
