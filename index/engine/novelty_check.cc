#include "index/engine/novelty_check.h"

#include <algorithm>
#include <compare>
#include <memory>
#include <utility>

#include "index/base/status.h"
#include "index/engine/filtered_snapshot.h"
#include "index/engine/segment_stack.h"

namespace kindred {
namespace {

// The first of those that are most similar. REQUIRES: by ascending external id.
const RecentGraphs::Near* Best(const NoveltyRule& rule, uint32_t vertex_count,
                               const std::vector<const RecentGraphs::Near*>& near) {
  const RecentGraphs::Near* best = nullptr;
  for (const RecentGraphs::Near* const candidate : near) {
    if (best == nullptr ||
        rule.scoring.Compare(candidate->score, best->score, vertex_count) == std::weak_ordering::greater) {
      best = candidate;
    }
  }
  return best;
}

// Whether the first is the better answer of the two.
bool Better(const NoveltyRule& rule, uint32_t vertex_count, const RecentGraphs::Near& recent,
            const Hit& other) {
  const auto order = rule.scoring.Compare(recent.score, {other.kernel, other.vertices}, vertex_count);
  return order == std::weak_ordering::equivalent ? recent.external_id < other.id
                                                 : order == std::weak_ordering::greater;
}

}  // namespace

absl::StatusOr<std::optional<ClosestGraph>> NoveltyCheck::FindClosest(const NoveltyRule& rule,
                                                                      const Subject& subject) {
  const Speculation& speculation = subject.speculation;
  CommitSequence since = speculation.sequence;
  const bool holds = speculation.finds && recent_.from() <= since && AllThere(*speculation.finds, since);
  std::optional<Finds> again;
  if (!holds) {
    KINDRED_ASSIGN_OR_RETURN(again, SearchAgain(rule, subject));
    since = before_.sequence;
  }
  const Finds& finds = again ? *again : *speculation.finds;
  const uint32_t vertex_count = subject.histogram.vertex_count();
  KINDRED_ASSIGN_OR_RETURN(const std::vector<RecentGraphs::Near> recent,
                           FindRecent(rule, subject.histogram, since));
  if (recent.empty()) {
    return Conclude(rule, vertex_count, finds);
  }
  KINDRED_ASSIGN_OR_RETURN(const Finds all, Add(rule, subject, finds, recent));
  return Conclude(rule, vertex_count, all);
}

// Whether nothing that was found at `sequence` has been removed or replaced since.
bool NoveltyCheck::AllThere(const Finds& finds, CommitSequence sequence) const {
  const auto is_there = [&](const std::string& external_id) {
    const std::optional<GraphId> id = current_.FindGraph(external_id);
    return id && Raw(*id) <= Raw(sequence);
  };
  return std::ranges::all_of(finds.equals, is_there, &Finds::Equal::id) &&
         (!finds.other || is_there(finds.other->id));
}

absl::StatusOr<Graph> NoveltyCheck::ReadGraph(const std::string& external_id) const {
  const std::optional<GraphId> id = current_.FindGraph(external_id);
  if (!id) {
    return DataLoss("store: the graph '{}' of the lists is not stored", external_id);
  }
  KINDRED_ASSIGN_OR_RETURN(StoredRecord record, current_.ReadRecord(*id));
  return std::move(record.graph);
}

absl::StatusOr<Finds> NoveltyCheck::SearchAgain(const NoveltyRule& rule, const Subject& subject) const {
  std::vector<GraphId> removed = current_.removed();
  std::ranges::sort(removed);
  SegmentStack there(before_.segments);
  there.Hide(removed);
  KINDRED_ASSIGN_OR_RETURN(
      const std::shared_ptr<const Snapshot> counting,
      Filtered(std::make_shared<Snapshot>(Snapshot{before_.sequence, there.views(), before_.store}),
               rule.filter, Interrupt()));
  KINDRED_ASSIGN_OR_RETURN(const Graph graph, subject.graph());
  return kindred::FindClosest(counting->segments, rule, subject.histogram, graph, steps_max_,
                              [this](const std::string& external_id) { return ReadGraph(external_id); });
}

absl::StatusOr<std::vector<RecentGraphs::Near>> NoveltyCheck::FindRecent(const NoveltyRule& rule,
                                                                         const Histogram& histogram,
                                                                         CommitSequence since) {
  std::vector<RecentGraphs::Near> live;
  for (const RecentGraphs::Near& near : recent_.Find(histogram, rule.scoring, rule.min_similarity, since)) {
    const std::optional<GraphId> id = current_.FindGraph(std::string(near.external_id));
    if (id != near.id) {
      continue;
    }
    KINDRED_ASSIGN_OR_RETURN(const bool counts, Matches(rule.filter, near.id));
    if (counts) {
      live.push_back(near);
    }
  }
  std::ranges::sort(live, {}, &RecentGraphs::Near::external_id);
  return live;
}

absl::StatusOr<bool> NoveltyCheck::Matches(const Filter& filter, GraphId id) const {
  if (filter.matches_all()) {
    return true;
  }
  KINDRED_ASSIGN_OR_RETURN(const StoredRecord record, current_.ReadRecord(id));
  return filter.Matches(record.tags);
}

absl::StatusOr<Finds> NoveltyCheck::Add(const NoveltyRule& rule, const Subject& subject, const Finds& finds,
                                        const std::vector<RecentGraphs::Near>& recent) const {
  const uint32_t vertex_count = subject.histogram.vertex_count();
  const Score equal_score = EqualScore(rule.scoring, vertex_count);
  std::vector<std::string> equals;
  std::vector<const RecentGraphs::Near*> others;
  for (const RecentGraphs::Near& near : recent) {
    if (near.score == equal_score) {
      equals.emplace_back(near.external_id);
    } else {
      others.push_back(&near);
    }
  }
  Finds all{finds.equals, finds.other};
  if (!equals.empty()) {
    KINDRED_ASSIGN_OR_RETURN(all.equals, AddEquals(subject, finds.equals, equals));
  }
  const RecentGraphs::Near* const best = Best(rule, vertex_count, others);
  if (best != nullptr && (!all.other || Better(rule, vertex_count, *best, *all.other))) {
    all.other =
        Hit{std::string(best->external_id), best->score.kernel, best->similarity, best->score.vertex_count};
  }
  return all;
}

// In the order of their ids. What is known of one holds with fewer steps left as long as it took no more.
absl::StatusOr<std::vector<Finds::Equal>> NoveltyCheck::AddEquals(
    const Subject& subject, const std::vector<Finds::Equal>& known,
    const std::vector<std::string>& recent) const {
  KINDRED_ASSIGN_OR_RETURN(const Graph graph, subject.graph());
  EqualWalk walk(steps_max_);
  auto next = known.begin();
  auto next_recent = recent.begin();
  while (!walk.ended() && (next != known.end() || next_recent != recent.end())) {
    if (next_recent == recent.end() || (next != known.end() && next->id < *next_recent)) {
      const IsomorphismAnswer& answer = next->answer;
      KINDRED_RETURN_IF_ERROR(walk.Look(next->id, [&](uint64_t steps) -> absl::StatusOr<IsomorphismAnswer> {
        const bool decided = answer.isomorphism != Isomorphism::kUndecided && answer.steps <= steps;
        return decided ? answer : IsomorphismAnswer{Isomorphism::kUndecided, steps};
      }));
      ++next;
    } else {
      KINDRED_RETURN_IF_ERROR(
          walk.Look(*next_recent, [&](uint64_t steps) -> absl::StatusOr<IsomorphismAnswer> {
            KINDRED_ASSIGN_OR_RETURN(const Graph stored, ReadGraph(*next_recent));
            return DecideIsomorphism(graph, stored, steps);
          }));
      ++next_recent;
    }
  }
  return std::move(walk).Take();
}

}  // namespace kindred
