#include "daemon/edge/connections.h"

#include <sys/stat.h>

#include <optional>

namespace kindred::daemon {
namespace {

constexpr std::chrono::milliseconds kSweepLeast{20};

std::optional<ino_t> InodeOf(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode)) {
    return std::nullopt;
  }
  return info.st_ino;
}

}  // namespace

Connections::Verdict Connections::Check(const std::string& peer) const {
  if (entries_.size() >= max_) {
    return Verdict::kTooMany;
  }
  const auto found = of_peer_.find(peer);
  return found != of_peer_.end() && found->second >= per_peer_max_ ? Verdict::kTooManyOfPeer
                                                                   : Verdict::kTaken;
}

void Connections::Forget(std::unordered_map<int, Entry>::iterator entry) {
  const auto peer = of_peer_.find(entry->second.peer);
  if (--peer->second == 0) {
    of_peer_.erase(peer);
  }
  entries_.erase(entry);
}

Connections::Verdict Connections::Take(int fd, const std::string& peer, Clock::time_point now) {
  // The system gives the number again, so what had it is closed.
  if (const auto closed = entries_.find(fd); closed != entries_.end()) {
    Forget(closed);
  }
  Verdict verdict = Check(peer);
  if (verdict != Verdict::kTaken) {
    SweepIfDue(now, kSweepLeast);
    verdict = Check(peer);
  }
  if (verdict == Verdict::kTaken) {
    entries_.emplace(fd, Entry{InodeOf(fd).value_or(0), peer});
    ++of_peer_[peer];
  }
  count_ = entries_.size();
  return verdict;
}

void Connections::SweepIfDue(Clock::time_point now, Clock::duration age) {
  if (now - swept_ >= age) {
    swept_ = now;
    Sweep();
  }
}

void Connections::Sweep() {
  for (auto at = entries_.begin(); at != entries_.end();) {
    const auto entry = at++;
    if (InodeOf(entry->first) != entry->second.inode) {
      Forget(entry);
    }
  }
  count_ = entries_.size();
}

}  // namespace kindred::daemon
