#include "index/engine/cluster_search.h"

#include <algorithm>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

// Of a step.
constexpr uint64_t kComparisons = 1 << 20;

}  // namespace

absl::StatusOr<std::unique_ptr<ClusterSearch>> ClusterSearch::Create(std::shared_ptr<const Snapshot> snapshot,
                                                                     const ClustersRequest& request,
                                                                     const Limits& limits) {
  KINDRED_ASSIGN_OR_RETURN(std::unique_ptr<PairSearch> pairs,
                           PairSearch::Create(std::move(snapshot), request.pairs, limits));
  return std::unique_ptr<ClusterSearch>(
      new ClusterSearch(std::move(pairs), request.size_min, limits.cluster_medoid_max));
}

absl::StatusOr<bool> ClusterSearch::Step(const ParallelFor& parallel_for, const Interrupt& interrupt,
                                         std::optional<Cluster>& cluster) {
  if (!paired_) {
    std::vector<FoundPair> found;
    KINDRED_ASSIGN_OR_RETURN(const bool more, pairs_->Step(false, parallel_for, interrupt, found));
    Join(found);
    if (!more) {
      MakeGroups();
      paired_ = true;
    }
    return true;
  }
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (next_group_ == groups_.size()) {
    return false;
  }
  const Group& group = groups_[next_group_];
  KINDRED_ASSIGN_OR_RETURN(const bool found, FindMedoid(group, parallel_for, interrupt));
  if (found) {
    cluster = Told(group);
    ++next_group_;
  }
  return true;
}

void ClusterSearch::Join(const std::vector<FoundPair>& found) {
  if (!sets_ && pairs_->prepared()) {
    const EqualGraphs& equal = pairs_->equal();
    sets_.emplace(pairs_->parts().number_end());
    sums_.resize(pairs_->parts().number_end());
    duplicates_.resize(pairs_->parts().number_end());
    for (const uint32_t number : equal.repeated()) {
      for (const uint32_t other : equal.equals(number).subspan(1)) {
        duplicates_[other] = true;
      }
    }
  }
  const Measure measure = pairs_->scoring().measure();
  for (const auto& [kind, pair] : found) {
    const uint64_t a_count = kind == FoundPair::Kind::kGraphs ? 1 : pairs_->equal().size(pair.a);
    const uint64_t b_count = kind == FoundPair::Kind::kGraphs ? 1 : pairs_->equal().size(pair.b);
    if (kind == FoundPair::Kind::kEqual) {
      for (const uint32_t other : pairs_->equal().equals(pair.a)) {
        sets_->Join(pair.a, other);
      }
      sums_[pair.a] += SimilarityTerm(measure, pair.similarity, a_count - 1);
      pair_count_ += a_count * (a_count - 1) / 2;
      continue;
    }
    pair_count_ += a_count * b_count;
    sums_[pair.a] += SimilarityTerm(measure, pair.similarity, b_count);
    sums_[pair.b] += SimilarityTerm(measure, pair.similarity, a_count);
    sets_->Join(pair.a, pair.b);
  }
}

void ClusterSearch::MakeGroups() {
  const PairParts& parts = pairs_->parts();
  std::vector<std::pair<uint32_t, uint32_t>> live;  // With the one that stands for its group.
  for (uint32_t part = 0; part < parts.part_count(); ++part) {
    for (uint32_t slot = 0; slot < parts.view(part).segment->graphs().slot_count(); ++slot) {
      if (parts.view(part).is_live(slot)) {
        live.emplace_back(sets_->Find(parts.begin(part) + slot), parts.begin(part) + slot);
      }
    }
  }
  std::ranges::sort(live);
  members_.reserve(live.size());
  for (size_t begin = 0; begin < live.size();) {
    Group group{members_.size(), 0, parts.external_id(live[begin].second)};
    size_t end = begin;
    for (; end < live.size() && live[end].first == live[begin].first; ++end) {
      members_.push_back(live[end].second);
      group.smallest_id = std::min(group.smallest_id, parts.external_id(live[end].second));
    }
    group.end = members_.size();
    begin = end;
    if (group.size() >= size_min_) {
      groups_.push_back(group);
    }
  }
  std::ranges::sort(groups_, [](const Group& a, const Group& b) {
    return a.size() != b.size() ? a.size() > b.size() : a.smallest_id < b.smallest_id;
  });
}

// True when representative_ is the group's.
absl::StatusOr<bool> ClusterSearch::FindMedoid(const Group& group, const ParallelFor& parallel_for,
                                               const Interrupt& interrupt) {
  if (group.size() <= 2) {
    representative_ = group.smallest_id;  // One as good as the other.
    return true;
  }
  if (medoid_ == nullptr) {
    std::vector<GraphKind> kinds;
    for (size_t i = group.begin; i < group.end; ++i) {
      if (!duplicates_[members_[i]]) {
        kinds.push_back({members_[i], pairs_->equal().size(members_[i])});
      }
    }
    if (group.size() > medoid_max_) {
      std::vector<SimilaritySum> sums;
      sums.reserve(kinds.size());
      for (const GraphKind& kind : kinds) {
        sums.push_back(sums_[kind.number]);
      }
      FindBest(kinds, sums);
      return true;
    }
    medoid_ = std::make_unique<MedoidSearch>(*pairs_, std::move(kinds));
  }
  KINDRED_ASSIGN_OR_RETURN(const bool more, medoid_->Step(kComparisons, parallel_for, interrupt));
  if (more) {
    return false;
  }
  FindBest(medoid_->kinds(), medoid_->sums());
  medoid_.reset();
  return true;
}

void ClusterSearch::FindBest(const std::vector<GraphKind>& kinds, const std::vector<SimilaritySum>& sums) {
  SimilaritySum best = 0;
  for (size_t i = 0; i < kinds.size(); ++i) {
    const std::string_view id = SmallestId(kinds[i].number);
    if (i == 0 || sums[i] > best || (sums[i] == best && id < representative_)) {
      best = sums[i];
      representative_ = id;
    }
  }
}

// Of all that it stands for.
std::string_view ClusterSearch::SmallestId(uint32_t number) const {
  std::string_view smallest = pairs_->parts().external_id(number);
  for (const uint32_t other : pairs_->equal().equals(number)) {
    smallest = std::min(smallest, pairs_->parts().external_id(other));
  }
  return smallest;
}

Cluster ClusterSearch::Told(const Group& group) const {
  Cluster cluster{representative_, {}};
  cluster.members.reserve(group.size());
  for (size_t i = group.begin; i < group.end; ++i) {
    cluster.members.push_back(pairs_->parts().external_id(members_[i]));
  }
  std::ranges::sort(cluster.members);
  return cluster;
}

}  // namespace kindred
