#include "index/search/recommendation.h"

namespace kindred {
namespace {

std::weak_ordering CompareDoubles(double a, double b) {
  return a < b ? std::weak_ordering::less
               : (a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent);
}

}  // namespace

std::vector<double> SimilaritiesOf(const RecommendQuery& query, std::span<const double> kernels,
                                   uint32_t vertex_count) {
  std::vector<double> similarities;
  similarities.reserve(kernels.size());
  for (size_t i = 0; i < kernels.size(); ++i) {
    similarities.push_back(
        query.scoring.Similarity({kernels[i], vertex_count}, query.examples[i].histogram.vertex_count()));
  }
  return similarities;
}

RecommendRank RankOf(const RecommendQuery& query, std::span<const double> kernels, uint32_t vertex_count) {
  RecommendRank rank{query.NoScore(), {}, 0};
  for (size_t i = 0; i < kernels.size(); ++i) {
    const RecommendQuery::Example& example = query.examples[i];
    const Score score{kernels[i], vertex_count};
    const uint32_t vertices = example.histogram.vertex_count();
    rank.score = query.AddScore(rank.score, example, query.scoring.Similarity(score, vertices));
    if (query.form == RecommendForm::kBestMinimum &&
        (i == 0 || query.scoring.CompareAcross(score, vertices, rank.least, rank.least_query) ==
                       std::weak_ordering::less)) {
      rank.least = score;
      rank.least_query = vertices;
    }
  }
  return rank;
}

std::weak_ordering CompareRanks(const RecommendQuery& query, const RecommendRank& a, const RecommendRank& b) {
  return query.form == RecommendForm::kBestMinimum
             ? query.scoring.CompareAcross(a.least, a.least_query, b.least, b.least_query)
             : CompareDoubles(a.score, b.score);
}

}  // namespace kindred
