#include "index/engine/closest.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/status.h"
#include "index/search/interrupt.h"
#include "index/search/pruned.h"

namespace kindred {
namespace {

// So many graphs of equal histogram are asked for at first; there are seldom more.
constexpr uint32_t kEqualsFirst = 16;
constexpr uint32_t kEqualsGrowth = 8;
constexpr uint32_t kEqualsMax = 1 << 28;

// One record against one set of segments.
class ClosestSearch {
 public:
  ClosestSearch(std::span<const SegmentView> segments, const NoveltyRule& rule, const Histogram& histogram,
                const Graph& graph, uint64_t steps_max, const GraphReader& read)
      : segments_(segments),
        rule_(rule),
        histogram_(histogram),
        graph_(graph),
        read_(read),
        walk_(steps_max) {}

  absl::StatusOr<Finds> Run() {
    KINDRED_ASSIGN_OR_RETURN(std::vector<Hit> first, Search(rule_.scoring, rule_.min_similarity, 1));
    if (first.empty()) {
      return Finds();
    }
    // Nothing is more similar than what is equal; by tanimoto and cosine nothing else is as similar.
    const uint32_t vertices = graph_.vertex_count();
    if (first[0].similarity == rule_.scoring.Similarity(EqualScore(rule_.scoring, vertices), vertices)) {
      KINDRED_RETURN_IF_ERROR(LookAtEquals(first[0]));
    }
    std::vector<Finds::Equal> equals = std::move(walk_).Take();
    Finds finds{std::move(equals), std::nullopt};
    if (finds.equals.empty()) {
      finds.other = std::move(first[0]);
    } else if (OtherMatters(finds.equals)) {
      KINDRED_ASSIGN_OR_RETURN(finds.other, FindOther(finds.equals));
    }
    return finds;
  }

 private:
  absl::StatusOr<std::vector<Hit>> Search(const Scoring& scoring, double min_similarity, uint32_t k) const {
    const Query query{histogram_, scoring, k, min_similarity};
    KINDRED_ASSIGN_OR_RETURN(Answer answer, PrunedSearcher(segments_).Search(query, Interrupt()));
    return std::move(answer.hits);
  }

  absl::Status Look(const std::string& id) {
    return walk_.Look(id, [&](uint64_t steps) -> absl::StatusOr<IsomorphismAnswer> {
      KINDRED_ASSIGN_OR_RETURN(const Graph stored, read_(id));
      return DecideIsomorphism(graph_, stored, steps);
    });
  }

  // The first of an answer by tanimoto or cosine is the first of the equal ones, too, and mostly isomorphic.
  absl::Status LookAtEquals(const Hit& first) {
    size_t looked_at = 0;
    if (rule_.scoring.measure() != Measure::kKernel) {
      KINDRED_RETURN_IF_ERROR(Look(first.id));
      looked_at = 1;
    }
    const Scoring tanimoto = rule_.scoring.With(Measure::kTanimoto);
    for (uint32_t k = kEqualsFirst; !walk_.ended();
         k = std::min(k, kEqualsMax / kEqualsGrowth) * kEqualsGrowth) {
      KINDRED_ASSIGN_OR_RETURN(const std::vector<Hit> equals, Search(tanimoto, 1, k));
      for (; looked_at < equals.size() && !walk_.ended(); ++looked_at) {
        KINDRED_RETURN_IF_ERROR(Look(equals[looked_at].id));
      }
      if (equals.size() < k) {
        break;
      }
    }
    return absl::OkStatus();
  }

  // By the kernel itself, larger graphs may be as similar as equal ones. By other measures they are not, so
  // that they matter only where equal ones do not count.
  bool OtherMatters(const std::vector<Finds::Equal>& equals) const {
    return rule_.scoring.measure() == Measure::kKernel ||
           (rule_.isomorphic && equals.back().answer.isomorphism == Isomorphism::kNo);
  }

  // Equal ones behind the last that was looked at may come as others: they lose to it by their ids.
  absl::StatusOr<std::optional<Hit>> FindOther(const std::vector<Finds::Equal>& equals) const {
    KINDRED_ASSIGN_OR_RETURN(std::vector<Hit> hits, Search(rule_.scoring, rule_.min_similarity,
                                                           static_cast<uint32_t>(equals.size()) + 1));
    for (Hit& hit : hits) {
      if (!std::ranges::binary_search(equals, hit.id, {}, &Finds::Equal::id)) {
        return std::move(hit);
      }
    }
    return std::nullopt;
  }

  const std::span<const SegmentView> segments_;
  const NoveltyRule& rule_;
  const Histogram& histogram_;
  const Graph& graph_;
  const GraphReader& read_;
  EqualWalk walk_;
};

Identity IdentityOf(Isomorphism isomorphism) {
  switch (isomorphism) {
    case Isomorphism::kYes:
      return Identity::kIsomorphic;
    case Isomorphism::kNo:
      return Identity::kEqualHistogram;
    case Isomorphism::kUndecided:
      break;
  }
  return Identity::kUndecided;
}

// Of the equal ones that count the one that comes first: isomorphic, then the smaller id.
const Finds::Equal* FirstEqual(const NoveltyRule& rule, const std::vector<Finds::Equal>& equals) {
  if (equals.empty()) {
    return nullptr;
  }
  const Finds::Equal& last = equals.back();
  if (last.answer.isomorphism == Isomorphism::kYes) {
    return &last;
  }
  if (!rule.isomorphic) {
    return &equals.front();
  }
  return last.answer.isomorphism == Isomorphism::kUndecided ? &last : nullptr;
}

}  // namespace

Score EqualScore(const Scoring& scoring, uint32_t vertex_count) {
  std::array<uint32_t, kLevelsMax> overlaps{};
  overlaps.fill(vertex_count);
  return {scoring.Kernel(overlaps), vertex_count};
}

absl::StatusOr<Finds> FindClosest(std::span<const SegmentView> segments, const NoveltyRule& rule,
                                  const Histogram& histogram, const Graph& graph, uint64_t steps_max,
                                  const GraphReader& read) {
  return ClosestSearch(segments, rule, histogram, graph, steps_max, read).Run();
}

std::optional<ClosestGraph> Conclude(const NoveltyRule& rule, uint32_t vertex_count, const Finds& finds) {
  const Finds::Equal* const equal = FirstEqual(rule, finds.equals);
  const std::optional<Hit>& other = finds.other;
  if (equal == nullptr) {
    return other ? std::optional(
                       ClosestGraph{other->id, other->kernel, other->similarity, Identity::kDifferent})
                 : std::nullopt;
  }
  const Score score = EqualScore(rule.scoring, vertex_count);
  // Only by the kernel itself can another one be as similar.
  if (equal->answer.isomorphism != Isomorphism::kYes && other && other->kernel == score.kernel &&
      rule.scoring.measure() == Measure::kKernel && other->id < equal->id) {
    return ClosestGraph{other->id, other->kernel, other->similarity, Identity::kDifferent};
  }
  return ClosestGraph{equal->id, score.kernel, rule.scoring.Similarity(score, vertex_count),
                      IdentityOf(equal->answer.isomorphism)};
}

}  // namespace kindred
