// All pairs of graphs that are similar enough, by definition: every two are compared. Shares no code with
// index/ beyond Graph and the words of a question.
//
// Colours are those of the reference model, strings that spell out a neighbourhood, numbered here so that
// thousands of graphs can be compared with each other; what every two share is computed once, and kept.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "index/graph/graph.h"
#include "index/histogram/measure.h"

namespace kindred::test {

struct IdPair {
  std::string a;  // The smaller id.
  std::string b;
  double kernel = 0;
  double similarity = 0;

  friend auto operator<=>(const IdPair&, const IdPair&) = default;
  friend void PrintTo(const IdPair& pair, std::ostream* out) {
    *out << pair.a << " " << pair.b << " " << pair.kernel << " " << pair.similarity;
  }
};

struct PairQuestion {
  Measure measure = Measure::kTanimoto;
  double min_similarity = 0.5;
  std::optional<uint32_t> depth = {};  // Default: the model's.
  std::vector<double> weights = {};    // Default: all 1.
};

class NaivePairs {
 public:
  explicit NaivePairs(Level depth) : depth_(depth) {}

  // REQUIRES: no graph of this id is there.
  void Add(const std::string& id, const Graph& graph);
  // What was computed stays.
  void Remove(const std::string& id);

  // In the order of the ids.
  std::vector<IdPair> Pairs(const PairQuestion& question) const;
  // The similarity of any two, to be asked for at the very edge.
  double Similarity(size_t i, size_t j, const PairQuestion& question) const;
  size_t size() const { return graphs_.size(); }
  const std::string& id(size_t i) const { return graphs_[i].id; }
  bool removed(size_t i) const { return graphs_[i].removed; }

 private:
  struct Entry {
    std::string id;
    uint32_t vertices = 0;
    // A level each: colours, ascending, with their counts.
    std::vector<std::vector<std::pair<uint32_t, uint32_t>>> levels;
    bool removed = false;
  };

  struct Scored {
    double kernel = 0;
    double similarity = 0;
  };

  void FillOverlaps(size_t i) const;
  // REQUIRES: j < i; overlaps of i.
  Scored ScoreOf(size_t i, size_t j, const PairQuestion& question) const;

  Level depth_;
  std::map<std::string, uint32_t> colours_;
  std::vector<Entry> graphs_;
  // Of graph i with each before it, level by level; computed when asked for.
  mutable std::vector<std::vector<uint16_t>> overlaps_;
};

}  // namespace kindred::test
