#include "index/search/exhaustive_recommender.h"

#include <algorithm>
#include <string>
#include <vector>

#include "index/base/status.h"

namespace kindred {

absl::StatusOr<RecommendAnswer> ExhaustiveRecommender::Recommend(const RecommendQuery& query,
                                                                 const Interrupt& interrupt) const {
  struct Scored {
    RecommendRank rank;
    std::string id;
    std::vector<double> kernels;
    uint32_t vertex_count = 0;
  };
  const auto comes_first = [&](const Scored& a, const Scored& b) {
    const auto order = CompareRanks(query, a.rank, b.rank);
    if (order != std::weak_ordering::equivalent) {
      return order == std::weak_ordering::greater;
    }
    return a.id < b.id;
  };

  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  RecommendAnswer answer;
  std::vector<Scored> found;
  const auto keep_best = [&] {
    std::sort(found.begin(), found.end(), comes_first);
    found.resize(std::min<size_t>(found.size(), query.k));
  };
  uint64_t unchecked = 0;
  KINDRED_RETURN_IF_ERROR(source_([&](std::string_view id, const Histogram& histogram) -> absl::Status {
    Scored scored{{}, std::string(id), {}, histogram.vertex_count()};
    for (const RecommendQuery::Example& example : query.examples) {
      scored.kernels.push_back(query.scoring.Kernel(LevelOverlaps(example.histogram, histogram)));
    }
    scored.rank = RankOf(query, scored.kernels, scored.vertex_count);
    ++answer.stats.candidates;
    const uint64_t entries = histogram.entries().size() * query.examples.size();
    answer.stats.postings_read += entries;
    if (!query.excluded.contains(id) && (!query.min_score || scored.rank.score >= *query.min_score)) {
      found.push_back(std::move(scored));
    }
    if (found.size() >= 2 * size_t{query.k} + 1000) {
      keep_best();  // Only bounds the memory.
    }
    unchecked += entries;
    if (unchecked < kPostingsBetweenChecks) {
      return absl::OkStatus();
    }
    unchecked = 0;
    return interrupt.Check();
  }));
  keep_best();
  for (const Scored& scored : found) {
    answer.hits.push_back(
        {scored.id, scored.rank.score, SimilaritiesOf(query, scored.kernels, scored.vertex_count)});
  }
  return answer;
}

}  // namespace kindred
