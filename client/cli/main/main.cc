#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "client/cli/app.h"

namespace {

// A standard file that was closed (`kindred stats >&-`) would share its number with the next that is opened,
// maybe the connection. What takes its place here cannot be used: reading and writing fail.
void FillClosedStandardFiles() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (::fcntl(file, F_GETFD) < 0) {
      ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // The lowest free number: this one.
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  FillClosedStandardFiles();
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
