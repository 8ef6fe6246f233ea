// The order of the answers, and the best k seen so far in that order.
//
// Better similarity first; equal similarity, smaller external id first, bytewise. Ids are unique in a
// snapshot, so this is a total order: the answer depends neither on the order of offers nor on segments.
// What the query excludes, and what does not come after its place, is none of the best: k others are.
//
// What is offered and may be one of the best is gathered, up to about twice k, and then cut down to k: few
// offers are compared by their ids that way, where a heap would compare each with log k others, and ties are
// everywhere. Only similarities are kept in a heap, to know at once what the k-th best has.
//
// Threads: one search each.
// Cost: Offer is O(1) for what is worse than the k-th, else O(log k) of comparing numbers.

#pragma once

#include <atomic>
#include <optional>
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
  explicit TopK(const Query& query, SharedLeast* shared = nullptr);

  // A graph of this score; asks id() for its external id if it may be one of the best.
  template <typename Id>  // std::string_view()
  void Offer(const Score& score, Id id) {
    const double similarity = query_.scoring.Similarity(score, query_.histogram.vertex_count());
    if (Admits(similarity)) {
      Take({similarity, {score, id()}});
    }
  }
  void Offer(const Candidate& candidate) {
    Offer(candidate.score, [&] { return candidate.id; });
  }
  // Offers all that another one of the same query has.
  void Absorb(const TopK& other);
  // The similarity a candidate has to reach at least; 0 while anything is admitted. Only grows.
  double least_similarity() const;
  bool full() const { return similarities_.size() == query_.k; }
  // Best first. Leaves this empty.
  std::vector<Hit> TakeHits();

 private:
  struct Entry {
    double similarity = 0;
    Candidate candidate;
  };

  bool Admits(double similarity) const;
  bool Wanted(const Entry& entry) const;
  bool Better(const Entry& a, const Entry& b) const;
  void Take(const Entry& entry);
  void NoteSimilarity(double similarity);
  void CutDown();

  const Query& query_;
  SharedLeast* const shared_;
  std::optional<Entry> after_;        // What the hits come after.
  std::vector<Entry> entries_;        // All of the k best, and some that were.
  std::optional<Entry> last_;         // The last of the k best when entries_ were cut down.
  std::vector<double> similarities_;  // The k best: a heap, the least on top.
};

}  // namespace kindred
