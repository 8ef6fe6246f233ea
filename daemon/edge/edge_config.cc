#include "daemon/edge/edge_config.h"

#include <algorithm>
#include <charconv>

#include "CLI/CLI.hpp"
#include "daemon/edge/listen_socket.h"
#include "daemon/edge/secrets.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr mode_t kModeMax = 0777;

std::optional<mode_t> ParseMode(const std::string& text) {
  unsigned mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  const bool fine = error == std::errc() && end == text.data() + text.size() && mode <= kModeMax;
  return fine ? std::optional<mode_t>(mode) : std::nullopt;
}

std::optional<EdgeConfig::SocketUser> ParseSocketUser(const std::string& text) {
  EdgeConfig::SocketUser user;
  const size_t equals = std::min(text.find('='), text.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + equals, user.uid);
  if (error != std::errc() || end != text.data() + equals) {
    return std::nullopt;
  }
  if (equals < text.size()) {
    user.role = RoleOfName(std::string_view(text).substr(equals + 1));
    return user.role ? std::optional(user) : std::nullopt;
  }
  return user;
}

absl::Status CheckExposure(const EdgeConfig& config, const std::string& address) {
  if (config.insecure || IsLocalAddress(address)) {
    return absl::OkStatus();
  }
  if (!config.has_tls()) {
    return InvalidArgument(
        "--listen {}: other machines can reach it, and what they send could be read on the way; give "
        "--tls-cert and "
        "--tls-key (docs/security.md), or say --insecure if the network is yours alone",
        address);
  }
  if (!config.has_tokens() && config.tls.client_ca.empty()) {
    return InvalidArgument(
        "--listen {}: other machines can reach it, and each could read and write everything; give --tokens "
        "or "
        "--tls-client-ca (docs/security.md), or say --insecure if the network is yours alone",
        address);
  }
  return absl::OkStatus();
}

}  // namespace

Role EdgeConfig::tls_client_role() const {
  return RoleOfName(tls_client_role_text).value_or(Role::kReadWrite);
}

mode_t EdgeConfig::socket_mode() const { return ParseMode(socket_mode_text).value_or(0600); }

std::vector<EdgeConfig::SocketUser> EdgeConfig::socket_users() const {
  std::vector<SocketUser> users;
  for (const std::string& text : socket_user_texts) {
    if (const auto user = ParseSocketUser(text)) {
      users.push_back(*user);
    }
  }
  return users;
}

void AddEdgeFlags(CLI::App& app, EdgeConfig& config) {
  const auto add = [&app](const char* flag, auto& value, const char* what) {
    return app.add_option(flag, value, what)->group("Access (docs/security.md)");
  };
  add("--tls-cert", config.tls.certificate,
      "PEM file: the daemon's certificate chain; every TCP address then speaks TLS");
  add("--tls-key", config.tls.key, "PEM file: the key of --tls-cert");
  add("--tls-client-ca", config.tls.client_ca,
      "PEM file of authorities: clients then need a certificate of one of them (mutual TLS)");
  add("--tls-client-role", config.tls_client_role_text,
      "What a client with a certificate may do without --tokens: read-only, read-write or admin (default: "
      "read-write)")
      ->check(CLI::IsMember({"read-only", "read-write", "admin"}));
  add("--tokens", config.token_file,
      "File of lines NAME ROLE SHA256 (kindred token makes them): every call then needs a token");
  app.add_flag("--insecure", config.insecure, "Listen where other machines reach it without TLS or tokens")
      ->group("Access (docs/security.md)");
  add("--socket-mode", config.socket_mode_text, "Mode of the files of Unix sockets, in octal digits")
      ->check([](const std::string& text) {
        return ParseMode(text) ? std::string() : "must be a mode in octal digits, at most 777";
      })
      ->capture_default_str();
  add("--socket-uid", config.socket_user_texts,
      "UID or UID=ROLE: only these users may connect to Unix sockets; one with a ROLE (read-only, "
      "read-write, admin) "
      "needs no token; repeatable")
      ->check([](const std::string& text) {
        return ParseSocketUser(text) ? std::string()
                                     : "must be UID or UID=ROLE, with read-only, read-write or admin as ROLE";
      });
}

absl::Status CheckEdge(const EdgeConfig& config, const std::vector<std::string>& listen) {
  if (config.tls.certificate.empty() != config.tls.key.empty()) {
    return InvalidArgument("--tls-cert and --tls-key go together");
  }
  if (!config.tls.client_ca.empty() && !config.has_tls()) {
    return InvalidArgument("--tls-client-ca needs --tls-cert and --tls-key");
  }
  if (!config.tls_client_role_text.empty() && (config.tls.client_ca.empty() || config.has_tokens())) {
    return InvalidArgument(
        "--tls-client-role needs --tls-client-ca, and no --tokens: with them the token says the role");
  }
  for (const std::string& address : listen) {
    KINDRED_RETURN_IF_ERROR(CheckExposure(config, address));
  }
  return Secrets::Read(config).status();
}

}  // namespace kindred::daemon
