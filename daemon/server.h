// The gRPC server: listens, serves kindred.v1.Index and grpc.health.v1, shuts down in order. Connections are
// accepted by an Acceptor of our own.
//
// Threads: one caller.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/admin_service.h"
#include "daemon/config.h"
#include "daemon/edge/acceptor.h"
#include "daemon/edge/doors.h"
#include "daemon/edge/secrets.h"
#include "daemon/index_service.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"

namespace kindred::daemon {

class Server {
 public:
  // Listens at once; health says NOT_SERVING until SetServing(true). `secrets` and `serving` must outlive
  // this.
  static absl::StatusOr<std::unique_ptr<Server>> Listen(const Config& config, const Secrets& secrets,
                                                        Serving& serving);
  ~Server();

  // The addresses, with the ports that were chosen.
  const std::vector<std::string>& addresses() const { return addresses_; }

  void SetServing(bool serving);
  // Cancels what is still under way and closes all connections. Not waiting for them to close by
  // themselves: an idle client may take seconds to notice.
  void Shutdown();

 private:
  explicit Server(Serving& serving) : service_(serving), admin_(serving) {}

  absl::Status StartAccepting(const Config& config, std::vector<ListenSocket> sockets);

  IndexService service_;
  AdminService admin_;
  std::unique_ptr<Doors> doors_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Acceptor> acceptor_;
  std::vector<std::string> addresses_;
};

}  // namespace kindred::daemon
