#include "daemon/edge/connections.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace kindred::daemon {
namespace {

constexpr std::chrono::milliseconds kSweepLeast{20};
constexpr size_t kEvictAtOnce = 16;
constexpr uint64_t kPrefaceBytes = 24;
// A connection that gRPC hung up on is noticed at the next look; the one before saw it as it was.
constexpr std::chrono::milliseconds kNoticedWithin{1'500};

std::optional<ino_t> InodeOf(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode)) {
    return std::nullopt;
  }
  return info.st_ino;
}

// Nothing for what is not TCP.
std::optional<tcp_info> TcpInfoOf(int fd) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
    return std::nullopt;
  }
  return info;
}

// Since the last byte either way. Nothing for what is not TCP.
std::optional<std::chrono::milliseconds> SilenceOf(int fd) {
  const std::optional<tcp_info> info = TcpInfoOf(fd);
  if (!info) {
    return std::nullopt;
  }
  return std::chrono::milliseconds(std::min(info->tcpi_last_data_recv, info->tcpi_last_data_sent));
}

// Whether it has sent as much as the preface of HTTP/2, which nothing begins with less than; of what is not
// TCP nobody knows.
bool HasSpoken(int fd) {
  const std::optional<tcp_info> info = TcpInfoOf(fd);
  return !info || info->tcpi_bytes_received >= kPrefaceBytes;
}

}  // namespace

Connections::Verdict Connections::Check(const std::string& peer) const {
  if (entries_.size() >= limits_.all) {
    return Verdict::kTooMany;
  }
  const auto found = of_peer_.find(peer);
  return found != of_peer_.end() && found->second >= limits_.per_peer ? Verdict::kTooManyOfPeer
                                                                      : Verdict::kTaken;
}

void Connections::Forget(Entries::iterator entry) {
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
  if (verdict != Verdict::kTaken && now - swept_ >= kSweepLeast) {
    swept_ = now;
    Sweep(now);
    if (verdict = Check(peer); verdict != Verdict::kTaken) {
      Evict(verdict == Verdict::kTooManyOfPeer ? &peer : nullptr);
      verdict = Check(peer);
    }
  }
  if (verdict == Verdict::kTaken) {
    entries_.emplace(fd, Entry{InodeOf(fd).value_or(0), peer, now});
    ++of_peer_[peer];
  }
  counters_.open = entries_.size();
  return verdict;
}

void Connections::SweepIfDue(Clock::time_point now, Clock::duration age) {
  if (now - swept_ >= age) {
    swept_ = now;
    Sweep(now);
  }
}

void Connections::MakeRoom(Clock::time_point now) {
  if (now - swept_ >= kSweepLeast) {
    swept_ = now;
    Sweep(now);
    Evict(nullptr);
    counters_.open = entries_.size();
  }
}

void Connections::Sweep(Clock::time_point now) {
  for (auto at = entries_.begin(); at != entries_.end();) {
    const auto entry = at++;
    Entry& seen = entry->second;
    if (InodeOf(entry->first) == seen.inode) {
      seen.spoke = seen.spoke || HasSpoken(entry->first);
      continue;
    }
    const auto age = now - seen.taken;
    if (!seen.spoke && age >= limits_.handshake && age < limits_.handshake + kNoticedWithin) {
      ++counters_.handshakes_timed_out;
    }
    Forget(entry);
  }
  counters_.open = entries_.size();
}

void Connections::Evict(const std::string* peer) {
  std::vector<std::pair<std::chrono::milliseconds, int>> silent;
  for (const auto& [fd, entry] : entries_) {
    const auto silence = peer == nullptr || entry.peer == *peer ? SilenceOf(fd) : std::nullopt;
    if (silence && *silence >= limits_.silence) {
      silent.emplace_back(*silence, fd);
    }
  }
  const size_t evicted = std::min(silent.size(), kEvictAtOnce);
  std::ranges::partial_sort(silent, silent.begin() + static_cast<ptrdiff_t>(evicted), std::greater<>());
  for (size_t i = 0; i < evicted; ++i) {
    const auto entry = entries_.find(silent[i].second);
    // gRPC may have closed it since, and something else may have its number.
    if (InodeOf(entry->first) == entry->second.inode) {
      ::shutdown(entry->first, SHUT_RDWR);  // gRPC notices, and closes it.
      ++counters_.made_room;
    }
    Forget(entry);
  }
}

}  // namespace kindred::daemon
