#include "daemon/log.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "grpc/support/log.h"
#include "nlohmann/json.hpp"
#include "spdlog/pattern_formatter.h"
#include "spdlog/sinks/stdout_color_sinks.h"

namespace kindred::daemon {
namespace {

constexpr const char* kTextPattern = "%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v";
constexpr const char* kJsonOpening = R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l",)";
// The logger whose messages are members of a JSON object already.
constexpr std::string_view kMembersLogger = "members";

std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void Append(spdlog::memory_buf_t& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

class JsonFormatter final : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    opening_.format(message, out);
    const std::string_view payload(message.payload.data(), message.payload.size());
    if (std::string_view(message.logger_name.data(), message.logger_name.size()) == kMembersLogger) {
      Append(out, payload);
    } else {
      Append(out, "\"message\":");
      Append(out, Quoted(payload));
    }
    Append(out, "}\n");
  }

  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonFormatter>(); }

 private:
  spdlog::pattern_formatter opening_{kJsonOpening, spdlog::pattern_time_type::local, ""};
};

// Null: lines are text.
std::shared_ptr<spdlog::logger>& MembersLogger() {
  static std::shared_ptr<spdlog::logger> logger;
  return logger;
}

// As it is if it is one plain word, else in quotes.
std::string Word(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < 127 && c != '"' && c != '\\' && c != '=';
  });
  return plain ? text : Quoted(text);
}

std::string TextOf(std::string_view message, const std::vector<LogField>& fields) {
  std::string line(message);
  for (const LogField& field : fields) {
    const auto* const text = std::get_if<std::string>(&field.value);
    line += fmt::format(" {}={}", field.key,
                        text != nullptr ? Word(*text) : fmt::to_string(std::get<int64_t>(field.value)));
  }
  return line;
}

std::string MembersOf(std::string_view message, const std::vector<LogField>& fields) {
  std::string members = "\"message\":" + Quoted(message);
  for (const LogField& field : fields) {
    const auto* const text = std::get_if<std::string>(&field.value);
    members += fmt::format(",\"{}\":{}", field.key,
                           text != nullptr ? Quoted(*text) : fmt::to_string(std::get<int64_t>(field.value)));
  }
  return members;
}

// gRPC calls errors what is routine for a server (a client that hung up), so none of it ranks above debug.
void LogGrpc(gpr_log_func_args* args) { spdlog::debug("grpc: {}", args->message); }

}  // namespace

void InitLog(const std::string& level, const std::string& format) {
  const auto logger = spdlog::stderr_color_mt("kindredd");
  if (format == "json") {
    logger->set_formatter(std::make_unique<JsonFormatter>());
    MembersLogger() = std::make_shared<spdlog::logger>(std::string(kMembersLogger), logger->sinks().front());
  } else {
    logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(kTextPattern));
  }
  spdlog::set_default_logger(logger);
  SetLogLevel(level);
  gpr_set_log_function(LogGrpc);
}

void SetLogLevel(const std::string& level) {
  spdlog::set_level(spdlog::level::from_str(level));
  if (MembersLogger() != nullptr) {
    MembersLogger()->set_level(spdlog::level::from_str(level));
  }
}

void LogEvent(spdlog::level::level_enum level, std::string_view message,
              const std::vector<LogField>& fields) {
  if (const auto& members = MembersLogger(); members != nullptr) {
    members->log(level, "{}", MembersOf(message, fields));
  } else {
    spdlog::log(level, "{}", TextOf(message, fields));
  }
}

}  // namespace kindred::daemon
