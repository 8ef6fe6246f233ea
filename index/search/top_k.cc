#include "index/search/top_k.h"

#include <algorithm>
#include <string>

namespace kindred {

bool TopK::Better(const Candidate& a, const Candidate& b) const {
  const auto order = query_.scoring.Compare(a.score, b.score, query_.histogram.vertex_count());
  return order == std::weak_ordering::equivalent ? a.id < b.id : order == std::weak_ordering::greater;
}

bool TopK::Admits(const Score& score) const {
  const uint32_t query_vertices = query_.histogram.vertex_count();
  if (full() &&
      query_.scoring.Compare(score, heap_.front().score, query_vertices) == std::weak_ordering::less) {
    return false;
  }
  return !query_.min_similarity || query_.scoring.Similarity(score, query_vertices) >= *query_.min_similarity;
}

double TopK::least_similarity() const {
  const double least = query_.min_similarity.value_or(0);
  return full() ? std::max(least,
                           query_.scoring.Similarity(heap_.front().score, query_.histogram.vertex_count()))
                : least;
}

void TopK::Offer(const Candidate& candidate) {
  const auto better = [this](const Candidate& a, const Candidate& b) { return Better(a, b); };
  if (heap_.size() == query_.k && !Better(candidate, heap_.front())) {
    return;
  }
  if (query_.min_similarity &&
      query_.scoring.Similarity(candidate.score, query_.histogram.vertex_count()) < *query_.min_similarity) {
    return;
  }
  if (heap_.size() == query_.k) {
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  heap_.push_back(candidate);
  std::push_heap(heap_.begin(), heap_.end(), better);
}

void TopK::Absorb(const TopK& other) {
  for (const Candidate& candidate : other.heap_) {
    Offer(candidate);
  }
}

std::vector<Hit> TopK::TakeHits() {
  std::sort_heap(heap_.begin(), heap_.end(),
                 [this](const Candidate& a, const Candidate& b) { return Better(a, b); });
  std::vector<Hit> hits;
  hits.reserve(heap_.size());
  for (const Candidate& candidate : heap_) {
    hits.push_back({std::string(candidate.id), candidate.score.kernel,
                    query_.scoring.Similarity(candidate.score, query_.histogram.vertex_count())});
  }
  heap_.clear();
  return hits;
}

}  // namespace kindred
