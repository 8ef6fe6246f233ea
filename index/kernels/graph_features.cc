#include "index/kernels/graph_features.h"

#include <optional>
#include <string_view>
#include <utility>

#include "index/base/status.h"
#include "index/hierarchy/refinement.h"

namespace kindred {

std::vector<FeatureCount> ColourFeatureCounts(const Histogram& histogram, Level depth) {
  std::vector<FeatureCount> features;
  for (Level level = 0; level <= depth; ++level) {
    for (const Histogram::Entry& entry : histogram.at_level(level)) {
      features.push_back({Raw(entry.colour), entry.count});
    }
  }
  return features;
}

GraphFeatures::GraphFeatures(KernelKind kind, Level depth)
    : traits_(TraitsOf(kind)), depth_(traits_.has_depth ? depth : Level{0}), parts_(HashKey::Random()) {}

absl::Status GraphFeatures::Add(std::span<const Graph* const> graphs, const ParallelFor& parallel_for,
                                const Interrupt& interrupt, Gram::Builder& gram) {
  return traits_.part == PartKind::kColour ? AddColours(graphs, parallel_for, interrupt, gram)
                                           : AddParts(graphs, parallel_for, interrupt, gram);
}

absl::Status GraphFeatures::AddColours(std::span<const Graph* const> graphs, const ParallelFor& parallel_for,
                                       const Interrupt& interrupt, Gram::Builder& gram) {
  // As a writer does: what is known is looked up on all threads, what is new is issued in order.
  std::vector<std::optional<VertexColours>> colours(graphs.size());
  parallel_for(graphs.size(),
               [&](size_t i) { colours[i] = RefineKnown(hierarchy_.view(), *graphs[i], depth_); });
  for (size_t i = 0; i < graphs.size(); ++i) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    IssueMissing(hierarchy_, *graphs[i], *colours[i]);
    KINDRED_RETURN_IF_ERROR(gram.Add(ColourFeatureCounts(Histogram::Of(*colours[i]), depth_)));
  }
  return absl::OkStatus();
}

absl::Status GraphFeatures::AddParts(std::span<const Graph* const> graphs, const ParallelFor& parallel_for,
                                     const Interrupt& interrupt, Gram::Builder& gram) {
  std::vector<std::vector<uint32_t>> labels;
  for (const Graph* const graph : graphs) {
    labels.push_back(NumberLabels(*graph));
  }
  // All that is counted here at one time is within what the matrix may hold.
  PartBudget budget{gram.entries_max(), interrupt, {}};
  std::vector<absl::StatusOr<std::vector<Part>>> parts(graphs.size());
  parallel_for(graphs.size(),
               [&](size_t i) { parts[i] = PartsOf(traits_.part, *graphs[i], labels[i], budget); });
  for (const auto& of_graph : parts) {
    KINDRED_RETURN_IF_ERROR(of_graph.status());
    auto features = NumberParts(*of_graph);
    if (!features.ok()) {
      return Annotate(features.status(), fmt::format("graph {} of the matrix: ", gram.size() + 1));
    }
    KINDRED_RETURN_IF_ERROR(gram.Add(*features));
  }
  return absl::OkStatus();
}

std::vector<uint32_t> GraphFeatures::NumberLabels(const Graph& graph) {
  std::vector<uint32_t> numbers;
  for (const std::string& label : graph.labels()) {
    numbers.push_back(Raw(hierarchy_.InternLabel(label)));
  }
  return numbers;
}

absl::StatusOr<std::vector<FeatureCount>> GraphFeatures::NumberParts(std::span<const Part> parts) {
  std::vector<FeatureCount> features;
  for (const Part& part : parts) {
    if (part.count > kPartCountMax) {
      return MakeStatus(absl::StatusCode::kResourceExhausted,
                        "it has one kind of part {} times; at most {} can be counted", part.count,
                        kPartCountMax);
    }
    const std::string_view bytes(reinterpret_cast<const char*>(part.key.data()), sizeof(part.key));
    features.push_back({parts_.Intern(bytes), static_cast<uint32_t>(part.count)});
  }
  return features;
}

}  // namespace kindred
