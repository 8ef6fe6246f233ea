// Who is at the other end of a connection, as far as the system knows.
//
// Threads: free function without state.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace kindred::daemon {

struct Peer {
  // Tells peers apart for limits: an IPv4 address, the first 64 bits of an IPv6 address (whoever has one
  // address of them has all), or the user of a Unix socket. Readable: it is logged.
  std::string key;
  std::optional<uid_t> uid;  // Of a Unix socket: as the kernel noted when it was connected.
};

// Nothing when the peer is gone already.
std::optional<Peer> PeerOf(int fd);

}  // namespace kindred::daemon
