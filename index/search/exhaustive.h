// The oracle: compares the query with every stored histogram, one after the other.
//
// Plain and obviously right. It shares no code with the other searchers beyond the definition of a
// score (histogram/measure.h): no lists, no bounds, an order of its own. In the daemon the histograms
// come from disk, so that it checks what is stored, too.

#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "index/search/searcher.h"

namespace kindred {

// Calls `visit` for every graph of a snapshot, in any order, until it returns an error, and returns that.
using HistogramVisitor = std::function<absl::Status(std::string_view external_id, const Histogram&)>;
using HistogramSource = std::function<absl::Status(const HistogramVisitor& visit)>;

class ExhaustiveSearcher : public Searcher {
 public:
  explicit ExhaustiveSearcher(HistogramSource source) : source_(std::move(source)) {}

  absl::StatusOr<Answer> Search(const Query& query, const Interrupt& interrupt) const override;

 private:
  HistogramSource source_;
};

}  // namespace kindred
