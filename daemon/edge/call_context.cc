#include "daemon/edge/call_context.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "daemon/edge/door_credentials.h"
#include "grpc/grpc_security_constants.h"
#include "grpcpp/generic/async_generic_service.h"

namespace kindred::daemon {
namespace {

class CallContextAllocator final : public grpc::ContextAllocator {
 public:
  grpc::CallbackServerContext* NewCallbackServerContext() override { return new CallContext; }
  // Of a call that nobody serves. Without one of ours gRPC uses a part of its own object, and has that
  // released here all the same.
  grpc::GenericCallbackServerContext* NewGenericCallbackServerContext() override {
    return new grpc::GenericCallbackServerContext;
  }
  using grpc::ContextAllocator::Release;
  // Of either kind.
  void Release(grpc::CallbackServerContext* context) override { delete context; }
};

class MethodNamer final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override {
    // That of reflection, which gRPC serves with threads of its own, is another kind.
    if (auto* const ours = dynamic_cast<CallContext*>(info->server_context()); ours != nullptr) {
      ours->method = info->method();
    }
    return nullptr;
  }
};

}  // namespace

std::optional<Role> CallContext::door_role() const {
  const auto values = auth_context()->FindPropertyValues(kDoorRoleProperty);
  if (values.size() != 1) {
    return std::nullopt;
  }
  return RoleOfName(std::string_view(values[0].data(), values[0].size()));
}

bool CallContext::has_client_certificate() const {
  const auto kinds = auth_context()->FindPropertyValues(GRPC_TRANSPORT_SECURITY_TYPE_PROPERTY_NAME);
  return kinds.size() == 1 && kinds[0] == GRPC_SSL_TRANSPORT_SECURITY_TYPE &&
         auth_context()->IsPeerAuthenticated();
}

std::string CallContext::peer_host() const {
  std::string host = peer();
  if (!host.starts_with("unix:")) {
    host.resize(std::min(host.rfind(':'), host.size()));
  }
  return host;
}

void UseCallContexts(grpc::ServerBuilder& builder, CallInterceptorFactories others) {
  builder.SetContextAllocator(std::make_unique<CallContextAllocator>());
  CallInterceptorFactories factories;
  factories.push_back(std::make_unique<MethodNamer>());
  std::ranges::move(others, std::back_inserter(factories));
  builder.experimental().SetInterceptorCreators(std::move(factories));
}

}  // namespace kindred::daemon
