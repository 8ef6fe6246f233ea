#include "tests/support/found_pairs.h"

#include <algorithm>
#include <utility>

#include "gtest/gtest.h"
#include "index/base/status.h"
#include "index/engine/pair_expansion.h"

namespace kindred::test {

PairsRequest ToRequest(const PairQuestion& question) {
  PairsRequest request;
  request.measure = question.measure;
  request.min_similarity = question.min_similarity;
  request.depth = question.depth;
  request.weights = question.weights;
  return request;
}

absl::StatusOr<std::vector<IdPair>> FindPairs(std::shared_ptr<const Snapshot> snapshot,
                                              const PairQuestion& question, const PairRun& run) {
  KINDRED_ASSIGN_OR_RETURN(const std::unique_ptr<PairSearch> search,
                           PairSearch::Create(std::move(snapshot), ToRequest(question), run.limits));
  PairExpansion expansion(*search);
  std::vector<IdPair> pairs;
  uint64_t done = 0;
  for (bool more = true; more;) {
    KINDRED_ASSIGN_OR_RETURN(
        more, search->Step(run.flush, ForEachOnThreads(run.threads), Interrupt(), expansion.Refill()));
    while (!expansion.empty()) {
      const SimilarPair pair = expansion.Take();
      pairs.push_back({std::string(pair.a), std::string(pair.b), pair.kernel, pair.similarity});
    }
    EXPECT_GE(search->done_count(), done);
    done = search->done_count();
    EXPECT_LE(done, search->graph_count());
  }
  EXPECT_EQ(done, search->graph_count());
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace kindred::test
