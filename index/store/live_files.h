// The files of a store at one commit, kept from being removed for as long as this lives: what a backup copies
// while commits go on. Tables never change; of files that grow, the first `bytes` are those of the commit.
//
// Threads: made by the writer, between two commits; then anyone's, one at a time. The store must outlive it.
// Cost: flushes what is only in the log. While it lives, tables that were replaced take their space on.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/store/totals.h"
#include "index/store/witness.h"
#include "rocksdb/db.h"

namespace kindred {

// What a store says it is.
struct StoreState {
  StoreIdentity identity{};
  CommitSequence sequence{};
  Totals totals;

  friend bool operator==(const StoreState&, const StoreState&) = default;
};

class LiveFiles {
 public:
  struct File {
    std::string name;  // Within the directory of the database.
    uint64_t bytes = 0;
    bool is_table = false;
    std::optional<std::string> contents;  // In place of what is on the disk by now.
  };

  // REQUIRES: `state` is that of the database, and nothing is written meanwhile.
  static absl::StatusOr<std::unique_ptr<LiveFiles>> Capture(rocksdb::DB& db, const StoreState& state);
  ~LiveFiles();
  LiveFiles(const LiveFiles&) = delete;
  LiveFiles& operator=(const LiveFiles&) = delete;

  const StoreState& state() const { return state_; }
  const std::vector<File>& files() const { return files_; }
  std::string PathOf(const File& file) const { return db_.GetName() + "/" + file.name; }
  rocksdb::Env& env() const { return *db_.GetEnv(); }

 private:
  LiveFiles(rocksdb::DB& db, const StoreState& state) : db_(db), state_(state) {}

  rocksdb::DB& db_;
  const StoreState state_;
  std::vector<File> files_;
};

}  // namespace kindred
