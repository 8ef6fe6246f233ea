#include "index/search/top_k.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <string>

#include "index/base/mutant.h"

namespace kindred {
namespace {

// Similarities are off by a few times 2^-53 of themselves. Two that are farther apart than this are in the
// right order; of others Scoring::Compare knows it.
constexpr double kSurelyApart = 1e-12;

// So many more than k are gathered at least.
constexpr size_t kGatheredMin = 64;

}  // namespace

TopK::TopK(const Query& query, SharedLeast* shared) : query_(query), shared_(shared) {
  if (query.after) {
    after_ = {query.scoring.Similarity(query.after->score, query.histogram.vertex_count()),
              {query.after->score, query.after->id}};
  }
}

bool TopK::Better(const Entry& a, const Entry& b) const {
  const double apart = a.similarity - b.similarity;
  if (std::abs(apart) > kSurelyApart * a.similarity) {
    return apart > 0;
  }
  const auto order =
      query_.scoring.Compare(a.candidate.score, b.candidate.score, query_.histogram.vertex_count());
  return order == std::weak_ordering::equivalent ? a.candidate.id < b.candidate.id
                                                 : order == std::weak_ordering::greater;
}

// Whether it may be one of the k best.
bool TopK::Admits(double similarity) const {
  return (!full() || similarity >= similarities_.front() * (1 - kSurelyApart)) &&
         (!query_.min_similarity || similarity >= *query_.min_similarity) &&
         (!after_ || similarity <= after_->similarity * (1 + kSurelyApart));
}

// Whether the query lets it be one of them.
bool TopK::Wanted(const Entry& entry) const {
  return (!after_ || Better(*after_, entry)) &&
         (query_.excluded.empty() || !std::ranges::binary_search(query_.excluded, entry.candidate.id));
}

double TopK::least_similarity() const {
  const double asked = query_.min_similarity.value_or(0);
  const double least = shared_ == nullptr ? asked : std::max(asked, shared_->get());
  return full() ? std::max(least, similarities_.front()) : least;
}

void TopK::Take(const Entry& entry) {
  if ((last_ && !Better(entry, *last_)) || !Wanted(entry)) {
    return;
  }
  NoteSimilarity(entry.similarity);
  entries_.push_back(entry);
  if (entries_.size() >= size_t{query_.k} + std::max<size_t>(query_.k, kGatheredMin)) {
    CutDown();
  }
  if (shared_ != nullptr && full()) {
    shared_->Raise(similarities_.front() * (1 + 1e-6 * TooTight(Mutant::kSharedLeast)));
  }
}

void TopK::NoteSimilarity(double similarity) {
  std::vector<double>& heap = similarities_;
  if (!full()) {
    heap.push_back(similarity);
    std::ranges::push_heap(heap, std::greater<>());
    return;
  }
  if (similarity <= heap.front()) {
    return;
  }
  // In the place of the least, sinking.
  size_t at = 0;
  for (size_t child = 1; child < heap.size(); child = 2 * at + 1) {
    child += child + 1 < heap.size() && heap[child + 1] < heap[child] ? 1 : 0;
    if (heap[child] >= similarity) {
      break;
    }
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = similarity;
}

// To the k best, the last of them at the end. REQUIRES: there are more.
void TopK::CutDown() {
  const auto last = entries_.begin() + query_.k - 1;
  std::nth_element(entries_.begin(), last, entries_.end(),
                   [this](const Entry& a, const Entry& b) { return Better(a, b); });
  entries_.resize(query_.k);
  last_ = entries_.back();
}

void TopK::Absorb(const TopK& other) {
  for (const Entry& entry : other.entries_) {
    Offer(entry.candidate);
  }
}

std::vector<Hit> TopK::TakeHits() {
  if (entries_.size() > query_.k) {
    CutDown();
  }
  std::ranges::sort(entries_, [this](const Entry& a, const Entry& b) { return Better(a, b); });
  std::vector<Hit> hits;
  hits.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    hits.push_back({std::string(entry.candidate.id), entry.candidate.score.kernel, entry.similarity,
                    entry.candidate.score.vertex_count});
  }
  entries_.clear();
  last_.reset();
  similarities_.clear();
  return hits;
}

}  // namespace kindred
