// Logs go to standard error, through spdlog; gRPC's own are folded in.

#pragma once

#include <string>

#include "spdlog/spdlog.h"

namespace kindred::daemon {

// `level` is one of debug, info, warn, error.
void InitLog(const std::string& level);

}  // namespace kindred::daemon
