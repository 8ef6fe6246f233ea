// Tokens, certificate and key as the files have them: read at the start, and again whenever the files change.
//
// A look at the files every second, and at once after Reload(). What is not as it should be (half written, a
// key that is not the certificate's yet, a line that is none) is logged, and what was read before stays in
// force. Certificates and tokens are replaced independently of each other.
//
// Threads: everything from any thread; a thread of its own looks at the files.
// Invariants: a token that is taken out of the file is refused from the next look on, also to streams that
// begin later;
//             calls under way go on.

#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "daemon/edge/edge_config.h"
#include "daemon/edge/tls_material.h"
#include "daemon/edge/token_table.h"

namespace kindred::daemon {

class Secrets {
 public:
  struct Contents {
    std::shared_ptr<const TokenTable> tokens;  // Null without --tokens.
    std::shared_ptr<const TlsMaterial> tls;    // Null without --tls-cert.
  };

  static absl::StatusOr<Contents> Read(const EdgeConfig& config);

  static absl::StatusOr<std::unique_ptr<Secrets>> Open(const EdgeConfig& config);
  ~Secrets();

  std::shared_ptr<const TokenTable> tokens() const;
  std::shared_ptr<const TlsMaterial> tls() const;

  // Looks at the files now, changed or not. Does not wait for it.
  void Reload();

 private:
  Secrets(EdgeConfig config, Contents contents);

  void Watch();
  void ReadTokens();
  void ReadTls();

  const EdgeConfig config_;
  mutable std::mutex mutex_;  // Guards what follows.
  Contents contents_;
  bool stop_ = false;
  bool reload_ = false;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace kindred::daemon
