// The ways in: what kinds of connections there are, who may come by which, and gRPC's part of each.
//
// Threads: made while the server is built; afterwards everything from any thread.

#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>

#include "daemon/edge/edge_config.h"
#include "daemon/edge/peer.h"
#include "daemon/edge/role.h"
#include "daemon/edge/secrets.h"
#include "grpcpp/server_builder.h"

namespace kindred::daemon {

class Doors {
 public:
  // `secrets` must outlive the server.
  Doors(grpc::ServerBuilder& builder, const EdgeConfig& config, const Secrets& secrets);

  bool Admits(const Peer& peer) const;
  // Hands the connection to gRPC, which owns the descriptor from then on. REQUIRES: the server has started.
  void Take(int fd, const Peer& peer);

 private:
  using Door = std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor>;

  Door network_;
  Door socket_;
  std::map<Role, Door> trusted_;                // Sockets, by what their users are trusted as.
  std::map<uid_t, std::optional<Role>> users_;  // Empty: all.
};

}  // namespace kindred::daemon
