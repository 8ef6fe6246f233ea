#include "daemon/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "daemon/process.h"

namespace kindred::daemon {
namespace {

double CpuSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Fields of /proc/self/stat are counted behind the name, which may contain anything; the third is the first
// there. Field 20 is the number of threads, 22 when it started, in ticks after the boot.
std::optional<uint64_t> StatField(int number) {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  std::string word;
  for (int at = 3; at <= number && rest >> word; ++at) {
    if (at == number) {
      return std::stoull(word);
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> BootTime() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    uint64_t seconds = 0;
    if (word == "btime" && file >> seconds) {
      return seconds;
    }
  }
  return std::nullopt;
}

uint64_t OpenFiles() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  return error ? 0 : static_cast<uint64_t>(std::distance(begin(files), end(files)));
}

}  // namespace

void WriteProcessMetrics(MetricsText& text) {
  text.Gauge("process_resident_memory_bytes", "The resident set.", ResidentBytes());
  text.Family("process_cpu_seconds_total", MetricsText::Type::kCounter,
              "Time of processors, of all threads, in the system, too.");
  text.Add({}, CpuSeconds());
  text.Gauge("process_open_fds", "Open files.", OpenFiles());
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    text.Gauge("process_max_fds", "Files that may be open.", files.rlim_cur);
  }
  if (const auto threads = StatField(20)) {
    text.Gauge("process_threads", "Threads.", *threads);
  }
  const auto started = StatField(22);
  if (const auto boot = BootTime(); boot && started) {
    text.Family("process_start_time_seconds", MetricsText::Type::kGauge, "When it started, since 1970.");
    text.Add({}, static_cast<double>(*boot) +
                     static_cast<double>(*started) / static_cast<double>(::sysconf(_SC_CLK_TCK)));
  }
}

}  // namespace kindred::daemon
