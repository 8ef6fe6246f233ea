// What the pruned search is measured against, each as well as it is usually written.
//
// (a) merging every histogram with the query's, and (b) adding up the inverted lists of the query's colours
// in 16-bit accumulators. Unweighted, full depth: what the comparison needs. Both rank as the product does.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/engine/snapshot.h"
#include "index/search/recommendation.h"
#include "index/search/searcher.h"

namespace kindred::bench {

class Baselines {
 public:
  // Reads all histograms of the snapshot into memory.
  explicit Baselines(const Snapshot& snapshot);

  size_t size() const { return ids_.size(); }
  std::vector<Hit> MergeHistograms(const Query& query) const;
  std::vector<Hit> AddLists(const Query& query);
  // The same for several examples: (b) for each, then every graph is scored.
  std::vector<RecommendHit> AddLists(const RecommendQuery& query) const;

 private:
  struct Posting {
    uint32_t graph = 0;
    uint16_t count = 0;
  };

  void AddLists(const Histogram& histogram, std::vector<uint16_t>& sums) const;
  std::vector<Hit> Rank(const Query& query, const std::vector<uint16_t>& kernels) const;

  std::vector<std::string> ids_;
  std::vector<uint32_t> vertex_counts_;
  // Forward, colours ascending.
  std::vector<uint64_t> ends_;
  std::vector<uint32_t> colours_;
  std::vector<uint16_t> counts_;
  // Inverted: a posting is two arrays, as the sum wants it.
  std::vector<uint64_t> list_ends_;
  std::vector<uint32_t> list_graphs_;
  std::vector<uint16_t> list_counts_;

  std::vector<uint16_t> sums_;
};

}  // namespace kindred::bench
