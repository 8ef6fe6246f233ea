#include "index/engine/novelty.h"

#include <cmath>
#include <utility>

#include "index/base/status.h"

namespace kindred {

absl::StatusOr<NoveltyRule> MakeNoveltyRule(const NoveltyParts& parts, Level index_depth,
                                            const Limits& limits) {
  const double least = parts.min_similarity;
  const bool bounded = parts.measure != Measure::kKernel;
  if (!std::isfinite(least) || !(least > 0) || (bounded && least > 1)) {
    return InvalidArgument("min_similarity: {} is not {}", least,
                           bounded ? "above 0 and at most 1" : "a number above 0");
  }
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring,
                           Scoring::Create(parts.measure, index_depth, parts.depth, parts.weights));
  KINDRED_ASSIGN_OR_RETURN(Filter filter, Filter::Parse(parts.filter, limits));
  return NoveltyRule{std::move(scoring), least, std::move(filter), parts.isomorphic};
}

}  // namespace kindred
