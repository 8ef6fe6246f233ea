// What kindredd was told: flags, then environment variables (KINDRED_<FLAG>), then the TOML file.
//
// A flag --some-name is the variable KINDRED_SOME_NAME and the key some-name. A flag beats the
// environment, which beats the file.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "daemon/edge/edge_config.h"
#include "index/base/limits.h"

namespace kindred::daemon {

struct Config {
  std::string data_dir;
  std::vector<std::string> listen{"127.0.0.1:5463"};
  std::optional<Level> depth;  // Default: the index's; kDepthDefault for a new one.
  int threads = 1;
  std::string log_level = "info";
  std::string log_format = "text";
  int slow_query_ms = 0;    // 0: none is logged.
  std::string http_listen;  // Empty: no HTTP.
  bool reflection = false;
  int drain_seconds = 10;
  bool accept_loss = false;
  bool verify = false;
  bool compact = false;
  EdgeConfig edge;
  std::string backup_dir;    // Empty: no backups.
  std::string restore_from;  // Restores instead of serving.
  std::optional<uint64_t> backup_id;
  Limits limits;
};

// Ends the program at once: print `out` to standard output or `err` to standard error.
struct ConfigExit {
  int code = 0;
  std::string out;
  std::string err;
};

std::variant<Config, ConfigExit> ReadConfig(int argc, const char* const* argv);

}  // namespace kindred::daemon
