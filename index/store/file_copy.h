// Files written so that they survive a power cut, copied and told apart: what the witness, backups and their
// restoring have in common. Everything goes through RocksDB's FileSystem, whose power tests can cut.
//
// Threads: any.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "index/base/interrupt.h"
#include "rocksdb/file_system.h"

namespace kindred {

// What a file holds, as far as 64 bits tell: XXH3, which finds damage and is no defence against an attacker.
struct FileFingerprint {
  uint64_t bytes = 0;
  uint64_t checksum = 0;

  friend bool operator==(const FileFingerprint&, const FileFingerprint&) = default;
};

FileFingerprint FingerprintOf(std::string_view bytes);

absl::Status FromFile(const rocksdb::IOStatus& status, std::string_view doing, const std::string& path);

// The bytes are durable when it returns OK; the name is once its directory is synced.
absl::Status WriteSynced(rocksdb::FileSystem& files, const std::string& path, std::string_view bytes);
absl::Status SyncDirectoryAt(rocksdb::FileSystem& files, const std::string& path);

// The first `bytes` of a file, synced. DATA_LOSS: it has fewer. The fingerprint is that of what was read.
absl::StatusOr<FileFingerprint> CopySynced(rocksdb::FileSystem& files, const std::string& from,
                                           const std::string& to, uint64_t bytes, const Interrupt& interrupt);

// Reads a file to its end: from the disk, as far as the system can be asked to forget what it has in memory.
absl::StatusOr<FileFingerprint> ReadFingerprint(rocksdb::FileSystem& files, const std::string& path,
                                                const Interrupt& interrupt);
absl::StatusOr<std::string> ReadWhole(rocksdb::FileSystem& files, const std::string& path);

// A directory and all that is in it. What is a link goes, not what it points to.
absl::Status RemoveTree(rocksdb::FileSystem& files, const std::string& path);

}  // namespace kindred
