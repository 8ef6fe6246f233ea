#include "index/search/exhaustive.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "index/base/status.h"

namespace kindred {

absl::StatusOr<Answer> ExhaustiveSearcher::Search(const Query& query, const Interrupt& interrupt) const {
  struct Scored {
    Score score;
    std::string id;
  };
  const uint32_t query_vertices = query.histogram.vertex_count();
  const auto comes_first = [&](const Scored& a, const Scored& b) {
    const auto order = query.scoring.Compare(a.score, b.score, query_vertices);
    if (order != std::weak_ordering::equivalent) {
      return order == std::weak_ordering::greater;
    }
    return a.id < b.id;
  };

  const std::set<std::string> excluded(query.excluded.begin(), query.excluded.end());
  const auto wanted = [&](const Scored& scored) {
    if (query.min_similarity &&
        query.scoring.Similarity(scored.score, query_vertices) < *query.min_similarity) {
      return false;
    }
    return (!query.after || comes_first({query.after->score, query.after->id}, scored)) &&
           !excluded.contains(scored.id);
  };

  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  Answer answer;
  std::vector<Scored> found;
  const auto keep_best = [&] {
    std::sort(found.begin(), found.end(), comes_first);
    found.resize(std::min<size_t>(found.size(), query.k));
  };
  uint64_t unchecked = 0;
  KINDRED_RETURN_IF_ERROR(source_([&](std::string_view id, const Histogram& histogram) -> absl::Status {
    const Score score{query.scoring.Kernel(LevelOverlaps(query.histogram, histogram)),
                      histogram.vertex_count()};
    ++answer.stats.candidates;
    answer.stats.postings_read += histogram.entries().size();
    if (Scored scored{score, std::string(id)}; wanted(scored)) {
      found.push_back(std::move(scored));
    }
    if (found.size() >= 2 * size_t{query.k} + 1000) {
      keep_best();  // Only bounds the memory.
    }
    unchecked += histogram.entries().size();
    if (unchecked < kPostingsBetweenChecks) {
      return absl::OkStatus();
    }
    unchecked = 0;
    return interrupt.Check();
  }));
  keep_best();
  for (const Scored& scored : found) {
    answer.hits.push_back({scored.id, scored.score.kernel,
                           query.scoring.Similarity(scored.score, query_vertices),
                           scored.score.vertex_count});
  }
  return answer;
}

}  // namespace kindred
