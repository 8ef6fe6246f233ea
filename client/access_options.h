// How a client recognises the daemon, and is recognised by it.
//
// Threads: as any struct.

#pragma once

#include <string>

namespace kindred::client {

struct AccessOptions {
  // TLS, for what is not a Unix socket. Any of the files below asks for it as well.
  bool tls = false;
  // PEM files. Whom to believe, instead of the system's authorities; the client's own certificate and its
  // key, for a daemon that asks for one (both or none).
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;
  // The name in the daemon's certificate, when it is not the host of the address.
  std::string server_name;
  // Sent with every call, if there is one; from the first line of a file, or as it is.
  std::string token_file;
  std::string token;

  bool wants_tls() const {
    return tls || !ca_file.empty() || !certificate_file.empty() || !key_file.empty() || !server_name.empty();
  }
};

}  // namespace kindred::client
