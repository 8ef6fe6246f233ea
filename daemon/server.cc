#include "daemon/server.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "daemon/call_interceptor.h"
#include "daemon/edge/call_context.h"
#include "daemon/process.h"
#include "grpc/grpc.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/impl/server_builder_option.h"
#include "grpcpp/impl/server_builder_plugin.h"
#include "grpcpp/resource_quota.h"
#include "index/base/status.h"
#include "spdlog/spdlog.h"

namespace kindred::daemon {
namespace {

constexpr int kKeepaliveIdleMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
constexpr int kMinPingIntervalMs = 5'000;
// Of a connection at a time. By default 4 MiB, which keeps a thread of gRPC's for so long that searches
// beside a flood of megabytes notice (bench/README.md); a load is as fast with less.
constexpr int kReadBytesMax = 64 << 10;
// What a client may send of a stream before it is read, and in one piece. Left alone gRPC probes how much a
// connection takes, and lets a fast client send many megabytes at once: searches beside a flood of those
// waited twice as long (bench/README.md). This is ten megabytes a second where an answer takes 100 ms.
constexpr int kStreamAheadBytes = 1 << 20;
constexpr int kFrameBytesMax = 128 << 10;
constexpr size_t kQuotaBytes = size_t{1} << 30;
// Descriptors that connections leave alone: RocksDB's tables (512), logs, and what else a process needs.
constexpr uint64_t kDescriptorsKept = 640;

// The reflection library adds itself to every server of a program that links it.
class WithoutReflection final : public grpc::ServerBuilderOption {
 public:
  void UpdateArguments(grpc::ChannelArguments*) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    std::erase_if(*plugins, [](const auto& plugin) { return plugin->name() == "proto_server_reflection"; });
  }
};

void Configure(grpc::ServerBuilder& builder, const Limits& limits) {
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveIdleMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kMinPingIntervalMs);
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadBytesMax);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kFrameBytesMax);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kStreamAheadBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, static_cast<int>(limits.streams_max));
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, static_cast<int>(limits.handshake_ms_max));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                             static_cast<int>(limits.connection_idle_ms_max));
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.message_bytes_max));
  builder.SetMaxSendMessageSize(-1);
  builder.SetResourceQuota(grpc::ResourceQuota("kindredd").Resize(kQuotaBytes));
}

// As many as the process may open files for, with some left for itself.
uint64_t ConnectionsMax(const Limits& limits) {
  const uint64_t files = OpenFilesMax();
  const uint64_t possible = files >= 2 * kDescriptorsKept ? files - kDescriptorsKept : files / 2;
  if (possible < limits.connections_max) {
    spdlog::warn("connections_max = {} is lowered to {}: the process may open {} files (ulimit -n)",
                 limits.connections_max, possible, files);
  }
  return std::min(possible, limits.connections_max);
}

// Every call is counted.
CallInterceptorFactories Interceptors(Monitor& monitor) {
  CallInterceptorFactories factories;
  factories.push_back(std::make_unique<CallInterceptors>(monitor.calls()));
  return factories;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Listen(const Config& config, const Secrets& secrets,
                                                       Serving& serving) {
  std::unique_ptr<Server> server(new Server(serving));
  std::vector<ListenSocket> sockets;
  for (const std::string& address : config.listen) {
    KINDRED_ASSIGN_OR_RETURN(Listening listening, ListenOn(address, config.edge.socket_mode()));
    server->addresses_.push_back(listening.address);
    std::ranges::move(listening.sockets, std::back_inserter(sockets));
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
  UseCallContexts(builder, Interceptors(serving.monitor()));
  server->doors_ = std::make_unique<Doors>(builder, config.edge, secrets);
  builder.RegisterService(&server->service_);
  builder.RegisterService(&server->admin_);
  server->server_ = builder.BuildAndStart();
  if (server->server_ == nullptr) {
    return absl::UnavailableError("cannot listen: the gRPC server did not start");
  }
  server->SetServing(false);
  KINDRED_RETURN_IF_ERROR(server->StartAccepting(config, std::move(sockets)));
  return server;
}

absl::Status Server::StartAccepting(const Config& config, std::vector<ListenSocket> sockets) {
  AcceptorOptions options;
  options.connections_max = ConnectionsMax(config.limits);
  options.connections_per_peer_max = config.limits.connections_per_peer_max;
  options.handshake_max = std::chrono::milliseconds(config.limits.handshake_ms_max);
  options.counters = &service_.serving().edge();
  options.admit = [this](const Peer& peer) { return doors_->Admits(peer); };
  options.take = [this](int fd, const Peer& peer) { doors_->Take(fd, peer); };
  KINDRED_ASSIGN_OR_RETURN(acceptor_, Acceptor::Create(std::move(sockets), std::move(options)));
  acceptor_->Start();
  return absl::OkStatus();
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
  if (acceptor_ != nullptr) {
    acceptor_->Stop();
  }
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
}

}  // namespace kindred::daemon
