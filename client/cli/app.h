// The command line as a whole: parses it, runs one command, says what went wrong.
//
// Threads: one call at a time.

#pragma once

#include <cstdio>

#include "client/cli/exit_code.h"

namespace kindred::cli {

// Answers go to `out`, everything else to `err`. The caller has SIGPIPE ignored.
ExitCode RunCommandLine(int argc, const char* const* argv, FILE* out, FILE* err);

}  // namespace kindred::cli
