#include "index/engine/filter_lists.h"

#include <algorithm>
#include <new>

#include "index/base/priority.h"
#include "index/lists/tag_mask.h"

namespace kindred {
namespace {

// All lists of a segment are read some times to make those of a filter, and its graphs are ordered: 0.1
// microseconds a graph, and 15 for one that matches. A use is worth some tenths of a millisecond; but those
// who search wait, and the thread that makes lists has time.
constexpr uint64_t kListUsesMin = 4;
constexpr uint32_t kGraphsAUse = 65'536;
constexpr uint32_t kMatchingAUse = 2'048;

// Lists of a larger share of a segment would save little.
constexpr uint64_t kShareNumerator = 3;
constexpr uint64_t kShareDenominator = 4;

// Filters without lists whose uses are counted; for one more, all are counted anew.
constexpr size_t kCountedMax = 1'024;

// The slots in `whole` of the graphs of `part`, a part of it; of an empty slot, any.
std::vector<uint32_t> OriginsOf(const GraphTable& part, const GraphTable& whole) {
  std::vector<uint32_t> origins(part.slot_count());
  uint32_t place = 0;
  part.ForEach([&](GraphId id, uint32_t slot) {
    while (whole.id_at(place) != id) {
      ++place;
    }
    origins[slot] = whole.slot_at(place);
  });
  return origins;
}

// Hides of `part` what `live` hides of the whole.
std::shared_ptr<const LiveMask> HiddenIn(const GraphTable& part, const std::vector<uint32_t>& origins,
                                         const LiveMask& live) {
  auto mask = std::make_shared<LiveMask>(part.slot_count());
  for (uint32_t slot = 0; slot < part.slot_count(); ++slot) {
    if (part.vertex_count(slot) != 0 && !live.Test(origins[slot])) {
      mask->Hide(slot);
    }
  }
  return mask;
}

}  // namespace

FilterLists::FilterLists(uint64_t bytes_max) : bytes_max_(bytes_max) {
  if (bytes_max > 0) {
    thread_ = std::jthread([this](const std::stop_token& stop) {
      SetPriority(Priority::kSecond);
      Run(stop);
    });
  }
}

FilterLists::~FilterLists() = default;

uint64_t FilterLists::UsesMin(uint32_t graphs, uint32_t matching) {
  return kListUsesMin + graphs / kGraphsAUse + matching / kMatchingAUse;
}

bool FilterLists::Suits(const SegmentView& view) const {
  return bytes_max_ > 0 && !view.segment->is_plain() && view.segment->size() >= kFilterListsGraphsMin;
}

bool FilterLists::Worthwhile(const Segment& segment, uint32_t matching) const {
  return matching > 0 && uint64_t{matching} * kShareDenominator <= segment.size() * kShareNumerator &&
         segment.memory_bytes() / segment.size() * matching <= bytes_max_;
}

std::optional<SegmentView> FilterLists::Find(const SegmentView& view, const Filter& filter) {
  if (!Suits(view)) {
    return std::nullopt;
  }
  std::shared_ptr<const Lists> lists;
  {
    const std::scoped_lock lock(mutex_);
    Entry* const entry = FindEntry(view.segment, filter);
    if (entry == nullptr) {
      Forget();  // A segment that is new may have replaced others.
      return std::nullopt;
    }
    if (entry->lists == nullptr) {
      return std::nullopt;
    }
    entry->last_use = ++uses_;
    if (view.live == entry->hidden) {
      return SegmentView{entry->lists->segment, entry->live};
    }
    lists = entry->lists;
  }
  if (view.live == nullptr) {
    return SegmentView{lists->segment, nullptr};
  }
  const auto live = HiddenIn(lists->segment->graphs(), lists->origins, *view.live);
  const std::scoped_lock lock(mutex_);
  if (Entry* const entry = FindEntry(view.segment, filter); entry != nullptr && entry->lists == lists) {
    entry->hidden = view.live;
    entry->live = live;
  }
  return SegmentView{lists->segment, live};
}

void FilterLists::Note(const SegmentView& view, const Filter& filter, uint32_t matching) {
  if (!Suits(view) || !Worthwhile(*view.segment, matching)) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  Entry& entry = EntryOf(view.segment, filter);
  if (++entry.uses >= UsesMin(view.segment->size(), matching) && !entry.decided) {
    entry.decided = true;
    tasks_.push_back({view.segment, filter});
    wake_.notify_all();
  }
}

FilterLists::Entry* FilterLists::FindEntry(const std::shared_ptr<const Segment>& segment,
                                           const Filter& filter) {
  const auto found = entries_.find(Key(segment.get(), filter.key()));
  // Another segment may have lain there before.
  return found == entries_.end() || found->second.of.lock() != segment ? nullptr : &found->second;
}

FilterLists::Entry& FilterLists::EntryOf(const std::shared_ptr<const Segment>& segment,
                                         const Filter& filter) {
  if (Entry* const entry = FindEntry(segment, filter)) {
    return *entry;
  }
  Forget();
  return entries_.insert_or_assign(Key(segment.get(), filter.key()), Entry{segment}).first->second;
}

// What is of no use any more, or can be counted anew.
void FilterLists::Forget() {
  absl::erase_if(entries_, [](const auto& entry) { return entry.second.of.expired(); });
  const auto counted =
      std::ranges::count_if(entries_, [](const auto& entry) { return entry.second.lists == nullptr; });
  if (static_cast<size_t>(counted) >= kCountedMax) {
    absl::erase_if(entries_, [](const auto& entry) { return entry.second.lists == nullptr; });
  }
}

void FilterLists::MakeRoom(const Entry& newest) {
  uint64_t bytes = 0;
  std::vector<std::pair<uint64_t, Key>> others;  // By their last use.
  for (const auto& [key, entry] : entries_) {
    if (entry.lists != nullptr) {
      bytes += entry.lists->bytes();
      if (&entry != &newest) {
        others.emplace_back(entry.last_use, key);
      }
    }
  }
  std::ranges::sort(others);
  for (const auto& [last_use, key] : others) {
    if (bytes <= bytes_max_) {
      return;
    }
    const auto longest = entries_.find(key);
    bytes -= longest->second.lists->bytes();
    entries_.erase(longest);
  }
}

void FilterLists::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return !tasks_.empty(); })) {
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    making_ = true;
    lock.unlock();
    const std::shared_ptr<const Segment> segment = task.of.lock();
    const auto lists = segment == nullptr ? nullptr : Make(segment, task.filter, stop);
    lock.lock();
    making_ = false;
    if (lists != nullptr) {
      Entry& entry = EntryOf(segment, task.filter);
      entry.decided = true;
      entry.lists = lists;
      entry.last_use = uses_;
      ++made_;
      MakeRoom(entry);
    }
    wake_.notify_all();
  }
}

std::shared_ptr<const FilterLists::Lists> FilterLists::Make(const std::shared_ptr<const Segment>& segment,
                                                            const Filter& filter,
                                                            const std::stop_token& stop) const {
  // With those that are hidden now: a snapshot taken before shows them.
  const SegmentView matching{segment, MatchingMask({segment, nullptr}, filter)};
  if (!Worthwhile(*segment, matching.live_count())) {
    return nullptr;
  }
  try {
    auto made = MergeSegments(std::span(&matching, 1), Ordering::kBySimilarity, stop);
    if (made == nullptr) {
      return nullptr;
    }
    std::vector<uint32_t> origins = OriginsOf(made->graphs(), segment->graphs());
    Lists lists{std::move(made), std::move(origins)};
    return lists.bytes() > bytes_max_ ? nullptr : std::make_shared<const Lists>(std::move(lists));
  } catch (const std::bad_alloc&) {
    return nullptr;  // Searches go on as before.
  }
}

void FilterLists::Settle() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return tasks_.empty() && !making_; });
}

FilterLists::Stats FilterLists::stats() const {
  const std::scoped_lock lock(mutex_);
  Stats stats{0, 0, made_};
  for (const auto& [key, entry] : entries_) {
    if (entry.lists != nullptr) {
      ++stats.count;
      stats.bytes += entry.lists->bytes();
    }
  }
  return stats;
}

}  // namespace kindred
