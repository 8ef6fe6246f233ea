// Sockets that listen, from addresses as people write them: HOST:PORT, [IPV6]:PORT, unix:PATH.
//
// They are our own, not gRPC's: its listener of version 1.51 stops for good when the process runs out of
// descriptors (CVE-2023-4785), does not count connections and knows no peer's user.
//
// Threads: free functions without state; a ListenSocket belongs to one thread at a time.

#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/edge/file_descriptor.h"

namespace kindred::daemon {

inline bool IsUnixAddress(const std::string& address) { return address.starts_with("unix:"); }

// Whether only this machine can reach it: a Unix socket, or a host all of whose addresses are loopback ones.
// A host that cannot be resolved is no one's; listening there will fail and say why.
bool IsLocalAddress(const std::string& address);

class ListenSocket {
 public:
  ListenSocket(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  ListenSocket(ListenSocket&&) = default;
  ListenSocket& operator=(ListenSocket&&) = delete;
  // Removes the file of a Unix socket.
  ~ListenSocket();

  int fd() const { return fd_.get(); }
  bool is_unix() const { return !path_.empty(); }

 private:
  FileDescriptor fd_;
  std::string path_;
};

struct Listening {
  std::string address;                // With the port that was chosen.
  std::vector<ListenSocket> sockets;  // A host may have several addresses: one each.
};

// UNAVAILABLE when none of the host's addresses can be listened on. The file of a Unix socket gets
// `socket_mode` before anyone can connect; one that a dead process left behind is replaced, one that someone
// listens on is not.
absl::StatusOr<Listening> ListenOn(const std::string& address, mode_t socket_mode);

}  // namespace kindred::daemon
