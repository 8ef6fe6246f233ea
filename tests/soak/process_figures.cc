#include "tests/soak/process_figures.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace kindred::test {
namespace {

namespace fs = std::filesystem;

// A line "NAME:   123 kB" of /proc/PID/status.
uint64_t StatusValue(const std::string& process, const std::string& name) {
  std::ifstream status(process + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) {
      return std::stoull(line.substr(name.size() + 1));
    }
  }
  return 0;
}

}  // namespace

ProcessFigures ReadFigures(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  ProcessFigures figures;
  figures.resident_bytes = StatusValue(process, "VmRSS") * 1024;
  figures.threads = StatusValue(process, "Threads");
  std::error_code gone;  // Descriptors are closed meanwhile.
  for (const auto& entry : fs::directory_iterator(process + "/fd", gone)) {
    const std::string target = fs::read_symlink(entry.path(), gone).string();
    figures.descriptors += !target.empty() && !target.starts_with('/') ? 1 : 0;
  }
  return figures;
}

uint64_t BytesIn(const std::string& directory) {
  uint64_t bytes = 0;
  std::error_code gone;
  for (fs::recursive_directory_iterator at(directory, gone), end; at != end; at.increment(gone)) {
    const uint64_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    bytes += gone ? 0 : size;
  }
  return bytes;
}

}  // namespace kindred::test
