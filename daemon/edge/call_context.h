// The context of a call that knows its method, and whom the connection it came by is trusted as.
//
// gRPC makes our contexts (ServerBuilder::SetContextAllocator), and tells the name of each call before its
// handler runs to a factory of interceptors, which makes none: that costs nothing further on.
//
// Threads: as grpc::CallbackServerContext.
// Invariants: every context that a handler of ours gets is a CallContext.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/edge/request_context.h"
#include "daemon/edge/role.h"
#include "grpcpp/server_builder.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_interceptor.h"

namespace kindred::daemon {

class CallContext final : public RequestContext {
 public:
  std::string_view method;  // As "/kindred.v1.Index/Put".

  static const CallContext& Of(const grpc::CallbackServerContext& context) {
    return static_cast<const CallContext&>(context);
  }

  // The role its connection gives a call without a token (door_credentials.h).
  std::optional<Role> door_role() const;
  // Whether it came by TLS with a certificate of an authority of --tls-client-ca.
  bool has_client_certificate() const;
  // Its peer without the port, as gRPC writes it.
  std::string peer_host() const;
};

using CallInterceptorFactories =
    std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>>;

// `others` see each call after its context knows it.
void UseCallContexts(grpc::ServerBuilder& builder, CallInterceptorFactories others);

}  // namespace kindred::daemon
