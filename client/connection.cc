#include "client/connection.h"

#include <future>
#include <vector>

#include "client/grpc_status.h"
#include "client/grpc_time.h"
#include "google/protobuf/io/coded_stream.h"
#include "grpc/grpc.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"

namespace kindred::client {
namespace {

// HealthCheckResponse is one field: `ServingStatus status = 1`, SERVING = 1. We read it ourselves because
// Debian's gRPC ships no generated code for it, and two bytes are not worth a dependency of the build.
bool SaysServing(const grpc::ByteBuffer& response) {
  std::vector<grpc::Slice> slices;
  if (!response.Dump(&slices).ok()) {
    return false;
  }
  std::string bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  constexpr uint32_t kStatusTag = 1 << 3;
  constexpr uint64_t kServing = 1;
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  uint64_t status = 0;
  return input.ReadTag() == kStatusTag && input.ReadVarint64(&status) && status == kServing;
}

// gRPC shuts itself down with its last channel, and then may wait ten seconds for a poller of its own if a
// write was blocked lately (tcp_posix.cc, run_poller). A command that is done should end: hold it open.
void KeepGrpcRunning() {
  static const bool running = [] {
    grpc_init();
    return true;
  }();
  static_cast<void>(running);
}

}  // namespace

Connection MakeConnection(const std::string& grpc_target, const Credentials& credentials,
                          int receive_bytes_max) {
  KeepGrpcRunning();
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(receive_bytes_max);
  // Each Client has its own connection, so that one's failures do not slow another's attempts.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // The daemon is near: a proxy from the environment would only get in the way.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // gRPC's own waits (1 s to 2 min between attempts, 20 s for one) are made for the internet.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5'000);
  // A stream may be open for hours: notice a peer that is gone. Servers by default refuse to be asked more
  // often than every five minutes.
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 310'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  Connection connection;
  if (!credentials.server_name.empty()) {
    arguments.SetSslTargetNameOverride(credentials.server_name);
  }
  connection.channel = grpc::experimental::CreateCustomChannelWithInterceptors(
      grpc_target, credentials.channel, arguments, TokenSender(credentials.token));
  connection.stub = v1::Index::NewStub(connection.channel);
  connection.admin = v1::Admin::NewStub(connection.channel);
  return connection;
}

absl::Status StatusOf(const Connection& connection, const grpc::Status& status) {
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED &&
      connection.channel->GetState(false) != GRPC_CHANNEL_READY) {
    return absl::UnavailableError("failed to connect within the time limit");
  }
  return FromGrpc(status);
}

absl::StatusOr<bool> CheckHealth(const std::shared_ptr<grpc::Channel>& channel,
                                 std::chrono::steady_clock::time_point deadline) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineAt(deadline));
  // An empty message asks for the server as a whole.
  const grpc::Slice empty;
  const grpc::ByteBuffer request(&empty, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> done;
  grpc::GenericStub(channel).UnaryCall(&context, "/grpc.health.v1.Health/Check", grpc::StubOptions(),
                                       &request, &response,
                                       [&done](grpc::Status status) { done.set_value(std::move(status)); });
  const grpc::Status status = done.get_future().get();
  if (!status.ok()) {
    return FromGrpc(status);
  }
  return SaysServing(response);
}

}  // namespace kindred::client
