#include "daemon/config.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "CLI/CLI.hpp"
#include "daemon/exit_codes.h"
#include "fmt/format.h"

namespace kindred::daemon {
namespace {

constexpr int kThreadsMax = 1024;
constexpr int kDrainSecondsMax = 3600;
constexpr int kSlowQueryMsMax = 3'600'000;

std::string FlagName(std::string_view limit_name) {
  std::string name(limit_name);
  std::ranges::replace(name, '_', '-');
  return name;
}

void AddLimits(CLI::App& app, Limits& limits) {
  for (const LimitInfo& info : kLimits) {
    app.add_option("--" + FlagName(info.name), limits.*info.value, info.reason)
        ->check(CLI::Range(info.lowest, info.highest))
        ->group("Limits")
        ->capture_default_str();
  }
}

std::string VariableName(const std::string& flag) {
  std::string name = "KINDRED_" + flag;
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

bool OnCommandLine(const std::vector<std::string>& args, const std::string& flag) {
  return std::ranges::any_of(
      args, [&](const std::string& arg) { return arg == "--" + flag || arg.starts_with("--" + flag + "="); });
}

// CLI11 lets a config file beat the environment. So variables become flags, unless the flag is there.
void AppendEnvironment(const CLI::App& app, std::vector<std::string>& args) {
  const std::vector<std::string> given = args;
  for (const CLI::Option* option : app.get_options()) {
    const std::string flag = option->get_name().substr(2);  // Without "--".
    const char* const value = std::getenv(VariableName(flag).c_str());
    if (value == nullptr || flag == "help" || flag == "version" || OnCommandLine(given, flag)) {
      continue;
    }
    std::stringstream parts{std::string(value)};
    for (std::string part; std::getline(parts, part, ',');) {
      args.push_back(fmt::format("--{}={}", flag, part));
    }
  }
}

std::string CheckAddress(const std::string& address) {
  if (address.starts_with("unix:")) {
    return address.size() > 5 ? "" : "unix: needs a path";
  }
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || address.find(',') != std::string::npos) {
    return "must be HOST:PORT, [IPV6]:PORT or unix:PATH";
  }
  const std::string port = address.substr(colon + 1);
  const bool digits = !port.empty() && port.size() <= 5 &&
                      std::ranges::all_of(port, [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits && std::stoi(port) <= 65535 ? "" : "the port must be a number from 0 to 65535";
}

// As above, or a port alone.
std::string CheckHttpAddress(const std::string& address) {
  if (address.starts_with("unix:")) {
    return "must be PORT, HOST:PORT or [IPV6]:PORT";
  }
  return CheckAddress(address.find(':') == std::string::npos ? "127.0.0.1:" + address : address);
}

void AddMonitoring(CLI::App& app, Config& config) {
  app.add_option("--http-listen", config.http_listen,
                 "PORT (of loopback), HOST:PORT or [IPV6]:PORT for /metrics, /healthz and /readyz over HTTP "
                 "(default: none)")
      ->check(CheckHttpAddress);
  app.add_option("--log-format", config.log_format, "text, or json: one object a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("--slow-query-ms", config.slow_query_ms,
                 "Log searches and other questions that take at least so many milliseconds; 0: none")
      ->check(CLI::Range(0, kSlowQueryMsMax))
      ->capture_default_str();
}

// There it would be taken for part of the index, and lost with it.
bool LiesInside(const std::string& inner, const std::string& outer) {
  std::error_code ignored;
  const auto canonical = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(path, ignored).string() + "/";
  };
  return !inner.empty() && canonical(inner).starts_with(canonical(outer));
}

ConfigExit Refuse(std::string_view why) {
  return {kExitUsage, "", fmt::format("kindredd: {}\nRun kindredd --help for all flags.\n", why)};
}

}  // namespace

std::variant<Config, ConfigExit> ReadConfig(int argc, const char* const* argv) {
  Config config;
  config.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  int depth = -1;
  bool check_config = false;

  CLI::App app("kindredd: stores labelled graphs and finds their nearest neighbours, exactly.", "kindredd");
  app.set_version_flag("--version", "kindredd " KINDRED_VERSION);
  app.set_help_flag("--help", "Print this and exit");
  app.set_config("--config", "", "TOML file; a key for each flag below, without the dashes in front")
      ->type_name("FILE");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.footer(
      "Each flag --some-name is also the environment variable KINDRED_SOME_NAME and the key some-name of\n"
      "the config file. A flag beats the environment, which beats the file.");
  app.add_option("--data-dir", config.data_dir, "Where the index lives; created if it is missing")
      ->type_name("DIR")
      ->required();
  app.add_option("--listen", config.listen,
                 "HOST:PORT, HOST:0 for any free port, [IPV6]:PORT or unix:PATH; repeatable")
      ->check(CheckAddress)
      ->capture_default_str();
  app.add_option("--depth", depth,
                 fmt::format("Deepest level of the hierarchy; fixed when the index is created (default {})",
                             kDepthDefault))
      ->check(CLI::Range(0, static_cast<int>(kDepthMax)));
  app.add_option("--threads", config.threads, "Threads for searches and refinement (default: all cores)")
      ->check(CLI::Range(1, kThreadsMax));
  app.add_option("--log-level", config.log_level, "debug, info, warn or error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->capture_default_str();
  AddMonitoring(app, config);
  app.add_flag("--reflection", config.reflection, "Offer gRPC server reflection");
  app.add_option("--drain-seconds", config.drain_seconds, "How long a stop waits for running calls")
      ->check(CLI::Range(0, kDrainSecondsMax))
      ->capture_default_str();
  app.add_flag("--accept-loss", config.accept_loss,
               "Start although acknowledged commits are lost, with what is there; see docs/operating.md")
      ->configurable(false);
  app.add_flag("--verify", config.verify, "Audit the data directory instead of serving it, then exit")
      ->configurable(false);
  app.add_flag("--compact", config.compact,
               "Reclaim unused colours and disk space of the data directory instead of serving it, then exit")
      ->configurable(false)
      ->excludes("--verify");
  app.add_option("--backup-dir", config.backup_dir,
                 "Backups are made right below this directory (kindred backup); without it, none are")
      ->check(CLI::ExistingDirectory);
  app.add_option("--restore-from", config.restore_from,
                 "Restore a backup, or the newest of a directory, to the data directory, then exit")
      ->check(CLI::ExistingDirectory)
      ->configurable(false);
  app.add_option("--backup-id", config.backup_id, "Which backup of that directory to restore")
      ->configurable(false);
  app.add_flag("--check-config", check_config, "Check flags, environment and file, then exit")
      ->configurable(false);
  AddEdgeFlags(app, config.edge);
  AddLimits(app, config.limits);

  std::vector<std::string> args(argv + 1, argv + argc);
  AppendEnvironment(app, args);
  std::ranges::reverse(args);  // As CLI11 wants them.
  try {
    app.parse(args);
  } catch (const CLI::ConfigError& error) {
    return Refuse(fmt::format("the config file has an unknown key or section ({})", error.what()));
  } catch (const CLI::Success& wanted) {
    std::ostringstream out;
    app.exit(wanted, out, out);
    return ConfigExit{kExitFine, out.str(), ""};
  } catch (const CLI::ParseError& error) {
    return Refuse(error.what());
  }
  if (depth >= 0) {
    config.depth = static_cast<Level>(depth);
  }
  if (const absl::Status status = CheckEdge(config.edge, config.listen); !status.ok()) {
    return Refuse(std::string(status.message()));
  }
  if (LiesInside(config.backup_dir, config.data_dir)) {
    return Refuse("--backup-dir lies inside --data-dir; give a directory elsewhere, best on another disk");
  }
  if (check_config) {
    return ConfigExit{kExitFine, "kindredd: the configuration is fine\n", ""};
  }
  return config;
}

}  // namespace kindred::daemon
