#include "daemon/reload.h"

#include <chrono>
#include <string>
#include <variant>

#include "daemon/config.h"
#include "daemon/log.h"
#include "daemon/service_notify.h"

namespace kindred::daemon {
namespace {

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

void Reload(const CommandLine& command_line, Monitor& monitor) {
  NotifyReloading();
  const auto read = ReadConfig(command_line.argc, command_line.argv);
  if (const auto* config = std::get_if<Config>(&read)) {
    SetLogLevel(config->log_level);
    monitor.SetSlowQuery(std::chrono::milliseconds(config->slow_query_ms));
    spdlog::info("configuration read again: log-level = {}, slow-query-ms = {}", config->log_level,
                 config->slow_query_ms);
  } else {
    spdlog::error("the configuration is refused, and everything stays as it was: {}",
                  FirstLine(std::get<ConfigExit>(read).err));
  }
  NotifyReady();
}

}  // namespace kindred::daemon
