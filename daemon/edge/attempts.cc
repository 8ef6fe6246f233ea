#include "daemon/edge/attempts.h"

#include <algorithm>

namespace kindred::daemon {
namespace {

std::chrono::milliseconds DelayAfter(uint64_t count) {
  if (count <= Attempts::kFreeFailures) {
    return std::chrono::milliseconds(0);
  }
  const uint64_t doublings = std::min<uint64_t>(count - Attempts::kFreeFailures - 1, 16);
  return std::min(Attempts::kFirstDelay * (1 << doublings), Attempts::kLongestDelay);
}

}  // namespace

Attempts::Failure Attempts::Note(const std::string& peer, Clock::time_point now) {
  ++failures_;
  const std::scoped_lock lock(mutex_);
  if (const auto known = by_peer_.find(peer); known != by_peer_.end()) {
    entries_.splice(entries_.begin(), entries_, known->second);
  } else {
    if (entries_.size() == kPeersMax) {
      by_peer_.erase(entries_.back().peer);
      entries_.pop_back();
    }
    entries_.push_front({peer, 0, now});
    by_peer_.emplace(peer, entries_.begin());
  }
  Entry& entry = entries_.front();
  entry.count = now - entry.last > kForgetAfter ? 1 : entry.count + 1;
  entry.last = now;
  return {entry.count, DelayAfter(entry.count)};
}

size_t Attempts::peers() const {
  const std::scoped_lock lock(mutex_);
  return entries_.size();
}

}  // namespace kindred::daemon
