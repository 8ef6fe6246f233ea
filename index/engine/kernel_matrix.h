// The kernel matrix of some graphs of one snapshot, computed row by row.
//
// Colours come from the stored histograms; edges, graphlets and paths from the stored graphs.
//
// Threads: immutable after Create; rows may be computed from several threads at once.
// Cost: keeps the counted features of its graphs in memory (kernels/gram.h), and never the matrix.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "index/base/limits.h"
#include "index/base/parallel.h"
#include "index/engine/snapshot.h"
#include "index/kernels/gram.h"
#include "index/kernels/kernel_kind.h"

namespace kindred {

struct KernelRequest {
  std::optional<uint32_t> depth;
  bool normalize = false;
  std::vector<std::string> ids;  // Empty: all, in the order of their commits.
  std::string row_tag;           // Empty: none.
  KernelKind kind = KernelKind::kWlOa;
};

class KernelMatrix {
 public:
  // NOT_FOUND for an id that is not stored; RESOURCE_EXHAUSTED beyond kernel_graphs_max or
  // kernel_entries_max.
  static absl::StatusOr<KernelMatrix> Create(const Snapshot& snapshot, const KernelRequest& request,
                                             const Limits& limits, const Interrupt& interrupt,
                                             const ParallelFor& parallel_for = ForEachInTurn);

  size_t size() const { return rows_.size(); }
  const std::string& id(size_t row) const { return rows_[row].id; }
  const std::string& tag(size_t row) const { return rows_[row].tag; }
  absl::StatusOr<std::vector<double>> Values(size_t row, const Interrupt& interrupt) const;

  const Gram& gram() const { return gram_; }

 private:
  struct Row {
    std::string id;
    std::string tag;
  };

  KernelMatrix(bool normalize, std::vector<Row> rows, Gram gram)
      : normalize_(normalize), rows_(std::move(rows)), gram_(std::move(gram)) {}

  bool normalize_;
  std::vector<Row> rows_;
  Gram gram_;  // Graph i of it is row i.
};

}  // namespace kindred
