// Accepts connections and hands them over: the listener of the daemon, on a thread of its own.
//
// It goes on whatever comes. Without a free descriptor it gives up one that it keeps for this, accepts, hangs
// up and takes it back, so that nobody waits for a connection that cannot be served and the listener is there
// when descriptors are. Beyond the limits of connections it accepts and hangs up.
//
// Threads: Start, Stop and the destructor from one. `take` and `admit` run on its thread and must not block.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/edge/connections.h"
#include "daemon/edge/edge_counters.h"
#include "daemon/edge/file_descriptor.h"
#include "daemon/edge/listen_socket.h"
#include "daemon/edge/peer.h"

namespace kindred::daemon {

struct AcceptorOptions {
  uint64_t connections_max = 0;
  uint64_t connections_per_peer_max = 0;
  std::chrono::milliseconds handshake_max{10'000};
  EdgeCounters* counters = nullptr;  // Must outlive the acceptor.
  // Whether a peer may connect at all.
  std::function<bool(const Peer&)> admit;
  // Owns the descriptor from now on.
  std::function<void(int fd, const Peer&)> take;
};

class Acceptor {
 public:
  // UNAVAILABLE when the system lacks descriptors.
  static absl::StatusOr<std::unique_ptr<Acceptor>> Create(std::vector<ListenSocket> sockets,
                                                          AcceptorOptions options);
  ~Acceptor() { Stop(); }
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  void Start();
  // No connection is taken afterwards, and the sockets are closed.
  void Stop();

 private:
  Acceptor(std::vector<ListenSocket> sockets, AcceptorOptions options);

  void Run();
  // Accepts what waits at one socket; false when it has to pause first.
  bool AcceptSome(const ListenSocket& socket);
  void Take(FileDescriptor fd);
  // With no descriptor left: hangs up on one connection. False when even that is impossible.
  bool HangUp(const ListenSocket& socket);
  // Counts, and logs at most once in a while, with how many there were since.
  void Refuse(Refusal reason, const std::string& why);
  // Sleeps unless it is stopped; true when it is.
  bool PauseOrStopped(std::chrono::milliseconds time);

  std::vector<ListenSocket> sockets_;
  const AcceptorOptions options_;
  Connections connections_;
  FileDescriptor spare_;
  FileDescriptor stop_;  // An eventfd.
  uint64_t refused_ = 0;
  uint64_t refused_when_logged_ = 0;
  std::chrono::steady_clock::time_point logged_{};
  std::thread thread_;
};

}  // namespace kindred::daemon
