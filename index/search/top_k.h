// The order of the answers, and the best k seen so far in that order.
//
// Better similarity first; equal similarity, smaller external id first, bytewise. Ids are unique in a
// snapshot, so this is a total order: the answer depends neither on the order of offers nor on segments.
//
// Threads: one search each.
// Cost: Offer is O(1) for what is worse than the k-th, else O(log k).

#pragma once

#include <atomic>
#include <compare>
#include <string_view>
#include <vector>

#include "index/search/searcher.h"

namespace kindred {

struct Candidate {
  Score score;
  std::string_view id;  // Points into the snapshot.
};

// What several searches of one query know together: each has k as good as this, or better.
class SharedLeast {
 public:
  double get() const { return similarity_.load(std::memory_order_relaxed); }
  void Raise(double similarity) {
    double known = get();
    while (known < similarity &&
           !similarity_.compare_exchange_weak(known, similarity, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<double> similarity_{0};
};

class TopK {
 public:
  // `query`, and `shared` if given, must outlive this.
  explicit TopK(const Query& query, SharedLeast* shared = nullptr) : query_(query), shared_(shared) {}

  void Offer(const Candidate& candidate);
  // Offers all that another one of the same query has.
  void Absorb(const TopK& other);
  // False: a candidate of this score is turned away whatever its id.
  bool Admits(const Score& score) const;
  // The similarity a candidate has to reach at least; 0 while anything is admitted. Only grows.
  double least_similarity() const;
  bool full() const { return heap_.size() == query_.k; }
  // Best first. Leaves this empty.
  std::vector<Hit> TakeHits();

 private:
  struct Entry {
    double similarity = 0;
    Candidate candidate;
  };

  double Similarity(const Score& score) const {
    return query_.scoring.Similarity(score, query_.histogram.vertex_count());
  }
  std::weak_ordering Compare(double similarity_a, const Score& a, double similarity_b, const Score& b) const;
  bool Better(const Entry& a, const Entry& b) const;
  void OfferEntry(const Entry& entry);

  const Query& query_;
  SharedLeast* const shared_;
  std::vector<Entry> heap_;  // The worst on top.
};

}  // namespace kindred
