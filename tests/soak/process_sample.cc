#include "tests/soak/process_sample.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kindred::test {

ProcessSample SampleProcess(pid_t pid) {
  ProcessSample sample;
  const std::string root = "/proc/" + std::to_string(pid);
  std::ifstream status(root + "/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    double number = 0;
    words >> name >> number;
    if (name == "VmRSS:") {
      sample.resident_mib = number / 1024;
    } else if (name == "Threads:") {
      sample.threads = number;
    }
  }
  std::error_code gone;  // A descriptor may be closed while they are listed.
  for (std::filesystem::directory_iterator at(root + "/fd", gone), end; !gone && at != end;
       at.increment(gone)) {
    std::error_code closed;
    const std::string target = std::filesystem::read_symlink(at->path(), closed).string();
    sample.descriptors += 1;
    sample.sockets += target.starts_with("socket:") ? 1 : 0;
  }
  return sample;
}

}  // namespace kindred::test
