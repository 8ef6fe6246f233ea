#include "index/engine/recent_graphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "index/histogram/packed.h"

namespace kindred {
namespace {

// More are not kept: a record that waited so long is compared anew.
constexpr uint32_t kRecentGraphsMax = 1 << 16;

// So few are not worth tidying up.
constexpr size_t kForgottenMin = 2'048;

// Bounds are lowered by this much, many times what roundings make of them; the similarity itself decides.
constexpr double kSlack = 1e-9;

// What a similarity asks of the overlaps of one level.
class LevelNeed {
 public:
  LevelNeed(const Scoring& scoring, double min_similarity, uint32_t query_vertices)
      : measure_(scoring.measure()), least_(min_similarity), query_vertices_(query_vertices) {
    all_ = SumFrom(scoring, 0);
    const double need = KernelNeeded(query_vertices);
    // As deep as [RecentLevel] lets it be, by a margin beside which roundings are nothing.
    while (level_ < scoring.depth() &&
           need - (above_ + scoring.weight(level_)) * query_vertices > kMargin * all_ * query_vertices) {
      above_ += scoring.weight(level_++);
    }
    deeper_ = SumFrom(scoring, level_);
  }

  Level level() const { return level_; }
  double Overlap(uint32_t vertices) const {
    return (KernelNeeded(vertices) - above_ * std::min(vertices, query_vertices_)) / deeper_ -
           kSlack * vertices;
  }

 private:
  static constexpr double kMargin = 1e-3;

  static double SumFrom(const Scoring& scoring, Level first) {
    double sum = 0;
    for (Level level = first; level <= scoring.depth(); ++level) {
      sum += scoring.weight(level);
    }
    return sum;
  }

  double KernelNeeded(uint32_t vertices) const {
    const double query = query_vertices_;
    switch (measure_) {
      case Measure::kKernel:
        break;
      case Measure::kCosine:
        return (1 - kSlack) * least_ * all_ * std::sqrt(query * vertices);
      case Measure::kTanimoto:
        return (1 - kSlack) * least_ / (1 + least_) * all_ * (query + vertices);
    }
    return (1 - kSlack) * least_;
  }

  const Measure measure_;
  const double least_;
  const uint32_t query_vertices_;
  Level level_ = 0;
  double all_ = 0;
  double above_ = 0;   // The weights of the levels above,
  double deeper_ = 0;  // and of this and deeper ones.
};

std::array<uint32_t, kLevelsMax> Overlaps(const Histogram& query, std::string_view packed) {
  std::array<uint32_t, kLevelsMax> overlaps{};
  PackedCursor cursor(packed);
  for (Level level = 0; !cursor.done(); ++level) {
    const auto entries = query.at_level(level);
    auto entry = entries.begin();
    uint32_t colour = 0;
    for (uint32_t left = cursor.Next(); left > 0; --left) {
      colour += cursor.Next();
      const uint32_t count = cursor.Next();
      while (entry != entries.end() && Raw(entry->colour) < colour) {
        ++entry;
      }
      if (entry != entries.end() && Raw(entry->colour) == colour) {
        overlaps[level] += std::min(entry->count, count);
      }
    }
  }
  return overlaps;
}

}  // namespace

void RecentGraphs::Restart(CommitSequence from) {
  *this = RecentGraphs();
  from_ = from;
  to_ = from;
}

void RecentGraphs::CatchUp(const Snapshot& snapshot, CommitSequence since) {
  since = std::min(since, snapshot.sequence);
  // Beyond the snapshot: by a group of writes that was given up.
  if (to_ < since || to_ > snapshot.sequence || (from_ > since && to_ < snapshot.sequence)) {
    Restart(since);
  }
  ForgetUpTo(since);
  for (const SegmentView& view : snapshot.segments) {
    if (view.segment->size() == 0 || Raw(view.segment->graphs().last_id()) <= Raw(to_)) {
      continue;
    }
    const CommitSequence end{Raw(view.segment->graphs().last_id())};
    if (view.segment->is_plain() && size() + view.segment->size() <= kRecentGraphsMax) {
      AddFrom(view, GraphId{Raw(to_)});
      to_ = end;
    } else {
      Restart(end);
    }
  }
  to_ = snapshot.sequence;
}

void RecentGraphs::AddFrom(const SegmentView& view, GraphId after) {
  const GraphTable& graphs = view.segment->graphs();
  graphs.ForEach([&](GraphId id, uint32_t slot) {
    if (id > after && view.is_live(slot)) {
      Add(id, graphs.external_id(slot), graphs.vertex_count(slot), view.segment->plain().packed(slot));
    }
  });
}

void RecentGraphs::ForgetUpTo(CommitSequence since) {
  const auto first = static_cast<size_t>(std::ranges::upper_bound(ids_, GraphId{Raw(since)}) - ids_.begin());
  if (first < kForgottenMin || 2 * first < ids_.size()) {
    return;
  }
  RecentGraphs kept;
  kept.from_ = since;
  for (size_t slot = first; slot < ids_.size(); ++slot) {
    const auto old = static_cast<uint32_t>(slot);
    kept.Add(ids_[slot], graphs_.external_id(old), graphs_.vertex_count(old), plain_.packed(old));
  }
  kept.to_ = to_;
  *this = std::move(kept);
}

void RecentGraphs::Add(GraphId id, std::string_view external_id, uint32_t vertex_count,
                       std::string_view packed) {
  const uint32_t slot = size();
  graphs_.Add(vertex_count, external_id);
  plain_.Add(vertex_count, packed);
  ids_.push_back(id);
  overlaps_.push_back(0);
  to_ = CommitSequence{Raw(id)};
  ForEachPackedEntry(packed, [&](Level, uint32_t colour, uint32_t count) {
    const auto next = static_cast<uint32_t>(postings_.size());
    const auto [newest, is_new] = newest_.try_emplace(colour, next);
    postings_.push_back({slot, count, is_new ? kNone : newest->second});
    newest->second = next;
  });
}

void RecentGraphs::AddUp(const Histogram& query, Level level, uint32_t first) {
  touched_.clear();
  for (const Histogram::Entry& entry : query.at_level(level)) {
    const auto newest = newest_.find(Raw(entry.colour));
    for (uint32_t at = newest == newest_.end() ? kNone : newest->second; at != kNone;) {
      const Posting& posting = postings_[at];
      if (posting.slot < first) {
        break;
      }
      if (overlaps_[posting.slot] == 0) {
        touched_.push_back(posting.slot);
      }
      overlaps_[posting.slot] += std::min(entry.count, posting.count);
      at = posting.older;
    }
  }
}

std::vector<RecentGraphs::Near> RecentGraphs::Find(const Histogram& query, const Scoring& scoring,
                                                   double min_similarity, CommitSequence after) {
  const LevelNeed need(scoring, min_similarity, query.vertex_count());
  const auto first = std::ranges::upper_bound(ids_, GraphId{Raw(after)}) - ids_.begin();
  AddUp(query, need.level(), static_cast<uint32_t>(first));
  std::vector<Near> near;
  for (const uint32_t slot : touched_) {
    const uint32_t overlap = std::exchange(overlaps_[slot], 0);
    const uint32_t vertices = graphs_.vertex_count(slot);
    if (overlap < need.Overlap(vertices)) {
      continue;
    }
    const Score score{scoring.Kernel(Overlaps(query, plain_.packed(slot))), vertices};
    const double similarity = scoring.Similarity(score, query.vertex_count());
    if (similarity >= min_similarity) {
      near.push_back({ids_[slot], graphs_.external_id(slot), score, similarity});
    }
  }
  return near;
}

}  // namespace kindred
