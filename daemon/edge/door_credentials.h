// The doors of the daemon, as gRPC's credentials: plain, TLS, and Unix sockets whose users are trusted as a
// role.
//
// Threads: free functions; the credentials belong to the server builder.

#pragma once

#include <memory>

#include "daemon/edge/role.h"
#include "daemon/edge/secrets.h"
#include "grpcpp/security/server_credentials.h"

namespace kindred::daemon {

// Of the authentication context of calls that came by a trusted door; its value is the name of the role. Only
// the server writes there.
inline constexpr const char* kDoorRoleProperty = "kindred-door-role";

// Asks `secrets` for the certificate with every connection, so that a new one counts from then on. `secrets`
// must have TLS material, and outlive the server.
std::shared_ptr<grpc::ServerCredentials> TlsDoor(const Secrets& secrets, bool require_client_certificate);

// A Unix socket's, for connections whose user is trusted as `role`.
std::shared_ptr<grpc::ServerCredentials> TrustedDoor(Role role);

}  // namespace kindred::daemon
