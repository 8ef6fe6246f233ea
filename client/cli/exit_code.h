// The exit codes of kindred; `kindred --help` lists them.

#pragma once

namespace kindred::cli {

enum class ExitCode {
  kOk = 0,
  kFailed = 1,
  kPartly = 3,        // Some records rejected, ids not found, hits not drawn.
  kUsage = 64,        // As EX_USAGE of sysexits.h.
  kUnreachable = 69,  // As EX_UNAVAILABLE.
  kInterrupted = 130,
};

}  // namespace kindred::cli
