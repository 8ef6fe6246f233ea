#include "daemon/edge/doors.h"

#include <utility>

#include "daemon/edge/door_credentials.h"

namespace kindred::daemon {

Doors::Doors(grpc::ServerBuilder& builder, const EdgeConfig& config, const Secrets& secrets) {
  const auto add = [&builder](std::shared_ptr<grpc::ServerCredentials> credentials) {
    return builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, std::move(credentials));
  };
  network_ = add(config.has_tls() ? TlsDoor(secrets, !config.tls.client_ca.empty())
                                  : grpc::InsecureServerCredentials());
  socket_ = add(grpc::InsecureServerCredentials());
  for (const EdgeConfig::SocketUser& user : config.socket_users()) {
    users_[user.uid] = user.role;
    if (user.role && !trusted_.contains(*user.role)) {
      trusted_[*user.role] = add(TrustedDoor(*user.role));
    }
  }
}

bool Doors::Admits(const Peer& peer) const {
  return !peer.uid || users_.empty() || users_.contains(*peer.uid);
}

void Doors::Take(int fd, const Peer& peer) {
  Door* door = &network_;
  if (peer.uid) {
    const auto user = users_.find(*peer.uid);
    door = user != users_.end() && user->second ? &trusted_.at(*user->second) : &socket_;
  }
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
  connection.fd = fd;
  (*door)->HandleNewConnection(&connection);
}

}  // namespace kindred::daemon
