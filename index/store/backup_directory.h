// A directory with the backups of one store, held by this process alone while it is written to.
//
//   DIR/kindred-backups    says what the directory is; locked (flock) while a backup is written or restored
//   DIR/000001/            a backup: a data directory of its own, with its manifest beside db/ and witness
//   DIR/000002/            the next. A table that both have is one file with two names, where the disk allows
//   DIR/000003/            without a manifest: unfinished. The next backup removes it
//
// Threads: one at a time.
// Invariant: a backup has its manifest only while all its files are there and durable.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/store/backup_manifest.h"
#include "rocksdb/file_system.h"

namespace kindred {

class BackupDirectory {
 public:
  // For a new backup: creates what is missing but for the parent. FAILED_PRECONDITION: it is something else's
  // (not empty, and no kindred-backups in it), or another process uses it. `files` must outlive this.
  static absl::StatusOr<BackupDirectory> Open(const std::string& path, rocksdb::FileSystem& files);
  // To restore. Creates nothing.
  static absl::StatusOr<BackupDirectory> OpenToRead(const std::string& path, rocksdb::FileSystem& files);

  BackupDirectory(BackupDirectory&& other) noexcept;
  BackupDirectory& operator=(BackupDirectory&&) = delete;
  ~BackupDirectory();

  const std::string& path() const { return path_; }
  std::string PathOf(uint64_t id) const;

  // Finished backups, ascending.
  absl::StatusOr<std::vector<uint64_t>> List() const;
  absl::Status RemoveUnfinished();
  absl::Status Remove(uint64_t id);

 private:
  BackupDirectory(std::string path, rocksdb::FileSystem& files, int lock_fd)
      : path_(std::move(path)), files_(files), lock_fd_(lock_fd) {}

  // All that are there: `finished`, or not.
  absl::StatusOr<std::vector<uint64_t>> ListThose(bool finished) const;

  std::string path_;
  rocksdb::FileSystem& files_;
  int lock_fd_;
};

// The manifest of the backup in a directory. NOT_FOUND: there is none. DATA_LOSS: it is damaged.
absl::StatusOr<BackupManifest> ReadManifest(const std::string& backup, rocksdb::FileSystem& files);
// Durable when it returns. From then on the backup is one.
absl::Status WriteManifest(const std::string& backup, const BackupManifest& manifest,
                           rocksdb::FileSystem& files);

}  // namespace kindred
