// What happens at the doors, counted since the start: for /metrics (docs/monitoring.md).
//
// Threads: any.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace kindred::daemon {

// Why a connection was hung up on before anything was said.
enum class Refusal { kConnectionsMax, kConnectionsPerPeerMax, kUser, kDescriptors, kAccept };

inline constexpr std::array<std::string_view, 5> kRefusalNames{"connections_max", "connections_per_peer_max",
                                                               "user", "descriptors", "accept"};

struct EdgeCounters {
  using Counter = std::atomic<uint64_t>;

  std::atomic<uint64_t> open{0};  // Now, as of a second ago.
  Counter accepted{0};
  std::array<Counter, kRefusalNames.size()> refused{};  // By Refusal.
  Counter made_room{0};                                 // Silent ones that were shut down for others.
  Counter handshakes_timed_out{0};
  Counter unauthenticated{0};  // Calls that could not say who they are,
  Counter held_back{0};        // and of these the ones whose answer had to wait.
  Counter denied{0};           // Calls whose caller's role was not enough.

  void CountRefused(Refusal why) { ++refused[static_cast<size_t>(why)]; }
};

}  // namespace kindred::daemon
