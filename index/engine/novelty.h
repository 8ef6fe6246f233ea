// When a record is novel, and what makes one not novel.
//
// Threads: values.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/filter/filter.h"
#include "index/histogram/measure.h"

namespace kindred {

// A record is novel when no stored graph is at least so similar to it.
struct NoveltyRule {
  Scoring scoring;
  double min_similarity = 0;
  // Only graphs whose tags match count.
  Filter filter;
  // A graph of equal histogram counts only when it is isomorphic, or when that could not be decided.
  bool isomorphic = false;
};

// As a client asks for it: nothing is checked yet.
struct NoveltyParts {
  Measure measure = Measure::kTanimoto;
  double min_similarity = 0;
  std::optional<uint32_t> depth = {};
  std::vector<double> weights = {};
  std::string filter = {};
  bool isomorphic = false;
};

// INVALID_ARGUMENT for a threshold outside the measure's range, and what Scoring::Create and Filter::Parse
// refuse.
absl::StatusOr<NoveltyRule> MakeNoveltyRule(const NoveltyParts& parts, Level index_depth,
                                            const Limits& limits);

// What is known of two graphs beyond their similarity.
enum class Identity {
  kDifferent,       // Their histograms differ, as far as the scoring sees them.
  kEqualHistogram,  // They do not, but the graphs are not isomorphic.
  kIsomorphic,
  kUndecided,  // They do not; more would have taken more than isomorphism_steps_max.
};

// The stored graph that made a record not novel.
struct ClosestGraph {
  std::string id;
  double kernel = 0;
  double similarity = 0;
  Identity identity = Identity::kDifferent;

  friend bool operator==(const ClosestGraph&, const ClosestGraph&) = default;
};

}  // namespace kindred
