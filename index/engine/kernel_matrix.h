// The kernel matrix of some graphs of one snapshot, computed row by row.
//
// Threads: immutable after Create; rows may be computed from several threads at once.
// Cost: keeps the lists of its graphs in memory; a row reads the lists of one graph's colours.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/engine/snapshot.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "index/lists/colour_lists.h"
#include "index/search/interrupt.h"

namespace kindred {

struct KernelRequest {
  std::optional<uint32_t> depth;
  bool normalize = false;
  std::vector<std::string> ids;  // Empty: all, in the order of their commits.
  std::string row_tag;           // Empty: none.
};

class KernelMatrix {
 public:
  // NOT_FOUND for an id that is not stored; RESOURCE_EXHAUSTED beyond kernel_graphs_max.
  static absl::StatusOr<KernelMatrix> Create(const Snapshot& snapshot, const KernelRequest& request,
                                             const Limits& limits, const Interrupt& interrupt);

  size_t size() const { return rows_.size(); }
  const std::string& id(size_t row) const { return rows_[row].id; }
  const std::string& tag(size_t row) const { return rows_[row].tag; }
  absl::StatusOr<std::vector<double>> Values(size_t row, const Interrupt& interrupt) const;

 private:
  struct Row {
    std::string id;
    std::string tag;
    Histogram histogram;
  };

  KernelMatrix(Scoring scoring, std::vector<Row> rows);

  Scoring scoring_;  // Kernel, or cosine for a normalized matrix.
  std::vector<Row> rows_;
  ColourLists lists_;  // Graph i of it is row i.
};

}  // namespace kindred
