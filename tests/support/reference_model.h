// The index by definition: a map of graphs, compared one by one. Shares no code with index/ beyond Graph
// and the words of a question (Measure, Hit).
//
// A colour is a string that spells out its whole neighbourhood, so that equality of colours is equality of
// strings, without hashes, ids or a hierarchy. The strings grow with degree^level: keep graphs small.
//
// Answers: with integral weights compared as fractions of 128-bit integers, by the definition of each
// measure; with others by the double of the documented formula (index/histogram/measure.h).

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "index/base/ids.h"
#include "index/graph/graph.h"
#include "index/histogram/measure.h"
#include "index/search/searcher.h"

namespace kindred::test {

// The colours of each vertex: [level][vertex].
using NaiveColours = std::vector<std::vector<std::string>>;
NaiveColours NaiveColoursOf(const Graph& graph, Level depth);

// How many vertices wear each colour: [level][colour].
using NaiveHistogram = std::vector<std::map<std::string, uint32_t>>;
NaiveHistogram NaiveHistogramOf(const Graph& graph, Level depth);

// I_0, I_1, ... of two histograms of one depth.
std::vector<uint64_t> NaiveOverlaps(const NaiveHistogram& a, const NaiveHistogram& b);

struct ModelQuery {
  Measure measure = Measure::kTanimoto;
  std::optional<uint32_t> depth = {};  // Default: the model's.
  std::vector<double> weights = {};    // Default: all 1.
  uint32_t k = 10;
  std::optional<double> min_similarity = {};
};

class ReferenceModel {
 public:
  explicit ReferenceModel(Level depth) : depth_(depth) {}

  // True: a graph of this id was there before.
  bool Put(const std::string& id, const Graph& graph);
  bool Delete(const std::string& id);

  size_t size() const { return graphs_.size(); }
  bool contains(const std::string& id) const { return graphs_.contains(id); }
  const Graph& graph(const std::string& id) const { return graphs_.at(id).graph; }
  std::vector<std::string> ids() const;

  std::vector<Hit> Search(const Graph& query, const ModelQuery& how) const;

 private:
  struct Entry {
    Graph graph;
    NaiveHistogram histogram;
  };

  Level depth_;
  std::map<std::string, Entry> graphs_;
};

}  // namespace kindred::test
