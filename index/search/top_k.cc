#include "index/search/top_k.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "index/base/mutant.h"

namespace kindred {
namespace {

// Similarities are off by a few times 2^-53 of themselves. Two that are farther apart than this are in the
// right order; of others Scoring::Compare knows it.
constexpr double kSurelyApart = 1e-12;

}  // namespace

std::weak_ordering TopK::Compare(double similarity_a, const Score& a, double similarity_b,
                                 const Score& b) const {
  const double apart = similarity_a - similarity_b;
  if (std::abs(apart) > kSurelyApart * similarity_a) {
    return apart > 0 ? std::weak_ordering::greater : std::weak_ordering::less;
  }
  return query_.scoring.Compare(a, b, query_.histogram.vertex_count());
}

bool TopK::Better(const Entry& a, const Entry& b) const {
  const auto order = Compare(a.similarity, a.candidate.score, b.similarity, b.candidate.score);
  return order == std::weak_ordering::equivalent ? a.candidate.id < b.candidate.id
                                                 : order == std::weak_ordering::greater;
}

bool TopK::Admits(const Score& score) const {
  const double similarity = Similarity(score);
  if (full() && Compare(similarity, score, heap_.front().similarity, heap_.front().candidate.score) ==
                    std::weak_ordering::less) {
    return false;
  }
  return !query_.min_similarity || similarity >= *query_.min_similarity;
}

double TopK::least_similarity() const {
  const double asked = query_.min_similarity.value_or(0);
  const double least = shared_ == nullptr ? asked : std::max(asked, shared_->get());
  return full() ? std::max(least, heap_.front().similarity) : least;
}

void TopK::Offer(const Candidate& candidate) { OfferEntry({Similarity(candidate.score), candidate}); }

void TopK::OfferEntry(const Entry& entry) {
  const auto better = [this](const Entry& a, const Entry& b) { return Better(a, b); };
  if ((full() && !Better(entry, heap_.front())) ||
      (query_.min_similarity && entry.similarity < *query_.min_similarity)) {
    return;
  }
  if (full()) {
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), better);
  if (shared_ != nullptr && full()) {
    shared_->Raise(heap_.front().similarity * (1 + 1e-6 * TooTight(Mutant::kSharedLeast)));
  }
}

void TopK::Absorb(const TopK& other) {
  for (const Entry& entry : other.heap_) {
    OfferEntry(entry);
  }
}

std::vector<Hit> TopK::TakeHits() {
  std::sort_heap(heap_.begin(), heap_.end(), [this](const Entry& a, const Entry& b) { return Better(a, b); });
  std::vector<Hit> hits;
  hits.reserve(heap_.size());
  for (const Entry& entry : heap_) {
    hits.push_back({std::string(entry.candidate.id), entry.candidate.score.kernel, entry.similarity});
  }
  heap_.clear();
  return hits;
}

}  // namespace kindred
