// What the operator says of who may connect and call; flags, and what they must not be together.
//
// Threads: free functions without state.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "daemon/edge/role.h"
#include "daemon/edge/tls_material.h"

namespace CLI {
class App;
}

namespace kindred::daemon {

struct EdgeConfig {
  // A user who may connect to a Unix socket; with a role, one who needs no token.
  struct SocketUser {
    uid_t uid = 0;
    std::optional<Role> role;
  };

  TlsPaths tls;                      // No certificate: no TLS.
  std::string tls_client_role_text;  // Empty: not said.
  std::string token_file;            // Empty: no tokens, and everyone who can connect may do everything.
  bool insecure = false;
  std::string socket_mode_text = "600";
  std::vector<std::string> socket_user_texts;

  bool has_tls() const { return !tls.certificate.empty(); }
  bool has_tokens() const { return !token_file.empty(); }
  // Of a client with a certificate where there are no tokens.
  Role tls_client_role() const;
  mode_t socket_mode() const;
  // Empty: whoever the mode of the file lets in.
  std::vector<SocketUser> socket_users() const;
};

void AddEdgeFlags(CLI::App& app, EdgeConfig& config);

// INVALID_ARGUMENT when flags do not go together, a file they name is not what it should be, or an address
// that other machines can reach would be open to all of them.
absl::Status CheckEdge(const EdgeConfig& config, const std::vector<std::string>& listen);

}  // namespace kindred::daemon
