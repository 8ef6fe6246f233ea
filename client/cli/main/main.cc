#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "client/cli/app.h"

int main(int argc, char** argv) {
  // A reader that has left is seen as an error of the write; without this it would be our end.
  std::signal(SIGPIPE, SIG_IGN);
  const kindred::cli::ExitCode code = kindred::cli::RunCommandLine(argc, argv, stdout, stderr);
  if (code == kindred::cli::ExitCode::kInterrupted) {
    // A thread may still wait for standard input: leave without pulling anything from under it.
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(code));
  }
  return static_cast<int>(code);
}
