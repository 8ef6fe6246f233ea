// The one interface of every way to search: exhaustive, by adding up lists, and what comes after them.
//
// A searcher is bound to one snapshot. All searchers of a snapshot give the same answer, hit for hit and
// score for score, for every query: the k best graphs in the order of the answers (search/top_k.h).
// A graph that shares no colour with the query has kernel 0; it is an answer like any other.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/histogram/histogram.h"
#include "index/histogram/measure.h"
#include "index/search/interrupt.h"

namespace kindred {

// A place in the order of the answers: behind all that is better, and before all that is worse.
struct AnswerPlace {
  Score score;
  std::string id;
};

struct Query {
  Histogram histogram;
  Scoring scoring;
  uint32_t k = kNeighboursDefault;
  std::optional<double> min_similarity;
  // Only hits that come after this place.
  std::optional<AnswerPlace> after{};
  // External ids that are no hits. Ascending.
  std::vector<std::string> excluded{};
};

struct Hit {
  std::string id;
  double kernel = 0;
  double similarity = 0;
  uint32_t vertices = 0;

  friend bool operator==(const Hit&, const Hit&) = default;
};

struct SearchStats {
  // Entries of inverted lists, rows and histograms that were read.
  uint64_t postings_read = 0;
  // Blocks whose bound was computed (again for those bounded once more after the seeds), and those whose
  // graphs were scored.
  uint64_t blocks_bounded = 0;
  uint64_t blocks_scored = 0;
  // Graphs whose exact score was compared with the best.
  uint64_t candidates = 0;
};

struct Answer {
  std::vector<Hit> hits;  // Best first.
  SearchStats stats;
};

class Searcher {
 public:
  virtual ~Searcher() = default;

  // CANCELLED or DEADLINE_EXCEEDED when interrupted.
  virtual absl::StatusOr<Answer> Search(const Query& query, const Interrupt& interrupt) const = 0;
};

}  // namespace kindred
