#include "index/engine/segment_stack.h"

#include <algorithm>
#include <utility>

#include "index/base/check.h"

namespace kindred {
namespace {

// A segment stays as it is while it is at least so many times as large as all newer ones together.
double LeastRatio(Pace pace) { return pace == Pace::kBusy ? 0.5 : 8.0; }

// How many plain graphs are worth inverting, and how many at a time.
struct Inversion {
  uint64_t graphs_min = 0;
  uint64_t graphs_max = 0;
};

Inversion InversionAt(Pace pace) {
  switch (pace) {
    case Pace::kIdle:
      return {1, kInvertedGraphsMax};
    case Pace::kBusy:
      return {kPlainGraphsMax, kInvertedGraphsWithSearches};
    case Pace::kBulk:
      break;
  }
  return {kInvertedGraphsMax / 2, kInvertedGraphsMax};
}

}  // namespace

SegmentStack::SegmentStack(std::vector<SegmentView> segments) {
  for (SegmentView& view : segments) {
    if (view.segment->size() > 0) {
      entries_.push_back({std::move(view)});
    }
  }
}

void SegmentStack::Hide(const std::vector<GraphId>& ids) {
  auto id = ids.begin();
  for (Entry& entry : entries_) {
    const GraphTable& graphs = entry.view.segment->graphs();
    if (id == ids.end() || *id > graphs.last_id()) {
      continue;
    }
    auto mask = entry.view.live ? std::make_shared<LiveMask>(*entry.view.live)
                                : std::make_shared<LiveMask>(graphs.slot_count());
    for (; id != ids.end() && *id <= graphs.last_id(); ++id) {
      const auto slot = graphs.Find(*id);
      KINDRED_CHECK(slot.has_value() && mask->Test(*slot));
      mask->Hide(*slot);
    }
    entry.view.live = std::move(mask);
  }
  KINDRED_CHECK(id == ids.end());
}

void SegmentStack::Add(std::shared_ptr<const Segment> segment) {
  if (segment->size() > 0) {
    entries_.push_back({{std::move(segment), nullptr}});
  }
}

SegmentStack::Plan SegmentStack::Take(size_t first, size_t last, Work work) {
  Plan plan;
  plan.work = work;
  for (size_t i = first; i < last; ++i) {
    entries_[i].busy = true;
    plan.parts.push_back(entries_[i].view);
  }
  return plan;
}

uint64_t SegmentStack::plain_count() const {
  uint64_t count = 0;
  for (const Entry& entry : entries_) {
    count += entry.is_plain() ? entry.live_count() : 0;
  }
  return count;
}

std::optional<SegmentStack::Plan> SegmentStack::PlanMerge(size_t lane, Pace pace) {
  if (lane == kSpareLane) {
    return pace == Pace::kBulk ? PlanInversion(lane, pace) : std::nullopt;
  }
  if (auto plan = PlanRewrite(lane)) {
    return plan;
  }
  if (lane == 0) {
    if (auto plan = PlanAmongAll(/*plain=*/true, kPlainGraphsMax, LeastRatio(Pace::kBusy))) {
      return plan;
    }
  }
  if (pace == Pace::kBulk) {
    return std::nullopt;
  }
  if (auto plan = PlanInversion(lane, pace)) {
    return plan;
  }
  // Without hurry, one merge of all when all are inverted is less work than many.
  if (pace == Pace::kIdle && plain_count() > 0) {
    return std::nullopt;
  }
  return PlanAmongAll(/*plain=*/false, kLaneGraphsMax[lane], LeastRatio(pace));
}

// One of which more than half is hidden.
std::optional<SegmentStack::Plan> SegmentStack::PlanRewrite(size_t lane) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    if (!taken(entry) && entry.live_count() * 2 < entry.view.segment->size() &&
        entry.live_count() <= kLaneGraphsMax[lane]) {
      return Take(i, i + 1, entry.is_plain() ? Work::kConcatenate : Work::kMerge);
    }
  }
  return std::nullopt;
}

std::optional<SegmentStack::Plan> SegmentStack::PlanInversion(size_t lane, Pace pace) {
  if (lane == 0 && pace != Pace::kIdle) {
    return std::nullopt;  // It has to keep plain segments few.
  }
  const Inversion inversion = InversionAt(pace);
  for (size_t first = 0; first < entries_.size(); ++first) {
    uint64_t graphs = 0;
    size_t last = first;
    while (last < entries_.size() && entries_[last].is_plain() && !taken(entries_[last]) &&
           (last == first || graphs + entries_[last].live_count() <= inversion.graphs_max)) {
      graphs += entries_[last++].live_count();
    }
    if (graphs >= inversion.graphs_min) {
      return Take(first, last, Work::kInvert);
    }
  }
  return std::nullopt;
}

std::optional<SegmentStack::Plan> SegmentStack::PlanAmongAll(bool plain, uint64_t graphs_max, double ratio) {
  for (size_t first = 0; first < entries_.size();) {
    size_t last = first;
    while (last < entries_.size() && !taken(entries_[last]) && entries_[last].is_plain() == plain) {
      ++last;
    }
    if (auto plan = PlanAmong(first, last, graphs_max, ratio)) {
      return plan;
    }
    first = last + 1;  // The one at `last` is taken or of the other kind.
  }
  return std::nullopt;
}

std::optional<SegmentStack::Plan> SegmentStack::PlanAmong(size_t first, size_t last, uint64_t graphs_max,
                                                          double ratio) {
  std::optional<size_t> oldest;
  uint64_t newer = 0;
  uint64_t postings = 0;
  for (size_t i = last; i-- > first;) {
    const uint64_t graphs = entries_[i].live_count();
    postings += entries_[i].view.segment->posting_count();
    if (newer + graphs > graphs_max || postings > kSegmentPostingsMax) {
      break;
    }
    if (newer > 0 && static_cast<double>(graphs) < ratio * static_cast<double>(newer)) {
      oldest = i;
    }
    newer += graphs;
  }
  if (!oldest) {
    return std::nullopt;
  }
  return Take(*oldest, last, entries_[first].is_plain() ? Work::kConcatenate : Work::kMerge);
}

size_t SegmentStack::IndexOf(const Segment* segment) const {
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& entry) { return entry.view.segment.get() == segment; });
  KINDRED_CHECK(found != entries_.end());
  return static_cast<size_t>(found - entries_.begin());
}

void SegmentStack::Finish(const Plan& plan, std::shared_ptr<const Segment> merged) {
  const size_t first = IndexOf(plan.parts.front().segment.get());
  std::shared_ptr<LiveMask> mask;
  for (size_t part = 0; part < plan.parts.size(); ++part) {
    const SegmentView& before = plan.parts[part];
    const SegmentView& now = entries_[first + part].view;
    if (before.live == now.live) {
      continue;
    }
    now.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      if (before.is_live(slot) && !now.is_live(slot)) {
        if (mask == nullptr) {
          mask = std::make_shared<LiveMask>(merged->graphs().slot_count());
        }
        mask->Hide(*merged->graphs().Find(id));
      }
    });
  }
  const auto begin = entries_.begin() + static_cast<ptrdiff_t>(first);
  entries_.erase(begin + 1, begin + static_cast<ptrdiff_t>(plan.parts.size()));
  if (merged->size() == 0) {
    entries_.erase(begin);
  } else {
    *begin = {{std::move(merged), std::move(mask)}};
  }
}

void SegmentStack::Abandon(const Plan& plan) {
  const size_t first = IndexOf(plan.parts.front().segment.get());
  for (size_t part = 0; part < plan.parts.size(); ++part) {
    entries_[first + part].busy = false;
  }
}

void SegmentStack::Reserve() {
  if (!entries_.empty()) {
    reserved_through_ = entries_.back().view.segment->graphs().last_id();
  }
}

bool SegmentStack::reserved_busy() const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.busy && reserved(entry); });
}

std::optional<SegmentStack::Plan> SegmentStack::PlanCompaction(GraphId after, uint64_t postings_max) {
  const auto beyond = std::ranges::find_if_not(entries_, [&](const Entry& entry) { return reserved(entry); });
  const auto end = static_cast<size_t>(beyond - entries_.begin());
  if (auto plan = PlanReservedInversion(end)) {
    return plan;
  }
  for (size_t first = 0; first < end;) {
    if (entries_[first].view.segment->graphs().first_id() <= after) {
      ++first;
      continue;
    }
    size_t last = first + 1;
    uint64_t postings = entries_[first].view.segment->posting_count();
    while (last < end && postings + entries_[last].view.segment->posting_count() <= postings_max) {
      postings += entries_[last++].view.segment->posting_count();
    }
    if (last - first > 1 || entries_[first].live_count() < entries_[first].view.segment->size()) {
      return Take(first, last, Work::kMerge);
    }
    first = last;  // It is as it should be.
  }
  return std::nullopt;
}

// Of the first plain ones among the first `end`.
std::optional<SegmentStack::Plan> SegmentStack::PlanReservedInversion(size_t end) {
  size_t first = 0;
  while (first < end && !entries_[first].is_plain()) {
    ++first;
  }
  uint64_t graphs = 0;
  size_t last = first;
  while (last < end && entries_[last].is_plain() &&
         (last == first || graphs + entries_[last].live_count() <= kInvertedGraphsMax)) {
    graphs += entries_[last++].live_count();
  }
  if (last == first) {
    return std::nullopt;
  }
  return Take(first, last, graphs > 0 ? Work::kInvert : Work::kConcatenate);
}

std::vector<SegmentView> SegmentStack::views() const {
  std::vector<SegmentView> views;
  views.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    views.push_back(entry.view);
  }
  return views;
}

}  // namespace kindred
