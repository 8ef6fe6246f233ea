#include "daemon/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <new>
#include <string_view>

namespace kindred::daemon {

uint64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total_pages = 0;
  uint64_t resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void FillClosedStandardFiles() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (::fcntl(file, F_GETFD) < 0) {
      ::open("/dev/null", O_RDWR);  // The lowest free number: this one.
    }
  }
}

void RaiseFileLimit() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
}

uint64_t OpenFilesMax() {
  rlimit files{};
  return ::getrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : 0;
}

void TellWhenTerminated() {
  std::set_terminate([] {
    constexpr std::string_view kNoMemory =
        "kindredd: out of memory in the middle of a change: ending at once. Everything acknowledged is on "
        "the disk; "
        "start it again.\n";
    try {
      if (const std::exception_ptr cause = std::current_exception(); cause != nullptr) {
        std::rethrow_exception(cause);
      }
    } catch (const std::bad_alloc&) {
      [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
    } catch (...) {
      constexpr std::string_view kBug = "kindredd: an exception nobody expected: ending at once.\n";
      [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, kBug.data(), kBug.size());
    }
    std::abort();
  });
}

}  // namespace kindred::daemon
