#include "index/engine/kernel_matrix.h"

#include <algorithm>
#include <utility>

#include "index/base/status.h"
#include "index/search/list_sum.h"

namespace kindred {
namespace {

absl::StatusOr<std::vector<GraphId>> SelectGraphs(const Snapshot& snapshot,
                                                  const std::vector<std::string>& ids) {
  std::vector<GraphId> graphs;
  for (size_t i = 0; i < ids.size(); ++i) {
    KINDRED_ASSIGN_OR_RETURN(const auto found, snapshot.store->FindGraph(ids[i]));
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

absl::StatusOr<std::string> ReadTag(const Snapshot& snapshot, GraphId id, const std::string& key) {
  if (key.empty()) {
    return std::string();
  }
  KINDRED_ASSIGN_OR_RETURN(const StoredRecord record, snapshot.store->ReadRecord(id));
  const auto tag = std::ranges::find(record.tags, key, &Tags::value_type::first);
  return tag == record.tags.end() ? std::string() : tag->second;
}

}  // namespace

KernelMatrix::KernelMatrix(Scoring scoring, std::vector<Row> rows)
    : scoring_(std::move(scoring)), rows_(std::move(rows)) {
  ColourLists::Builder builder;
  for (const Row& row : rows_) {
    builder.Add(row.histogram.entries());
  }
  lists_ = std::move(builder).Build();
}

absl::StatusOr<KernelMatrix> KernelMatrix::Create(const Snapshot& snapshot, const KernelRequest& request,
                                                  const Limits& limits, const Interrupt& interrupt) {
  const uint64_t size = request.ids.empty() ? snapshot.graph_count() : request.ids.size();
  if (size > limits.kernel_graphs_max) {
    return OverLimit("graphs of the matrix", size, "kernel_graphs_max", limits.kernel_graphs_max);
  }
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring,
                           Scoring::Create(request.normalize ? Measure::kCosine : Measure::kKernel,
                                           snapshot.store->depth(), request.depth, {}));
  KINDRED_ASSIGN_OR_RETURN(const std::vector<GraphId> graphs, SelectGraphs(snapshot, request.ids));
  std::vector<Row> rows;
  for (const GraphId id : graphs) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    KINDRED_ASSIGN_OR_RETURN(StoredHistogram stored, snapshot.store->ReadHistogram(id));
    KINDRED_ASSIGN_OR_RETURN(std::string tag, ReadTag(snapshot, id, request.row_tag));
    rows.push_back({std::move(stored.external_id), std::move(tag), std::move(stored.histogram)});
  }
  return KernelMatrix(std::move(scoring), std::move(rows));
}

absl::StatusOr<std::vector<double>> KernelMatrix::Values(size_t row, const Interrupt& interrupt) const {
  SearchStats stats;
  KINDRED_ASSIGN_OR_RETURN(std::vector<double> values,
                           SumLists(lists_, rows_[row].histogram, scoring_, interrupt, stats));
  const uint32_t row_vertices = rows_[row].histogram.vertex_count();
  for (size_t column = 0; column < values.size(); ++column) {
    const Score score{values[column], rows_[column].histogram.vertex_count()};
    values[column] = scoring_.Similarity(score, row_vertices);
  }
  return values;
}

}  // namespace kindred
