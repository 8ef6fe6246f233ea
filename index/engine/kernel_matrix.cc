#include "index/engine/kernel_matrix.h"

#include <algorithm>
#include <span>
#include <utility>

#include "index/base/status.h"
#include "index/histogram/measure.h"
#include "index/kernels/graph_features.h"

namespace kindred {
namespace {

// Read and counted together, on all threads; their records are in memory at the same time.
constexpr size_t kBatch = 64;

absl::StatusOr<std::vector<GraphId>> SelectGraphs(const Snapshot& snapshot,
                                                  const std::vector<std::string>& ids) {
  std::vector<GraphId> graphs;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::optional<GraphId> found = snapshot.FindGraph(ids[i]);
    if (!found) {
      return MakeStatus(absl::StatusCode::kNotFound, "ids[{}]: no graph has the id '{}'", i, ids[i]);
    }
    graphs.push_back(*found);
  }
  if (!ids.empty()) {
    return graphs;
  }
  for (const SegmentView& view : snapshot.segments) {
    view.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      if (view.is_live(slot)) {
        graphs.push_back(id);
      }
    });
  }
  return graphs;
}

std::string FindTag(const Tags& tags, const std::string& key) {
  const auto tag = std::ranges::find(tags, key, &Tags::value_type::first);
  return tag == tags.end() ? std::string() : tag->second;
}

// What of a stored graph goes into the matrix.
struct Read {
  std::string id;
  std::string tag;
  std::optional<Graph> graph;  // For parts; colours are counted already.
  std::vector<FeatureCount> colours;
};

absl::StatusOr<Read> ReadGraph(const StoreView& store, GraphId id, const KernelRequest& request,
                               Level depth) {
  const bool of_colours = TraitsOf(request.kind).part == PartKind::kColour;
  Read read;
  if (of_colours) {
    KINDRED_ASSIGN_OR_RETURN(StoredHistogram stored, store.ReadHistogram(id));
    read.id = std::move(stored.external_id);
    read.colours = ColourFeatureCounts(stored.histogram, depth);
  }
  if (!of_colours || !request.row_tag.empty()) {
    KINDRED_ASSIGN_OR_RETURN(StoredRecord record, store.ReadRecord(id));
    read.id = std::move(record.external_id);
    read.tag = FindTag(record.tags, request.row_tag);
    if (!of_colours) {
      read.graph = std::move(record.graph);
    }
  }
  return read;
}

absl::StatusOr<Level> DepthOf(const KernelRequest& request, Level index_depth) {
  if (!TraitsOf(request.kind).has_depth) {
    return Level{0};
  }
  KINDRED_ASSIGN_OR_RETURN(const Scoring scoring,
                           Scoring::Create(Measure::kKernel, index_depth, request.depth, {}));
  return scoring.depth();
}

}  // namespace

absl::StatusOr<KernelMatrix> KernelMatrix::Create(const Snapshot& snapshot, const KernelRequest& request,
                                                  const Limits& limits, const Interrupt& interrupt,
                                                  const ParallelFor& parallel_for) {
  const uint64_t size = request.ids.empty() ? snapshot.graph_count() : request.ids.size();
  if (size > limits.kernel_graphs_max) {
    return OverLimit("graphs of the matrix", size, "kernel_graphs_max", limits.kernel_graphs_max);
  }
  KINDRED_ASSIGN_OR_RETURN(const Level depth, DepthOf(request, snapshot.store->depth()));
  KINDRED_ASSIGN_OR_RETURN(const std::vector<GraphId> graphs, SelectGraphs(snapshot, request.ids));
  std::vector<Row> rows;
  GraphFeatures features(request.kind, depth);
  Gram::Builder gram(TraitsOf(request.kind).combination, limits.kernel_entries_max);
  for (size_t begin = 0; begin < graphs.size(); begin += kBatch) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    std::vector<absl::StatusOr<Read>> batch(std::min(kBatch, graphs.size() - begin));
    parallel_for(batch.size(),
                 [&](size_t i) { batch[i] = ReadGraph(*snapshot.store, graphs[begin + i], request, depth); });
    std::vector<const Graph*> parts;
    for (absl::StatusOr<Read>& read : batch) {
      KINDRED_RETURN_IF_ERROR(read.status());
      if (read->graph) {
        parts.push_back(&*read->graph);
      } else {
        KINDRED_RETURN_IF_ERROR(gram.Add(read->colours));
      }
      rows.push_back({std::move(read->id), std::move(read->tag)});
    }
    if (!parts.empty()) {
      KINDRED_RETURN_IF_ERROR(features.Add(parts, parallel_for, interrupt, gram));
    }
  }
  return KernelMatrix(request.normalize, std::move(rows), std::move(gram).Build());
}

absl::StatusOr<std::vector<double>> KernelMatrix::Values(size_t row, const Interrupt& interrupt) const {
  std::vector<double> values(size());
  KINDRED_RETURN_IF_ERROR(gram_.Row(row, 0, values, interrupt));
  if (normalize_) {
    gram_.Normalize(row, 0, values);
  }
  return values;
}

}  // namespace kindred
