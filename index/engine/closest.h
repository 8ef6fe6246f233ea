// What is closest to a record among some graphs, and why: told so that what is found among others can be
// added.
//
// Graphs of equal histogram are looked at in the order of their ids, until one is isomorphic or the effort
// for the record is spent: they share isomorphism_steps_max, so that a record costs no more however many
// equal it. A histogram is equal as far as the scoring sees it: to its depth, and without levels of weight 0.
//
// Threads: values and free functions.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/engine/novelty.h"
#include "index/graph/isomorphism.h"
#include "index/histogram/histogram.h"
#include "index/lists/segment.h"
#include "index/search/searcher.h"

namespace kindred {

struct Finds {
  struct Equal {
    std::string id;
    IsomorphismAnswer answer;
  };

  // Graphs of equal histogram by ascending id, up to the first that is isomorphic or undecided.
  std::vector<Equal> equals;
  // The closest of the others, if it could be the answer.
  std::optional<Hit> other;
};

// Looks at graphs of equal histogram, in the order of their ids, as long as it matters.
class EqualWalk {
 public:
  explicit EqualWalk(uint64_t steps_max) : left_(steps_max) {}

  // Nothing that comes later matters any more.
  bool ended() const { return ended_; }

  // `decide(steps)` answers with so many steps at most. REQUIRES: not ended; a larger id than before.
  template <typename Decide>  // absl::StatusOr<IsomorphismAnswer>(uint64_t)
  absl::Status Look(std::string id, Decide decide) {
    IsomorphismAnswer answer{Isomorphism::kUndecided, left_};
    if (left_ > kLookSteps) {
      const auto decided = decide(left_ - kLookSteps);
      if (!decided.ok()) {
        return decided.status();
      }
      answer = *decided;
      left_ -= kLookSteps + answer.steps;
    }
    ended_ = answer.isomorphism != Isomorphism::kNo;
    seen_.push_back({std::move(id), answer});
    return absl::OkStatus();
  }

  std::vector<Finds::Equal> Take() && { return std::move(seen_); }

 private:
  // To read a graph and set up takes time as well.
  static constexpr uint64_t kLookSteps = 256;

  uint64_t left_;
  bool ended_ = false;
  std::vector<Finds::Equal> seen_;
};

// The score of a graph that has a histogram equal to one of so many vertices.
Score EqualScore(const Scoring& scoring, uint32_t vertex_count);

using GraphReader = std::function<absl::StatusOr<Graph>(const std::string& external_id)>;

// Among the graphs of `segments`; `read` has them. `graph` is the record's, `histogram` what is known of it.
absl::StatusOr<Finds> FindClosest(std::span<const SegmentView> segments, const NoveltyRule& rule,
                                  const Histogram& histogram, const Graph& graph, uint64_t steps_max,
                                  const GraphReader& read);

// The closest graph of all that were looked at; nothing: the record is novel.
std::optional<ClosestGraph> Conclude(const NoveltyRule& rule, uint32_t vertex_count, const Finds& finds);

}  // namespace kindred
