#include "index/store/backup_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

constexpr const char* kMarkerName = "/kindred-backups";
constexpr std::string_view kMarkerText = "Backups of a kindred index. kindredd --restore-from reads them.\n";
constexpr const char* kManifestName = "/manifest";

absl::Status UnusableBackups(const std::string& path, std::string_view why) {
  return MakeStatus(absl::StatusCode::kFailedPrecondition, "backup directory {}: {}", path, why);
}

bool Exists(rocksdb::FileSystem& files, const std::string& path) {
  return files.FileExists(path, rocksdb::IOOptions(), nullptr).ok();
}

std::string NameOfBackup(uint64_t id) { return fmt::format("{:06}", id); }

std::optional<uint64_t> IdOfBackup(const std::string& name) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  return error == std::errc() && end == name.data() + name.size() && name == NameOfBackup(id) && id > 0
             ? std::optional(id)
             : std::nullopt;
}

absl::Status CreateBackups(const std::string& path, rocksdb::FileSystem& files) {
  const rocksdb::IOOptions options;
  if (!Exists(files, path)) {
    KINDRED_RETURN_IF_ERROR(FromFile(files.CreateDir(path, options, nullptr), "creation", path));
    KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files, path.substr(0, path.rfind('/'))));
  }
  if (Exists(files, path + kMarkerName)) {
    return absl::OkStatus();
  }
  std::error_code error;
  const bool empty = std::filesystem::is_empty(path, error);
  if (error || !empty) {
    return UnusableBackups(path, error ? "cannot be read: " + error.message()
                                       : "is not empty and holds no kindred backups; give a new name");
  }
  KINDRED_RETURN_IF_ERROR(WriteSynced(files, path + kMarkerName, kMarkerText));
  return SyncDirectoryAt(files, path);
}

// The descriptor that holds the lock.
absl::StatusOr<int> LockMarker(const std::string& path, int operation) {
  const int fd = ::open((path + kMarkerName).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return UnusableBackups(
        path, fmt::format("holds no kindred backups (kindred-backups: {})", std::strerror(errno)));
  }
  if (::flock(fd, operation | LOCK_NB) != 0) {
    ::close(fd);
    return UnusableBackups(path, "another backup or restore uses it; try again when that is done");
  }
  return fd;
}

}  // namespace

absl::StatusOr<BackupDirectory> BackupDirectory::Open(const std::string& path, rocksdb::FileSystem& files) {
  KINDRED_RETURN_IF_ERROR(CreateBackups(path, files));
  KINDRED_ASSIGN_OR_RETURN(const int fd, LockMarker(path, LOCK_EX));
  return BackupDirectory(path, files, fd);
}

absl::StatusOr<BackupDirectory> BackupDirectory::OpenToRead(const std::string& path,
                                                            rocksdb::FileSystem& files) {
  KINDRED_ASSIGN_OR_RETURN(const int fd, LockMarker(path, LOCK_SH));
  return BackupDirectory(path, files, fd);
}

BackupDirectory::BackupDirectory(BackupDirectory&& other) noexcept
    : path_(std::move(other.path_)), files_(other.files_), lock_fd_(std::exchange(other.lock_fd_, -1)) {}

BackupDirectory::~BackupDirectory() {
  if (lock_fd_ >= 0) {
    ::close(lock_fd_);
  }
}

std::string BackupDirectory::PathOf(uint64_t id) const {
  return fmt::format("{}/{}", path_, NameOfBackup(id));
}

absl::StatusOr<std::vector<uint64_t>> BackupDirectory::ListThose(bool finished) const {
  std::vector<std::string> names;
  KINDRED_RETURN_IF_ERROR(
      FromFile(files_.GetChildren(path_, rocksdb::IOOptions(), &names, nullptr), "listing", path_));
  std::vector<uint64_t> ids;
  for (const std::string& name : names) {
    const std::optional<uint64_t> id = IdOfBackup(name);
    if (id && Exists(files_, PathOf(*id) + kManifestName) == finished) {
      ids.push_back(*id);
    }
  }
  std::ranges::sort(ids);
  return ids;
}

absl::StatusOr<std::vector<uint64_t>> BackupDirectory::List() const { return ListThose(/*finished=*/true); }

absl::Status BackupDirectory::RemoveUnfinished() {
  KINDRED_ASSIGN_OR_RETURN(const std::vector<uint64_t> ids, ListThose(/*finished=*/false));
  for (const uint64_t id : ids) {
    KINDRED_RETURN_IF_ERROR(RemoveTree(files_, PathOf(id)));
  }
  return ids.empty() ? absl::OkStatus() : SyncDirectoryAt(files_, path_);
}

absl::Status BackupDirectory::Remove(uint64_t id) {
  const std::string backup = PathOf(id);
  // The manifest first, for good: a backup that is half gone must not be taken for one.
  KINDRED_RETURN_IF_ERROR(
      FromFile(files_.DeleteFile(backup + kManifestName, rocksdb::IOOptions(), nullptr), "removal", backup));
  KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files_, backup));
  KINDRED_RETURN_IF_ERROR(RemoveTree(files_, backup));
  return SyncDirectoryAt(files_, path_);
}

absl::StatusOr<BackupManifest> ReadManifest(const std::string& backup, rocksdb::FileSystem& files) {
  const std::string path = backup + kManifestName;
  if (!Exists(files, path)) {
    return MakeStatus(absl::StatusCode::kNotFound, "{} is no backup: it has no manifest", backup);
  }
  KINDRED_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(files, path));
  auto manifest = DecodeManifest(bytes);
  return manifest.ok() ? manifest : Annotate(manifest.status(), backup + ": ");
}

absl::Status WriteManifest(const std::string& backup, const BackupManifest& manifest,
                           rocksdb::FileSystem& files) {
  const std::string next = backup + kManifestName + ".new";
  KINDRED_RETURN_IF_ERROR(WriteSynced(files, next, EncodeManifest(manifest)));
  KINDRED_RETURN_IF_ERROR(FromFile(
      files.RenameFile(next, backup + kManifestName, rocksdb::IOOptions(), nullptr), "rename", next));
  return SyncDirectoryAt(files, backup);
}

}  // namespace kindred
