// Sees every call of the server begin and end: counts it, logs it, and gives a failed one its request id.
//
// An interceptor of gRPC's rather than a line in each handler, so that no method can be left out, neither
// ours nor those of gRPC's own services.
//
// Threads: gRPC's, one at a time for a call. Nothing blocks but the write of a log line.

#pragma once

#include "daemon/call_metrics.h"
#include "grpcpp/support/server_interceptor.h"

namespace kindred::daemon {

class CallInterceptors final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // `metrics` must outlive the server.
  explicit CallInterceptors(CallMetrics& metrics) : metrics_(metrics) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) override;

 private:
  CallMetrics& metrics_;
};

}  // namespace kindred::daemon
