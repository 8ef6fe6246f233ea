// What every command shares: the global options, where to print, how to reach the daemon, how to say
// that something failed.
//
// Threads: one caller at a time.

#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/exit_code.h"
#include "client/client.h"

namespace kindred::cli {

struct GlobalOptions {
  std::string server = "127.0.0.1:5463";
  bool json = false;
  std::optional<double> timeout_seconds;
  client::AccessOptions access;
};

class Session {
 public:
  Session(FILE* out, FILE* err) : out_(out), err_(err) {}

  FILE* out() const { return out_; }
  FILE* err() const { return err_; }

  absl::StatusOr<std::unique_ptr<client::Client>> Connect() const;

  // Prints "kindred: " and the message on `err`.
  void Say(std::string_view message) const;

  // Says what failed and what to do about it; gives the exit code that fits. Silent and fine when it was
  // only that nobody reads our output any more.
  ExitCode Report(const absl::Status& status) const;

  GlobalOptions options;

 private:
  FILE* const out_;
  FILE* const err_;
};

// The words of Session::Report.
std::string Explain(const absl::Status& status, const GlobalOptions& options);

}  // namespace kindred::cli
