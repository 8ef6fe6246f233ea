#include "client/cli/record_feed.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace kindred::cli {
namespace {

constexpr std::chrono::milliseconds kLeaveBehindAfter{200};

}  // namespace

struct RecordFeed::State {
  // Puts an item in the queue; false when nobody wants more.
  bool Give(Item item) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return stopping || items.size() < kFeedItemsMax; });
    if (stopping) {
      return false;
    }
    items.push_back(std::move(item));
    if (items.size() == 1) {
      changed.notify_all();
    }
    return true;
  }

  absl::Status ReadAll(const std::vector<std::string>& paths, const formats::ReadOptions& options) {
    for (uint32_t source = 0; source < paths.size(); ++source) {
      auto reader = formats::OpenRecords(paths[source], options);
      if (!reader.ok()) {
        return reader.status();
      }
      while (auto result = (*reader)->NextEncoded()) {
        if (!Give(Item{source, *std::move(result)})) {
          return absl::OkStatus();
        }
      }
    }
    return absl::OkStatus();
  }

  void Finish(absl::Status with) {
    const std::scoped_lock lock(mutex);
    status = std::move(with);
    ended = true;
    changed.notify_all();
  }

  std::mutex mutex;  // Guards all below.
  std::condition_variable changed;
  std::deque<Item> items;
  bool stopping = false;
  bool ended = false;
  absl::Status status;
};

RecordFeed::RecordFeed(std::vector<std::string> paths, const formats::ReadOptions& options)
    : state_(std::make_shared<State>()) {
  std::thread([state = state_, paths = std::move(paths), options] {
    state->Finish(state->ReadAll(paths, options));
  }).detach();
}

RecordFeed::~RecordFeed() {
  std::unique_lock lock(state_->mutex);
  state_->stopping = true;
  state_->changed.notify_all();
  state_->changed.wait_for(lock, kLeaveBehindAfter, [this] { return state_->ended; });
}

RecordFeed::Next RecordFeed::Take(std::chrono::milliseconds patience) {
  if (taken_.empty()) {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait_for(lock, patience, [this] { return state_->ended || !state_->items.empty(); });
    if (state_->items.empty()) {
      return state_->ended ? Next(End{state_->status}) : Next(Nothing{});
    }
    taken_.swap(state_->items);
    state_->changed.notify_all();
  }
  Item item = std::move(taken_.front());
  taken_.pop_front();
  return item;
}

}  // namespace kindred::cli
