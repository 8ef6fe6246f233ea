#include "index/engine/filter_lists.h"

#include <algorithm>
#include <new>

#include "index/base/priority.h"
#include "index/lists/tag_mask.h"

namespace kindred {
namespace {

// To make lists takes as long as some hundred searches do: all lists of the segment are read, several times.
constexpr uint64_t kListUsesMin = 16;
constexpr uint32_t kGraphsAUse = 8'192;

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

uint64_t FilterLists::UsesMin(uint32_t graphs) { return kListUsesMin + graphs / kGraphsAUse; }

std::optional<SegmentView> FilterLists::Find(const SegmentView& view, const Filter& filter) {
  const std::shared_ptr<const Segment>& segment = view.segment;
  if (bytes_max_ == 0 || segment->is_plain() || segment->size() < kFilterListsGraphsMin) {
    return std::nullopt;
  }
  std::shared_ptr<const Lists> lists;
  {
    const std::scoped_lock lock(mutex_);
    Entry& entry = EntryOf(segment, filter);
    entry.last_use = ++uses_;
    if (++entry.uses >= UsesMin(segment->size()) && !entry.decided) {
      entry.decided = true;
      tasks_.push_back({segment, filter});
      wake_.notify_all();
    }
    if (entry.lists == nullptr) {
      return std::nullopt;
    }
    if (view.live == entry.hidden) {
      return SegmentView{entry.lists->segment, entry.live};
    }
    lists = entry.lists;
  }
  if (view.live == nullptr) {
    return SegmentView{lists->segment, nullptr};
  }
  const auto live = HiddenIn(lists->segment->graphs(), lists->origins, *view.live);
  const std::scoped_lock lock(mutex_);
  if (Entry& entry = EntryOf(segment, filter); entry.lists == lists) {
    entry.hidden = view.live;
    entry.live = live;
  }
  return SegmentView{lists->segment, live};
}

FilterLists::Entry& FilterLists::EntryOf(const std::shared_ptr<const Segment>& segment,
                                         const Filter& filter) {
  Key key(segment.get(), filter.key());
  auto found = entries_.find(key);
  // Another segment may have lain there before.
  if (found == entries_.end() || found->second.of.lock() != segment) {
    Forget();
    found = entries_.insert_or_assign(std::move(key), Entry{segment}).first;
  }
  return found->second;
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
  const uint64_t count = matching.live_count();
  if (count == 0 || count * kShareDenominator > segment->size() * kShareNumerator ||
      segment->memory_bytes() / segment->size() * count > bytes_max_) {
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
