#include "bench/baselines.h"

#include <algorithm>

#include "index/base/check.h"
#include "index/search/best_recommended.h"
#include "index/search/bound_units.h"
#include "index/search/top_k.h"

namespace kindred::bench {

Baselines::Baselines(const Snapshot& snapshot) {
  uint32_t colour_max = 0;
  const absl::Status status = snapshot.store->ForEachHistogram(
      GraphId{0}, GraphId{UINT64_MAX}, [&](GraphId, const StoredHistogram& stored) {
        ids_.push_back(stored.external_id);
        vertex_counts_.push_back(stored.histogram.vertex_count());
        const size_t begin = colours_.size();
        std::vector<Histogram::Entry> entries(stored.histogram.entries().begin(),
                                              stored.histogram.entries().end());
        std::ranges::sort(entries, {}, &Histogram::Entry::colour);
        for (const Histogram::Entry& entry : entries) {
          KINDRED_CHECK(entry.count <= UINT16_MAX);
          colours_.push_back(Raw(entry.colour));
          counts_.push_back(static_cast<uint16_t>(entry.count));
        }
        if (colours_.size() > begin) {
          colour_max = std::max(colour_max, colours_.back());
        }
        ends_.push_back(colours_.size());
        return absl::OkStatus();
      });
  KINDRED_CHECK(status.ok());
  // Counting sort by colour.
  std::vector<uint64_t> next(colour_max + 2);
  for (const uint32_t colour : colours_) {
    ++next[colour + 1];
  }
  for (size_t colour = 1; colour < next.size(); ++colour) {
    next[colour] += next[colour - 1];
  }
  list_ends_.assign(next.begin() + 1, next.end());
  list_graphs_.resize(colours_.size());
  list_counts_.resize(colours_.size());
  for (uint32_t graph = 0; graph < ids_.size(); ++graph) {
    for (uint64_t i = graph == 0 ? 0 : ends_[graph - 1]; i < ends_[graph]; ++i) {
      const uint64_t at = next[colours_[i]]++;
      list_graphs_[at] = graph;
      list_counts_[at] = counts_[i];
    }
  }
  sums_.resize(ids_.size());
}

std::vector<Hit> Baselines::Rank(const Query& query, const std::vector<uint16_t>& kernels) const {
  TopK top(query);
  // What a graph of each size needs to be among the best, remembered: a comparison a graph, no division.
  const BoundUnits units(query);
  NeedTable need(units);
  need.SetSimilarity(top.least_similarity());
  for (uint32_t graph = 0; graph < kernels.size(); ++graph) {
    if (kernels[graph] >= need(vertex_counts_[graph])) {
      top.Offer({{static_cast<double>(kernels[graph]), vertex_counts_[graph]}, ids_[graph]});
      need.SetSimilarity(top.least_similarity());
    }
  }
  return top.TakeHits();
}

std::vector<Hit> Baselines::MergeHistograms(const Query& query) const {
  std::vector<Histogram::Entry> entries(query.histogram.entries().begin(), query.histogram.entries().end());
  std::ranges::sort(entries, {}, &Histogram::Entry::colour);
  std::vector<uint16_t> kernels(ids_.size());
  for (uint32_t graph = 0; graph < ids_.size(); ++graph) {
    uint64_t i = graph == 0 ? 0 : ends_[graph - 1];
    uint32_t kernel = 0;
    for (auto entry = entries.begin(); i < ends_[graph] && entry != entries.end();) {
      if (colours_[i] < Raw(entry->colour)) {
        ++i;
      } else if (colours_[i] > Raw(entry->colour)) {
        ++entry;
      } else {
        kernel += std::min<uint32_t>(counts_[i++], entry++->count);
      }
    }
    kernels[graph] = static_cast<uint16_t>(kernel);
  }
  return Rank(query, kernels);
}

void Baselines::AddLists(const Histogram& histogram, std::vector<uint16_t>& sums) const {
  sums.assign(ids_.size(), 0);
  for (const Histogram::Entry& entry : histogram.entries()) {
    const uint32_t colour = Raw(entry.colour);
    if (colour >= list_ends_.size()) {
      continue;
    }
    const uint64_t end = list_ends_[colour];
    const auto count = static_cast<uint16_t>(entry.count);
    for (uint64_t i = colour == 0 ? 0 : list_ends_[colour - 1]; i < end; ++i) {
      uint16_t& sum = sums[list_graphs_[i]];
      sum = static_cast<uint16_t>(sum + std::min(count, list_counts_[i]));
    }
  }
}

std::vector<Hit> Baselines::AddLists(const Query& query) {
  AddLists(query.histogram, sums_);
  return Rank(query, sums_);
}

std::vector<RecommendHit> Baselines::AddLists(const RecommendQuery& query) const {
  const size_t count = query.examples.size();
  std::vector<std::vector<uint16_t>> sums(count);
  std::vector<double> selves(count);
  std::vector<double> self_kernels;  // By vertex count.
  for (size_t i = 0; i < count; ++i) {
    AddLists(query.examples[i].histogram, sums[i]);
    selves[i] = query.scoring.SelfKernel(query.examples[i].histogram.vertex_count());
  }
  const uint32_t largest = *std::ranges::max_element(vertex_counts_);
  for (uint32_t n = 0; n <= largest; ++n) {
    self_kernels.push_back(query.scoring.SelfKernel(n));
  }
  BestRecommended best(query);
  std::vector<double> kernels(count);
  for (uint32_t graph = 0; graph < ids_.size(); ++graph) {
    double score = query.NoScore();
    for (size_t i = 0; i < count; ++i) {
      kernels[i] = sums[i][graph];
      score = query.AddScore(
          score, query.examples[i],
          query.scoring.SimilarityOf(kernels[i], selves[i], self_kernels[vertex_counts_[graph]]));
    }
    if (score >= best.least()) {
      best.Offer(ids_[graph], kernels, vertex_counts_[graph]);
    }
  }
  return best.TakeHits();
}

}  // namespace kindred::bench
