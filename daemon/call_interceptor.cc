#include "daemon/call_interceptor.h"

#include <chrono>
#include <string>
#include <vector>

#include "daemon/edge/request_context.h"
#include "daemon/log.h"
#include "grpcpp/server_context.h"

namespace kindred::daemon {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;
using Clock = std::chrono::steady_clock;

// What a client or an operator did wrong is theirs to see; what we did wrong is for the log.
spdlog::level::level_enum LevelOf(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::UNKNOWN:
    case grpc::StatusCode::INTERNAL:
    case grpc::StatusCode::DATA_LOSS:
      return spdlog::level::warn;
    default:
      return spdlog::level::debug;
  }
}

// What a call is counted as. One whose client is gone gets no answer, whatever it would have been; but what
// only we can cause is told all the same, and so is a deadline, which a client tells itself.
grpc::StatusCode CodeOf(const grpc::Status& status, bool cancelled) {
  const grpc::StatusCode code = status.error_code();
  return cancelled && code != grpc::StatusCode::DEADLINE_EXCEEDED && LevelOf(code) == spdlog::level::debug
             ? grpc::StatusCode::CANCELLED
             : code;
}

class CallInterceptor final : public grpc::experimental::Interceptor {
 public:
  CallInterceptor(CallMetrics::Method& method, grpc::ServerContextBase& context)
      : method_(method), context_(context) {
    method_.Started();
  }

  ~CallInterceptor() override {
    if (!finished_) {  // It never got as far as an answer. The context is going: it is not touched.
      method_.Finished(grpc::StatusCode::CANCELLED, Clock::now() - start_);
    }
  }

  void Intercept(InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      Finish(*methods);
    }
    methods->Proceed();
  }

 private:
  void Finish(InterceptorBatchMethods& methods) {
    finished_ = true;
    const grpc::Status status = methods.GetSendStatus();
    const auto took = Clock::now() - start_;
    const grpc::StatusCode code = CodeOf(status, context_.IsCancelled());
    method_.Finished(code, took);
    if (!status.ok()) {
      if (std::string id = RequestIdOf(context_); !id.empty()) {
        methods.GetSendTrailingMetadata()->emplace(kRequestIdKey, std::move(id));
      }
    }
    if (const auto level = LevelOf(code); spdlog::should_log(level)) {
      Log(level, code, status, took);
    }
  }

  void Log(spdlog::level::level_enum level, grpc::StatusCode code, const grpc::Status& status,
           Clock::duration took) const {
    std::vector<LogField> fields{
        {"request", RequestIdOf(context_)},
        {"method", method_.name()},
        {"code", std::string(NameOf(code))},
        {"micros", std::chrono::duration_cast<std::chrono::microseconds>(took).count()},
        {"peer", context_.peer()}};
    if (!status.ok()) {
      fields.push_back({"error", status.error_message()});
    }
    LogEvent(level, "call", fields);
  }

  CallMetrics::Method& method_;
  grpc::ServerContextBase& context_;
  const Clock::time_point start_ = Clock::now();
  bool finished_ = false;
};

}  // namespace

grpc::experimental::Interceptor* CallInterceptors::CreateServerInterceptor(
    grpc::experimental::ServerRpcInfo* info) {
  return new CallInterceptor(metrics_.Of(info->method()), *info->server_context());
}

}  // namespace kindred::daemon
