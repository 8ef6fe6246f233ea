// An index of queries: which of them is a graph similar enough to? Exact, for every measure, depth and
// weights.
//
// All colours stand in one order, those that few queries wear first (search/colour_postings.h). Of a query
// and a graph that are similar enough the first colour they share comes early for both, since each has lost
// what comes before it (search/colour_walk.h). So a query has postings with its first colours only, with the
// sizes of graphs that can be similar enough after what was lost; a graph looks its own first colours up; and
// the queries found are compared with it, level by level.
//
// A query may wear colours that no stored graph has worn yet, and that the next one brings along. It waits
// for them (hierarchy/awaited_colours.h), and is refined again when one is issued.
//
// Threads: one user; beside a growing writer.
// Cost: Match reads one bit for most colours of the graph, the postings of a fifth of them or so, and scores
//       what is left: a few of them, hardly more with many queries than with few. Memory: a query's
//       histogram and postings, and its graph until all its colours are known: about 150 bytes a vertex.

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
#include "index/search/colour_walk.h"
#include "index/search/graph_counts.h"
#include "index/search/matched_graph.h"
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
  // the last CatchUp, after the last Add, returned true.
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
    std::vector<ColourId> found_by;  // Colours with a posting of it.
    std::unique_ptr<Open> open;      // Null: all its colours are known.
    bool stale = false;              // In stale_,
    bool to_refine = false;          // and not only for an order that changed.
  };
  // What decides whether a query is compared with the graph that is being matched.
  struct Asked {
    SimilarityFloor floor;
    uint32_t stamp = 0;  // Of the graph it was found by last.
  };
  static constexpr Level kNone = UINT8_MAX;

  void MakeStale(uint32_t number, bool to_refine);
  void Refine(uint32_t number);
  void Await(uint32_t number, const MissingColours& missing);
  void CountWearers(const Histogram& before, const Histogram& now);
  void FixOrder();
  void Post(uint32_t number);
  void Find(const MatchedGraph& graph, const GraphSize& size);
  std::optional<StandingMatch> ScoreGraph(uint32_t number, uint32_t vertex_count, double needed) const;

  const ColourHierarchy& hierarchy_;
  const Scoring scoring_;
  const std::vector<double> deeper_weights_;
  Refiner refiner_;
  AwaitedColours awaited_;
  std::vector<Query> queries_;
  std::vector<Asked> asked_;  // A query each.
  double least_ = 0;          // The least of all.
  ColourPostings postings_;
  uint64_t worn_ = 0;           // Colours of all queries that were counted,
  uint64_t worn_at_order_ = 0;  // and when the order was fixed.
  ColourWalk walk_;
  std::deque<uint32_t> stale_;  // To be refined, or posted, again.

  // Of the graph that is being matched.
  uint32_t stamp_ = 0;
  std::vector<uint32_t> found_;
  GraphCounts counts_;
  Stats stats_;
};

}  // namespace kindred
