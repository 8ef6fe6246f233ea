#include "client/cli/access_flags.h"

#include "CLI/CLI.hpp"

namespace kindred::cli {

void AddAccessFlags(CLI::App& app, client::AccessOptions& options) {
  const auto add_file = [&app](const char* flag, const char* variable, std::string& value, const char* what) {
    app.add_option(flag, value, what)->envname(variable)->type_name("FILE")->check(CLI::ExistingFile);
  };
  app.add_flag("--tls", options.tls, "speak TLS, and believe the system's authorities")
      ->envname("KINDRED_TLS");
  add_file("--tls-ca", "KINDRED_TLS_CA", options.ca_file,
           "PEM file of the authorities to believe instead; asks for TLS, as those below");
  add_file("--tls-cert", "KINDRED_TLS_CERT", options.certificate_file,
           "PEM file: our own certificate, for a daemon that asks for one");
  add_file("--tls-key", "KINDRED_TLS_KEY", options.key_file, "PEM file: the key of --tls-cert");
  app.add_option("--tls-server-name", options.server_name,
                 "the name in the daemon's certificate, when it is not the address's")
      ->envname("KINDRED_TLS_SERVER_NAME")
      ->type_name("NAME");
  add_file("--token-file", "KINDRED_TOKEN_FILE", options.token_file,
           "file whose first line is the token to send; \"kindred token\" makes one");
}

}  // namespace kindred::cli
