#include "daemon/edge/listen_socket.h"

#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "index/base/status.h"

namespace kindred::daemon {
namespace {

// Connections that the kernel holds for us while the acceptor is busy; net.core.somaxconn may allow fewer.
constexpr int kBacklog = 4'096;

std::string Errno() { return std::generic_category().message(errno); }

absl::Status CannotListen(const std::string& address, const std::string& why) {
  return MakeStatus(absl::StatusCode::kUnavailable, "cannot listen on {}: {}", address, why);
}

using Resolved = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

absl::StatusOr<Resolved> Resolve(const std::string& address) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
  if (error != 0) {
    return CannotListen(address, ::gai_strerror(error));
  }
  return Resolved(found, &::freeaddrinfo);
}

// An address of either kind, as the system calls want it.
union IpAddress {
  sockaddr any;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sockaddr_storage room;

  explicit IpAddress(const addrinfo& info) : room{} { std::memcpy(&room, info.ai_addr, info.ai_addrlen); }

  bool is_v4() const { return any.sa_family == AF_INET; }
  in_port_t& port() { return is_v4() ? v4.sin_port : v6.sin6_port; }
  bool is_loopback() const {
    return is_v4() ? (ntohl(v4.sin_addr.s_addr) >> 24) == 127
                   : any.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
  }
};

absl::StatusOr<FileDescriptor> ListenOnIp(const std::string& address, const IpAddress& where,
                                          socklen_t size) {
  FileDescriptor fd(::socket(where.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  const int off = 0;
  if (!fd.valid()) {
    return CannotListen(address, Errno());
  }
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));  // Accepted ones inherit it.
  if (!where.is_v4()) {
    ::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));  // [::] is every address.
  }
  if (::bind(fd.get(), &where.any, size) != 0 || ::listen(fd.get(), kBacklog) != 0) {
    return CannotListen(address, Errno());
  }
  return fd;
}

absl::StatusOr<Listening> ListenOnHost(const std::string& address) {
  KINDRED_ASSIGN_OR_RETURN(const Resolved resolved, Resolve(address));
  Listening listening;
  absl::Status failure = CannotListen(address, "the host has no address");
  in_port_t port = 0;  // Of the first; the others get the same.
  for (const addrinfo* info = resolved.get(); info != nullptr; info = info->ai_next) {
    IpAddress where(*info);
    if (port != 0) {
      where.port() = port;
    }
    auto fd = ListenOnIp(address, where, info->ai_addrlen);
    if (!fd.ok()) {
      failure = fd.status();
      continue;
    }
    socklen_t size = sizeof(where);
    ::getsockname(fd->get(), &where.any, &size);
    port = where.port();
    listening.sockets.emplace_back(*std::move(fd), "");
  }
  if (listening.sockets.empty()) {
    return failure;
  }
  listening.address = fmt::format("{}:{}", address.substr(0, address.rfind(':')), ntohs(port));
  return listening;
}

sockaddr_un UnixAddress(const std::string& path) {
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  std::memcpy(where.sun_path, path.data(), path.size());
  return where;
}

bool SomeoneListensOn(const sockaddr_un& where) {
  const FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  // EAGAIN: it listens, and has no room in its queue.
  return fd.valid() && (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&where), sizeof(where)) == 0 ||
                        errno == EAGAIN);
}

// Only a socket: whatever else has the name stays, and bind fails.
void RemoveLeftOver(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode)) {
    ::unlink(path.c_str());
  }
}

absl::StatusOr<Listening> ListenOnPath(const std::string& address, mode_t mode) {
  const std::string path = address.substr(5);
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return CannotListen(address, fmt::format("the path has {} bytes, a socket's has at most {}", path.size(),
                                             sizeof(sockaddr_un::sun_path) - 1));
  }
  const sockaddr_un where = UnixAddress(path);
  if (SomeoneListensOn(where)) {
    return CannotListen(address, "another process listens there");
  }
  RemoveLeftOver(path);
  FileDescriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.valid() || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&where), sizeof(where)) != 0) {
    return CannotListen(address, Errno());
  }
  Listening listening{address, {}};
  listening.sockets.emplace_back(std::move(fd), path);
  // Nobody can connect before it listens, so the mode counts from the first connection on.
  if (::chmod(path.c_str(), mode) != 0 || ::listen(listening.sockets[0].fd(), kBacklog) != 0) {
    return CannotListen(address, Errno());
  }
  return listening;
}

}  // namespace

bool IsLocalAddress(const std::string& address) {
  if (IsUnixAddress(address)) {
    return true;
  }
  const auto resolved = Resolve(address);
  if (!resolved.ok()) {
    return true;
  }
  for (const addrinfo* info = resolved->get(); info != nullptr; info = info->ai_next) {
    if (!IpAddress(*info).is_loopback()) {
      return false;
    }
  }
  return true;
}

ListenSocket::~ListenSocket() {
  if (fd_.valid() && is_unix()) {
    ::unlink(path_.c_str());
  }
}

absl::StatusOr<Listening> ListenOn(const std::string& address, mode_t socket_mode) {
  return IsUnixAddress(address) ? ListenOnPath(address, socket_mode) : ListenOnHost(address);
}

}  // namespace kindred::daemon
