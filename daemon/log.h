// Logs go to standard error, through spdlog, as lines of text or of JSON; gRPC's own are folded in.
//
//   2026-01-31T12:00:00.000+00:00 info call request=5f0c9a3e-1 method=kindred.v1.Index/Search code=OK
//   micros=412
//   {"time":"2026-01-31T12:00:00.000+00:00","level":"info","message":"call","request":"5f0c9a3e-1",...}
//
// Threads: any, after InitLog.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spdlog/spdlog.h"

namespace kindred::daemon {

// `level` is one of debug, info, warn, error; `format` is text or json.
void InitLog(const std::string& level, const std::string& format);

// Takes another level from now on.
void SetLogLevel(const std::string& level);

struct LogField {
  std::string_view key;
  std::variant<std::string, int64_t> value;
};

// A line with fields: keys of the JSON object, or key=value behind the message. Values may come from a
// client: they are quoted, and cannot break the line.
void LogEvent(spdlog::level::level_enum level, std::string_view message, const std::vector<LogField>& fields);

}  // namespace kindred::daemon
