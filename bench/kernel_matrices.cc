#include "bench/kernel_matrices.h"

#include <atomic>

#include "index/base/check.h"
#include "index/base/status.h"
#include "index/hierarchy/refinement.h"

namespace kindred::bench {
namespace {

constexpr float kExactMax = 1 << 24;

// Adds the matrix of `gram` to `sum`.
void AddTriangle(const Gram& gram, const ParallelFor& parallel_for, Matrix& sum) {
  const size_t size = gram.size();
  parallel_for(size, [&](size_t row) {
    std::vector<double> values(size - row);
    KINDRED_CHECK(gram.Row(row, row, values, Interrupt()).ok());
    for (size_t i = 0; i < values.size(); ++i) {
      float& value = sum.values[row * size + row + i];
      value += static_cast<float>(values[i]);
      KINDRED_CHECK(value <= kExactMax);
    }
  });
  for (size_t row = 0; row < size; ++row) {
    for (size_t column = row + 1; column < size; ++column) {
      sum.values[column * size + row] = sum.at(row, column);
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<Matrix>> KernelMatrices(KernelKind kind, Level depth_max,
                                                   const std::vector<Graph>& graphs,
                                                   const ParallelFor& parallel_for) {
  const KernelTraits& traits = TraitsOf(kind);
  Matrix sum{graphs.size(), std::vector<float>(graphs.size() * graphs.size(), 0)};
  std::vector<Matrix> matrices;
  if (!traits.has_depth) {
    std::vector<const Graph*> pointers;
    pointers.reserve(graphs.size());
    for (const Graph& graph : graphs) {
      pointers.push_back(&graph);
    }
    GraphFeatures features(kind, 0);
    Gram::Builder builder(traits.combination, UINT64_MAX);
    KINDRED_RETURN_IF_ERROR(features.Add(pointers, parallel_for, Interrupt(), builder));
    AddTriangle(std::move(builder).Build(), parallel_for, sum);
    matrices.push_back(std::move(sum));
    return matrices;
  }
  ColourHierarchy hierarchy;
  std::vector<Histogram> histograms;
  for (const Graph& graph : graphs) {
    VertexColours colours = RefineKnown(hierarchy.view(), graph, depth_max);
    IssueMissing(hierarchy, graph, colours);
    histograms.push_back(Histogram::Of(colours));
  }
  // A level adds to the levels above it, so that each pair is looked at once a level.
  for (Level level = 0; level <= depth_max; ++level) {
    Gram::Builder builder(traits.combination, UINT64_MAX);
    for (const Histogram& histogram : histograms) {
      std::vector<FeatureCount> features;
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        features.push_back({Raw(entry.colour), entry.count});
      }
      KINDRED_RETURN_IF_ERROR(builder.Add(features));
    }
    AddTriangle(std::move(builder).Build(), parallel_for, sum);
    matrices.push_back(sum);
  }
  return matrices;
}

}  // namespace kindred::bench
