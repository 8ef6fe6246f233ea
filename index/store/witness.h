// What was acknowledged last, kept outside RocksDB: the file DIR/witness.
//
// RocksDB opens a store whose write-ahead log was cut short or removed without a word, and so would answer
// without writes that were acknowledged. So the sequence of every commit is written down a second time, after
// the commit is durable and before it is acknowledged. A store that is behind its witness has lost something.
//
//   8192 bytes: two slots of 4096, written in turn, so that a power cut damages at most the one that was
//   being written. docs/formats.md draws a slot.
//
// Threads: one at a time.
// Cost: an Advance is one write of 40 bytes and one fdatasync of a file that does not grow.

#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "rocksdb/file_system.h"

namespace kindred {

// 128 random bits, drawn when the store is created: a witness belongs to one store.
using StoreIdentity = std::array<char, 16>;

StoreIdentity NewStoreIdentity();

class Witness {
 public:
  struct Claim {
    StoreIdentity identity{};
    CommitSequence sequence{};  // Of the last commit that may have been acknowledged; 0: none.
  };

  // Nothing: there is no such file. DATA_LOSS: neither slot can be read.
  static absl::StatusOr<std::optional<Claim>> Read(rocksdb::FileSystem& files, const std::string& path);

  // Puts a witness of this claim in the place of an older one, or of none; durable when it returns.
  static absl::StatusOr<std::unique_ptr<Witness>> Create(rocksdb::FileSystem& files, const std::string& path,
                                                         const Claim& claim);

  // Durable when it returns OK. After a failure the file may hold the old claim or the new one.
  absl::Status Advance(CommitSequence sequence);

 private:
  Witness(std::string path, const StoreIdentity& identity, std::unique_ptr<rocksdb::FSRandomRWFile> file)
      : path_(std::move(path)), identity_(identity), file_(std::move(file)) {}

  const std::string path_;
  const StoreIdentity identity_;
  const std::unique_ptr<rocksdb::FSRandomRWFile> file_;
  size_t next_slot_ = 0;
};

}  // namespace kindred
