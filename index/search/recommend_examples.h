// The examples of a recommendation, each made ready to be searched for, and the self-kernels that turn a
// kernel into a similarity.
//
// Threads: one recommendation.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "index/search/bound_units.h"
#include "index/search/recommendation.h"

namespace kindred {

class RecommendExamples {
 public:
  struct Example {
    Query query;
    BoundUnits units;
    double self_kernel = 0;

    Example(const RecommendQuery& asked, const RecommendQuery::Example& example)
        : query{example.histogram, asked.scoring, asked.k, std::nullopt},
          units(query),
          self_kernel(asked.scoring.SelfKernel(example.histogram.vertex_count())) {}
  };

  // `query` must outlive this.
  explicit RecommendExamples(const RecommendQuery& query) : query_(query) {
    for (const RecommendQuery::Example& example : query.examples) {
      examples_.emplace_back(query, example);
    }
  }

  const RecommendQuery& query() const { return query_; }
  size_t size() const { return examples_.size(); }
  const Example& operator[](size_t i) const { return examples_[i]; }

  // K(G,G) of a graph of so many vertices, remembered. Of an empty slot something above 0.
  double SelfKernel(uint32_t vertex_count) {
    if (vertex_count >= self_kernels_.size()) {
      self_kernels_.resize(vertex_count + 1, 0);
    }
    double& self = self_kernels_[vertex_count];
    if (self == 0) {
      self = query_.scoring.SelfKernel(std::max(vertex_count, 1u));
    }
    return self;
  }

 private:
  const RecommendQuery& query_;
  std::deque<Example> examples_;  // Stay where they are: their units and terms are pointed at.
  std::vector<double> self_kernels_;
};

}  // namespace kindred
