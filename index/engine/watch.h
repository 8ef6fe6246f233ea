// One client's standing queries and how far it has come: a position in the history of the index, from which
// it pulls the graphs that were stored after it, some at a time, and finds those that are close to a query.
//
// A GraphId is the commit that stored the graph, so a position is one number, and nothing has to be kept or
// queued for a watch: the graphs are in the index anyway. A watch that is slow falls behind, and costs nobody
// anything; one that was gone for days, or saw the daemon start again, goes on where it was.
//
// Threads: one caller at a time. It reads the newest snapshot for as long as a Next lasts.
// Invariants: (1) matches come by ascending commit, those of one commit by ascending query, each once;
//             (2) a graph that matches and is stored in the snapshot in which the watch comes to it is told
//             of; one that
//                 was removed or replaced before is not.
// Cost: a Next does a bounded amount of work, some milliseconds, and gives a bounded number of bytes.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/engine.h"
#include "index/engine/stored_after.h"
#include "index/filter/filter.h"
#include "index/search/interrupt.h"
#include "index/search/standing_queries.h"

namespace kindred {

struct WatchRequest {
  Measure measure = Measure::kTanimoto;
  std::optional<uint32_t> depth{};
  std::vector<double> weights{};
  Filter filter{};  // Only graphs that match are told of.
  // Default: the last commit there is.
  std::optional<CommitSequence> after{};
  bool with_payload = false;
  bool with_tags = false;
  // How molecules became the graphs of the queries; empty: not said.
  std::string molecule_scheme{};
};

struct WatchMatch {
  struct Of {
    std::string id;
    std::string payload;  // Empty unless asked for, as tags.
    Tags tags;
  };

  CommitSequence sequence{};
  std::shared_ptr<const Of> graph;  // All matches of a graph share it.
  uint32_t query = 0;
  double kernel = 0;
  double similarity = 0;
};

// What one Next found.
struct WatchPart {
  std::vector<WatchMatch> matches;
  // Everything up to this commit was looked at, and what matched was given out. Below the commit of the last
  // match when that one has more to come.
  CommitSequence sequence{};
  // Commits of the snapshot that was read behind that.
  uint64_t behind = 0;
};

class Watch {
 public:
  // OUT_OF_RANGE for a position beyond the last commit; RESOURCE_EXHAUSTED beyond watches_max;
  // FAILED_PRECONDITION for a depth beyond the index or another molecule scheme. `engine` must outlive it.
  static absl::StatusOr<std::unique_ptr<Watch>> Create(const Engine& engine, WatchRequest request);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // One more query: the external id of a graph that is stored now, or a graph. Before the first Next.
  // NOT_FOUND for an id that is not stored, INVALID_ARGUMENT for a similarity that is out of range,
  // RESOURCE_EXHAUSTED beyond watch_vertices_max; each names the field.
  absl::Status AddQuery(const std::string& name, std::variant<std::string, Graph> graph,
                        double min_similarity);

  // The next part of the way. FAILED_PRECONDITION when the index has become one of other molecules.
  absl::StatusOr<WatchPart> Next(const Interrupt& interrupt);

  // Whether there is something to look at, as far as Next knows.
  bool up_to_date() const { return up_to_date_; }
  uint32_t query_count() const { return queries_.size(); }
  const std::string& query_name(uint32_t query) const { return names_[query]; }
  CommitSequence position() const { return position_; }

 private:
  Watch(const Engine& engine, WatchRequest request, Scoring scoring, CommitSequence position);

  absl::Status CheckScheme(const Snapshot& snapshot) const;
  // True once all that there was when it began to learn is learned.
  bool LearnColours(const Snapshot& snapshot);
  // Looks at graphs until there is enough, or none left.
  absl::Status LookAtGraphs(const Snapshot& snapshot, WatchPart& part);
  // Finds what the graph matches, if it is to be told of at all.
  absl::Status TakeMatches(const Snapshot& snapshot, const StoredAfter& graph);
  // Moves matches of the last graph into the part, as many as may be.
  void GiveOut(WatchPart& part);
  // Null if the filter leaves the graph out.
  absl::StatusOr<std::shared_ptr<const WatchMatch::Of>> Describe(const Snapshot& snapshot,
                                                                 const StoredAfter& graph) const;

  const Engine& engine_;
  const WatchRequest request_;
  StandingQueries queries_;
  std::vector<std::string> names_;
  uint64_t vertices_ = 0;  // Of all queries.
  CommitSequence position_;
  bool up_to_date_ = false;

  // A graph may bring colours that a query waits for, so before one is looked at the queries learn what
  // colours there are: those of all graphs up to the first; and while they do, up to the second.
  CommitSequence learned_{};
  std::optional<CommitSequence> learning_;

  // Of the graph stored at position_: what was found, how much of it is given out, and what it is.
  std::vector<StandingMatch> found_;
  size_t given_ = 0;
  std::shared_ptr<const WatchMatch::Of> found_graph_;
  uint64_t part_bytes_ = 0;  // Of the part that is being made.
};

}  // namespace kindred
