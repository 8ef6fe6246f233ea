// An index of queries: which of them is a graph similar enough to? Exact, for every measure, depth and
// weights.
//
// Each query has chosen a few rare colours of its own such that a graph without any of them is too far away
// (search/query_cover.h). A graph's colours are looked up; of the queries found, those whose sizes fit and
// that may still reach their floor, by what is shared of the chosen colours, are compared with the graph,
// level by level. Which colours are rare is learned from the first graphs (search/colour_shares.h).
//
// A query may wear colours that no stored graph has worn yet, and that the next one brings along. It waits
// for them (hierarchy/awaited_colours.h), and is refined again when one is issued.
//
// Threads: one user; beside a growing writer.
// Cost: Match reads one bit for most colours of the graph, 64 bytes for a query found, and scores those left.
//       Memory: a query's histogram, and its graph until all its colours are known: about 100 bytes a vertex.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "index/graph/graph.h"
#include "index/hierarchy/awaited_colours.h"
#include "index/hierarchy/refinement.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "index/search/colour_postings.h"
#include "index/search/colour_shares.h"
#include "index/search/graph_counts.h"
#include "index/search/matched_graph.h"
#include "index/search/query_cover.h"
#include "index/search/similarity_floor.h"

namespace kindred {

struct StandingMatch {
  uint32_t query = 0;
  double kernel = 0;
  double similarity = 0;

  friend bool operator==(const StandingMatch&, const StandingMatch&) = default;
};

class StandingQueries {
 public:
  // `hierarchy` must outlive this.
  StandingQueries(const ColourHierarchy& hierarchy, Scoring scoring);

  // One more, to be matched by graphs at least this similar; they are numbered 0, 1, ... REQUIRES: least > 0.
  void Add(Graph graph, double least);
  uint32_t size() const { return static_cast<uint32_t>(queries_.size()); }

  // What colours are issued by now is to be learned, ...
  void NoteIssued() { awaited_.NoteIssued(); }
  // ... a bounded part of it in each call. True once all that was noted is.
  bool CatchUp();

  // Appends the queries the graph is similar enough to, in their order. REQUIRES: its colours were noted, and
  // CatchUp returned true since.
  void Match(const MatchedGraph& graph, std::vector<StandingMatch>& matches);

  struct Stats {
    uint64_t graphs = 0;
    uint64_t postings_read = 0;
    uint64_t scored = 0;
    uint64_t refined = 0;
  };
  const Stats& stats() const { return stats_; }

 private:
  // What is not known of a query yet.
  struct Open {
    Graph graph;
    std::vector<Level>
        awaited;  // A vertex each: the level of the signature it waits for, or waited for last.
  };
  struct Query {
    Histogram histogram;
    std::vector<ColourId> chosen;
    std::unique_ptr<Open> open;  // Null: all its colours are known.
    bool stale = false;          // In stale_.
  };
  // What decides whether a graph that is being matched can be similar enough to a query: by its size, and by
  // what it shares of the chosen colours.
  struct Gathered {
    SimilarityFloor floor;
    double kernel_apart = 0;
    double kernel_most = 0;
    uint32_t stamp = 0;  // Of the graph it was gathered for.
  };
  static constexpr Level kNone = UINT8_MAX;

  void MakeStale(uint32_t number);
  void Refine(uint32_t number);
  void Await(uint32_t number, const MissingColours& missing);
  void Choose(uint32_t number);
  void LearnShares(const MatchedGraph& graph);
  void Gather(const MatchedGraph& graph);
  std::optional<StandingMatch> ScoreGraph(uint32_t number, uint32_t vertex_count, double needed) const;

  const ColourHierarchy& hierarchy_;
  const Scoring scoring_;
  const std::vector<double> deeper_weights_;
  Refiner refiner_;
  AwaitedColours awaited_;
  ColourShares shares_;
  std::vector<Query> queries_;
  std::vector<Gathered> gathered_;  // A query each.
  ColourPostings postings_;
  std::deque<uint32_t> stale_;  // To be refined again, or to choose again.

  // Of the graph that is being matched.
  uint32_t stamp_ = 0;
  std::vector<uint32_t> touched_;
  GraphCounts counts_;
  Stats stats_;
};

}  // namespace kindred
