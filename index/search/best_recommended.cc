#include "index/search/best_recommended.h"

#include <algorithm>
#include <string>

namespace kindred {
namespace {

// Least similarities are compared exactly, while their doubles are off by a few times 2^-53 of themselves:
// two that are farther apart than this are in the right order.
constexpr double kScoresApart = 1e-12;

// So many more than k are gathered at least.
constexpr size_t kMoreThanK = 64;

}  // namespace

BestRecommended::BestRecommended(const RecommendQuery& query) : query_(query) {
  least_ = query.min_score.value_or(least_);
}

bool BestRecommended::Better(const Entry& a, const Entry& b) const {
  const auto order = CompareRanks(query_, a.rank, b.rank);
  return order == std::weak_ordering::equivalent ? a.id < b.id : order == std::weak_ordering::greater;
}

void BestRecommended::Offer(std::string_view id, std::span<const double> kernels, uint32_t vertex_count) {
  const RecommendRank rank = RankOf(query_, kernels, vertex_count);
  if (rank.score < least_ || query_.excluded.contains(id)) {
    return;
  }
  entries_.push_back({rank, id, {kernels.begin(), kernels.end()}, vertex_count});
  if (entries_.size() >= size_t{query_.k} + std::max<size_t>(query_.k, kMoreThanK)) {
    Settle();
  }
}

void BestRecommended::Settle() {
  if (entries_.size() < query_.k) {
    return;
  }
  const auto last = entries_.begin() + query_.k - 1;
  std::nth_element(entries_.begin(), last, entries_.end(),
                   [this](const Entry& a, const Entry& b) { return Better(a, b); });
  const double score = last->rank.score;
  const bool exact = query_.form == RecommendForm::kWeightedSum;
  least_ = std::max(least_, exact ? score : score * (1 - kScoresApart));
  entries_.resize(query_.k);
}

std::vector<RecommendHit> BestRecommended::TakeHits() {
  Settle();
  std::ranges::sort(entries_, [this](const Entry& a, const Entry& b) { return Better(a, b); });
  std::vector<RecommendHit> hits;
  hits.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    hits.push_back(
        {std::string(entry.id), entry.rank.score, SimilaritiesOf(query_, entry.kernels, entry.vertex_count)});
  }
  entries_.clear();
  return hits;
}

}  // namespace kindred
