#include "daemon/edge/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "fmt/format.h"

namespace kindred::daemon {
namespace {

std::string Text(int family, const void* address) {
  char text[INET6_ADDRSTRLEN] = "";
  ::inet_ntop(family, address, text, sizeof(text));
  return text;
}

std::string KeyOf(const in6_addr& address) {
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    return Text(AF_INET, &address.s6_addr[12]);
  }
  in6_addr network = address;
  std::fill(network.s6_addr + 8, network.s6_addr + 16, uint8_t{0});
  return Text(AF_INET6, IN6_IS_ADDR_LOOPBACK(&address) ? &address : &network);
}

}  // namespace

std::optional<Peer> PeerOf(int fd) {
  union {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
    sockaddr_storage room;
  } address{};
  socklen_t size = sizeof(address);
  if (::getpeername(fd, &address.any, &size) != 0) {
    return std::nullopt;
  }
  if (address.any.sa_family == AF_INET) {
    return Peer{Text(AF_INET, &address.v4.sin_addr), std::nullopt};
  }
  if (address.any.sa_family == AF_INET6) {
    return Peer{KeyOf(address.v6.sin6_addr), std::nullopt};
  }
  ucred user{};
  socklen_t user_size = sizeof(user);
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &user_size) != 0) {
    return std::nullopt;
  }
  return Peer{fmt::format("uid {}", user.uid), user.uid};
}

}  // namespace kindred::daemon
