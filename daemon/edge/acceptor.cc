#include "daemon/edge/acceptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "index/base/check.h"
#include "spdlog/spdlog.h"

namespace kindred::daemon {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int kAcceptAtOnce = 64;           // Of one socket, before the others get their turn.
constexpr int kSweepMs = 1'000;             // How old the number of connections may be.
constexpr milliseconds kPause{50};          // When the system lacks what an accept needs.
constexpr std::chrono::seconds kQuiet{10};  // Between two lines about connections that were refused.

FileDescriptor OpenSpare() { return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

bool LacksDescriptor(int error) { return error == EMFILE || error == ENFILE; }

// What says nothing about the listener: this one connection failed, or none waits.
bool IsOfOneConnection(int error) {
  return error == EAGAIN || error == EINTR || error == ECONNABORTED || error == EPROTO || error == EPERM ||
         error == ENETDOWN || error == ENOPROTOOPT || error == EHOSTDOWN || error == ENONET ||
         error == EHOSTUNREACH || error == EOPNOTSUPP || error == ENETUNREACH;
}

}  // namespace

Acceptor::Acceptor(std::vector<ListenSocket> sockets, AcceptorOptions options)
    : sockets_(std::move(sockets)),
      options_(std::move(options)),
      connections_({.all = options_.connections_max,
                    .per_peer = options_.connections_per_peer_max,
                    .handshake = options_.handshake_max},
                   *options_.counters),
      spare_(OpenSpare()),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Create(std::vector<ListenSocket> sockets,
                                                           AcceptorOptions options) {
  std::unique_ptr<Acceptor> acceptor(new Acceptor(std::move(sockets), std::move(options)));
  if (!acceptor->stop_.valid() || !acceptor->spare_.valid()) {
    return absl::UnavailableError("cannot listen: the process has no file descriptor left (ulimit -n)");
  }
  return acceptor;
}

void Acceptor::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Acceptor::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    KINDRED_CHECK(::write(stop_.get(), &one, sizeof(one)) == sizeof(one));
    thread_.join();
  }
  sockets_.clear();
}

bool Acceptor::PauseOrStopped(milliseconds time) {
  pollfd stop{stop_.get(), POLLIN, 0};
  return ::poll(&stop, 1, static_cast<int>(time.count())) > 0;
}

void Acceptor::Run() {
  std::vector<pollfd> waiting{{stop_.get(), POLLIN, 0}};
  for (const ListenSocket& socket : sockets_) {
    waiting.push_back({socket.fd(), POLLIN, 0});
  }
  while (true) {
    ::poll(waiting.data(), waiting.size(), options_.counters->open > 0 ? kSweepMs : -1);
    if (waiting[0].revents != 0) {
      return;
    }
    bool pause = false;
    for (size_t i = 0; i < sockets_.size(); ++i) {
      pause = (waiting[i + 1].revents != 0 && !AcceptSome(sockets_[i])) || pause;
    }
    connections_.SweepIfDue(Clock::now(), milliseconds(kSweepMs));
    if (pause && PauseOrStopped(kPause)) {
      return;
    }
  }
}

bool Acceptor::AcceptSome(const ListenSocket& socket) {
  for (int i = 0; i < kAcceptAtOnce; ++i) {
    FileDescriptor fd(::accept4(socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd.valid()) {
      Take(std::move(fd));
      continue;
    }
    const int error = errno;
    if (LacksDescriptor(error)) {
      return HangUp(socket);
    }
    if (IsOfOneConnection(error)) {
      return true;
    }
    Refuse(Refusal::kAccept, fmt::format("accept: {}", std::generic_category().message(error)));
    return false;
  }
  return true;
}

void Acceptor::Take(FileDescriptor fd) {
  const std::optional<Peer> peer = PeerOf(fd.get());
  if (!peer) {
    return;
  }
  if (!options_.admit(*peer)) {
    Refuse(Refusal::kUser, fmt::format("{} may not connect (--socket-uid)", peer->key));
    return;
  }
  switch (connections_.Take(fd.get(), peer->key, Clock::now())) {
    case Connections::Verdict::kTaken:
      ++options_.counters->accepted;
      options_.take(fd.Release(), *peer);
      return;
    case Connections::Verdict::kTooMany:
      Refuse(Refusal::kConnectionsMax,
             fmt::format("of {}: connections_max = {} is reached", peer->key, options_.connections_max));
      return;
    case Connections::Verdict::kTooManyOfPeer:
      Refuse(Refusal::kConnectionsPerPeerMax, fmt::format("of {}: connections_per_peer_max = {} is reached",
                                                          peer->key, options_.connections_per_peer_max));
      return;
  }
}

bool Acceptor::HangUp(const ListenSocket& socket) {
  connections_.MakeRoom(Clock::now());
  if (!spare_.valid()) {
    spare_ = OpenSpare();  // Another thread took it; perhaps it is free again.
    return false;
  }
  spare_.Reset();
  { const FileDescriptor refused(::accept4(socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)); }
  spare_ = OpenSpare();
  Refuse(Refusal::kDescriptors, "the process has no file descriptor left (ulimit -n)");
  return spare_.valid();
}

void Acceptor::Refuse(Refusal reason, const std::string& why) {
  options_.counters->CountRefused(reason);
  const uint64_t refused = ++refused_;
  const Clock::time_point now = Clock::now();
  if (refused == 1 || now - logged_ >= kQuiet) {
    spdlog::warn("connection refused: {} ({} refused since the last such line)", why,
                 refused - refused_when_logged_);
    logged_ = now;
    refused_when_logged_ = refused;
  }
}

}  // namespace kindred::daemon
