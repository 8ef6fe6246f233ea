// The features of some graphs side by side, graph after graph: what a segment is ordered and built from.
//
// Temporary: a segment keeps its graphs only inverted.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kindred {

// A colour a graph wears: the features first, ..., first + count - 1.
struct FeatureRun {
  uint32_t first = 0;
  uint32_t count = 0;
};

class ForwardLists {
 public:
  void Add(FeatureRun run) { runs_.push_back(run); }
  // Closes the graph whose runs were added since the last call.
  void EndGraph() { ends_.push_back(runs_.size()); }
  void Clear() {
    ends_.clear();
    runs_.clear();
  }

  uint32_t graph_count() const { return static_cast<uint32_t>(ends_.size()); }
  size_t run_count() const { return runs_.size(); }
  // Counted over all graphs.
  FeatureRun& run(size_t number) { return runs_[number]; }
  std::span<const FeatureRun> graph(uint32_t number) const {
    const size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span(runs_).subspan(begin, ends_[number] - begin);
  }

 private:
  std::vector<size_t> ends_;
  std::vector<FeatureRun> runs_;
};

}  // namespace kindred
