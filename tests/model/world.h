// What a daemon must hold, and answer, after everything that was done to it: maps and loops, and the oracles
// of tests/support, which share no code with index/ beyond Graph and the words of a question.
//
// Threads: any number of readers beside each other; one writer alone.
// Cost: a question compares every stored graph; pairs and clusters every two.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kindred/v1/kindred.pb.h"
#include "tests/support/naive_clusters.h"
#include "tests/support/naive_pairs.h"
#include "tests/support/novelty_model.h"
#include "tests/support/random_filter.h"
#include "tests/support/recommend_model.h"
#include "tests/support/reference_model.h"

namespace kindred::test {

// A record as the model keeps it.
struct KeptRecord {
  Graph graph;
  std::string payload;
  TagMap tags;
  uint64_t sequence = 0;  // Of the commit that stored it.
};

using Matches = std::function<bool(const TagMap&)>;

class World {
 public:
  explicit World(Level depth) : depth_(depth), model_(depth), recommend_(depth) {}

  Level depth() const { return depth_; }
  uint64_t sequence() const { return sequence_; }
  const std::map<std::string, KeptRecord>& records() const { return records_; }
  bool contains(const std::string& id) const { return records_.contains(id); }
  // In the order of their commits.
  std::vector<std::string> InOrder() const;

  // What the write does; it is done.
  v1::Outcome::Kind Put(const std::string& id, const KeptRecord& record, v1::WriteMode mode);
  v1::Outcome::Kind Delete(const std::string& id);
  // A commit that changes no graph.
  void Pass() { ++sequence_; }

  // Everything that matches, in the order of the answers, from the best on.
  std::vector<Hit> Search(const Graph& query, const ModelQuery& how, const Matches& matches,
                          const std::set<std::string>& excluded) const;
  std::vector<RecommendHit> Recommend(const ModelTaste& taste, const Matches& matches) const;
  std::optional<ClosestGraph> Closest(const Graph& graph, const NoveltyParts& rule,
                                      const Matches& matches) const;
  // Every two of those that match.
  NaivePairs Pairs(const Matches& matches) const;

 private:
  Level depth_;
  uint64_t sequence_ = 0;
  std::map<std::string, KeptRecord> records_;
  ReferenceModel model_;
  RecommendModel recommend_;
};

}  // namespace kindred::test
