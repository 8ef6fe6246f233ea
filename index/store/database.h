// RocksDB with the column families of the schema, opened and closed.
//
// Threads: as RocksDB: any.

#pragma once

#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "index/store/schema.h"
#include "index/store/store_options.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"

namespace kindred {

// Whose files a store reads and writes.
rocksdb::Env& EnvOf(const StoreOptions& options);

class Database {
 public:
  // True when there is no such directory, or nothing is in it.
  static bool Missing(const std::string& path, const StoreOptions& options);

  // `may_create`: makes what is missing. RocksDB takes a directory without CURRENT for an empty one and
  // clears it, so this must not be true where anything was stored. DATA_LOSS: a file is damaged or missing;
  // the message names it, and the way out.
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& path, const StoreOptions& options,
                                                        bool may_create,
                                                        std::shared_ptr<rocksdb::EventListener> listener);
  // Changes nothing in the directory, which no one else may have open. DATA_LOSS as above.
  static absl::StatusOr<std::unique_ptr<Database>> OpenReadOnly(const std::string& path, rocksdb::Env& env);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // For one that was opened to hold them (StoreOptions::hold_compactions).
  absl::Status StartCompactions();

  // Of a store of an earlier version; for good.
  absl::Status DropRetiredFamily();

  // It will not be closed: where a flush failed, or a commit while one was under way, closing it stops the
  // process with an assertion (RocksDB 7.8 with atomic_flush: a family keeps a reference). What is durable is
  // durable without that. RocksDB's lock is held until the process ends.
  void Abandon();

  // Calls `read`, which reads by RocksDB. Where it gets no memory for that, RocksDB loses count of what it
  // holds, and closing it would stop the process as above: it is abandoned in the end.
  template <typename Read>
  auto Try(const Read& read) {
    try {
      return read();
    } catch (const std::bad_alloc&) {
      lost_count_ = true;
      throw;
    }
  }

  rocksdb::DB& db() const { return *db_; }
  const std::vector<rocksdb::ColumnFamilyHandle*>& families() const { return families_; }
  rocksdb::ColumnFamilyHandle* family(schema::Family family) const {
    return families_[static_cast<size_t>(family)];
  }

 private:
  Database(std::unique_ptr<rocksdb::DB> db, std::vector<rocksdb::ColumnFamilyHandle*> families);

  std::unique_ptr<rocksdb::DB> db_;                     // Nothing: abandoned.
  std::vector<rocksdb::ColumnFamilyHandle*> families_;  // Those of the schema, then perhaps the retired one.
  std::atomic<bool> lost_count_{false};
};

}  // namespace kindred
