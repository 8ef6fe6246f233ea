#include "index/store/backup_path.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "index/base/status.h"

namespace kindred {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBackupNameBytesMax = 255;

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.size() <= kBackupNameBytesMax && name.front() != '.' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' ||
                  c == '-' || c == '_';
         });
}

// What is left of an absolute path below a directory, as it is written; else the whole.
std::string Below(const std::string& directory, const std::string& path) {
  const std::string prefix = directory.ends_with('/') ? directory : directory + "/";
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

}  // namespace

absl::StatusOr<std::string> BackupPath(const std::string& root, const std::string& name) {
  if (root.empty()) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "this kindredd makes no backups: start it with --backup-dir");
  }
  std::error_code error;
  const fs::path real_root = fs::canonical(root, error);
  if (error || !fs::is_directory(real_root, error)) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition, "--backup-dir {}: is no directory: {}", root,
                      error.message());
  }
  std::string plain = name;
  if (name.starts_with('/')) {
    plain = Below(real_root.string(), Below(root, name));
  }
  while (plain.size() > 1 && plain.ends_with('/')) {
    plain.pop_back();
  }
  if (!IsPlainName(plain)) {
    return InvalidArgument(
        "directory: '{}' is no name below --backup-dir {}: 1 to {} letters, digits, '.', '-' and '_', not "
        "beginning with '.'",
        name, root, kBackupNameBytesMax);
  }
  const fs::path path = real_root / plain;
  const fs::file_status found = fs::symlink_status(path, error);
  if (fs::exists(found) && !fs::is_directory(found)) {
    return InvalidArgument("directory: {} is no directory", path.string());
  }
  return path.string();
}

}  // namespace kindred
