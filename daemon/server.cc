#include "daemon/server.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "daemon/call_interceptor.h"
#include "daemon/request_context.h"
#include "grpc/grpc.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/impl/server_builder_option.h"
#include "grpcpp/impl/server_builder_plugin.h"
#include "grpcpp/resource_quota.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr int kKeepaliveIdleMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
constexpr int kMinPingIntervalMs = 5'000;
constexpr size_t kQuotaBytes = size_t{1} << 30;

// gRPC removes a socket file it finds and so would take another daemon's address over without a word.
bool SomeoneListensOn(const std::string& socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof(address.sun_path)) {
    return false;  // gRPC will say that the path is too long.
  }
  std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return false;
  }
  const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  ::close(fd);
  return connected;
}

absl::Status CannotListen(const std::string& address, std::string_view why) {
  return MakeStatus(absl::StatusCode::kUnavailable, "cannot listen on {}: {}", address, why);
}

// The reflection library adds itself to every server of a program that links it.
class WithoutReflection final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments*) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    std::erase_if(*plugins, [](const auto& plugin) { return plugin->name() == "proto_server_reflection"; });
  }
};

std::string WithPort(const std::string& address, int port) {
  return address.starts_with("unix:") ? address
                                      : address.substr(0, address.rfind(':') + 1) + std::to_string(port);
}

void Configure(grpc::ServerBuilder& builder, const Limits& limits) {
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveIdleMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinPingIntervalMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, static_cast<int>(limits.streams_max));
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.message_bytes_max));
  builder.SetMaxSendMessageSize(-1);
  builder.SetResourceQuota(grpc::ResourceQuota("kindredd").Resize(kQuotaBytes));
}

// Every call gets an id, and is counted.
void Observe(grpc::ServerBuilder& builder, Monitor& monitor) {
  builder.SetContextAllocator(std::make_unique<RequestContexts>());
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(std::make_unique<CallInterceptors>(monitor.calls()));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Listen(const Config& config, Serving& serving) {
  for (const std::string& address : config.listen) {
    if (address.starts_with("unix:") && SomeoneListensOn(address.substr(5))) {
      return CannotListen(address, "another process listens there");
    }
  }
  // Never undone: gRPC would end with the server, and then may wait ten seconds for a poller of its own if a
  // write was blocked lately (tcp_posix.cc, run_poller).
  grpc_init();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  if (!config.reflection) {
    builder.SetOption(std::make_unique<WithoutReflection>());
  }
  Configure(builder, config.limits);
  Observe(builder, serving.monitor());
  std::vector<int> ports(config.listen.size(), 0);
  for (size_t i = 0; i < config.listen.size(); ++i) {
    builder.AddListeningPort(config.listen[i], grpc::InsecureServerCredentials(), &ports[i]);
  }
  std::unique_ptr<Server> server(new Server(serving));
  builder.RegisterService(&server->service_);
  builder.RegisterService(&server->admin_);
  server->server_ = builder.BuildAndStart();
  for (size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] <= 0) {
      return CannotListen(config.listen[i], "the address is in use, not allowed or not this machine's");
    }
    server->addresses_.push_back(WithPort(config.listen[i], ports[i]));
  }
  if (server->server_ == nullptr) {
    return CannotListen(config.listen.front(), "the gRPC server did not start");
  }
  server->SetServing(false);
  return server;
}

Server::~Server() {
  if (server_ != nullptr) {
    Shutdown();
  }
}

void Server::SetServing(bool serving) {
  grpc::HealthCheckServiceInterface* const health = server_->GetHealthCheckService();
  health->SetServingStatus(serving);
  health->SetServingStatus(v1::Index::service_full_name(), serving);
}

void Server::Shutdown() {
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
}

}  // namespace kindred::daemon
