#include "index/store/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

namespace fs = std::filesystem;

absl::Status Unusable(const std::string& path, std::string_view why) {
  return MakeStatus(absl::StatusCode::kFailedPrecondition, "data directory {}: {}", path, why);
}

// A new name in a directory survives a power cut only once that directory is synced.
void SyncDirectory(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

absl::Status CreateIfMissing(const std::string& path) {
  std::error_code error;
  if (fs::create_directories(path, error); error) {
    return Unusable(path, fmt::format("cannot be created: {}", error.message()));
  }
  for (const char* const ours : {"kindred.lock", "witness"}) {
    if (fs::exists(fs::path(path) / ours, error)) {
      return absl::OkStatus();
    }
  }
  const bool empty = fs::is_empty(path, error);
  if (error) {
    return Unusable(path, fmt::format("cannot be read: {}", error.message()));
  }
  if (!empty) {
    return Unusable(path, "is not empty and holds no kindred index; give an empty or a new directory");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DataDirectory> DataDirectory::Open(const std::string& path) {
  KINDRED_RETURN_IF_ERROR(CreateIfMissing(path));
  const std::string lock_path = path + "/kindred.lock";
  const int fd = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) {
    return Unusable(path, fmt::format("cannot open kindred.lock: {}", std::strerror(errno)));
  }
  DataDirectory directory(path, fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return MakeStatus(absl::StatusCode::kUnavailable,
                      "data directory {} is in use by another process; stop that one first", path);
  }
  SyncDirectory(path);
  SyncDirectory(fs::absolute(path).parent_path());
  return directory;
}

DataDirectory::DataDirectory(std::string path, int lock_fd) : path_(std::move(path)), lock_fd_(lock_fd) {}

DataDirectory::DataDirectory(DataDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_fd_(std::exchange(other.lock_fd_, -1)) {}

DataDirectory::~DataDirectory() {
  if (lock_fd_ >= 0) {
    ::close(lock_fd_);
  }
}

}  // namespace kindred
