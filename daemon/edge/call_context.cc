#include "daemon/edge/call_context.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/edge/door_credentials.h"
#include "grpcpp/support/server_interceptor.h"

namespace kindred::daemon {
namespace {

class CallContextAllocator final : public grpc::ContextAllocator {
 public:
  grpc::CallbackServerContext* NewCallbackServerContext() override { return new CallContext; }
  using grpc::ContextAllocator::Release;
  void Release(grpc::CallbackServerContext* context) override { delete static_cast<CallContext*>(context); }
};

class MethodNamer final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override {
    static_cast<CallContext*>(info->server_context())->method = info->method();
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

std::string CallContext::peer_host() const {
  std::string host = peer();
  if (!host.starts_with("unix:")) {
    host.resize(std::min(host.rfind(':'), host.size()));
  }
  return host;
}

void UseCallContexts(grpc::ServerBuilder& builder) {
  builder.SetContextAllocator(std::make_unique<CallContextAllocator>());
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> factories;
  factories.push_back(std::make_unique<MethodNamer>());
  builder.experimental().SetInterceptorCreators(std::move(factories));
}

}  // namespace kindred::daemon
