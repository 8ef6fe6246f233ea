// A data directory, held by this process alone.
//
//   DIR/kindred.lock   locked (flock) while a daemon runs
//   DIR/db/            RocksDB
//   DIR/witness        the last commit that was acknowledged
//
// Threads: immutable.

#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace kindred {

class DataDirectory {
 public:
  // Creates the directory if it is missing. UNAVAILABLE: another process holds it. FAILED_PRECONDITION: it
  // is something else's (not empty, neither kindred.lock nor witness), or cannot be created or written.
  static absl::StatusOr<DataDirectory> Open(const std::string& path);

  DataDirectory(DataDirectory&& other) noexcept;
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  const std::string& path() const { return path_; }
  std::string db_path() const { return path_ + "/db"; }
  std::string witness_path() const { return path_ + "/witness"; }

 private:
  DataDirectory(std::string path, int lock_fd);

  std::string path_;
  int lock_fd_;
};

}  // namespace kindred
