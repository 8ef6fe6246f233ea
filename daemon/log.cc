#include "daemon/log.h"

#include "grpc/support/log.h"
#include "spdlog/sinks/stdout_color_sinks.h"

namespace kindred::daemon {
namespace {

// gRPC calls errors what is routine for a server (a client that hung up), so none of it ranks above debug.
void LogGrpc(gpr_log_func_args* args) { spdlog::debug("grpc: {}", args->message); }

}  // namespace

void InitLog(const std::string& level) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("kindredd"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
  spdlog::set_level(spdlog::level::from_str(level));
  gpr_set_log_function(LogGrpc);
}

}  // namespace kindred::daemon
