// The durable truth: graphs, histograms, colours and the commit sequence in RocksDB. The only user of it.
//
// Threads: one writer (Commit); any number of readers, each on a StoreView that does not change.
// Invariants: (1) a commit is there whole or not at all, and survives power loss once Commit returned OK;
//             (2) the depth never changes after the store was created; (3) after a failed Commit the store
//             refuses every further one: what is on disk is what was acknowledged, no more is tried.

#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/store/data_directory.h"
#include "index/store/schema.h"
#include "rocksdb/db.h"

namespace kindred {

class CommitBatch;
class StoreView;

class Store {
 public:
  // Opens or creates the store of a directory. `depth`: for a new store (default kDepthDefault); for an
  // existing one it must be the stored depth, if given (else FAILED_PRECONDITION).
  // DATA_LOSS: the store is damaged.
  static absl::StatusOr<std::unique_ptr<Store>> Open(DataDirectory directory, std::optional<Level> depth);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Level depth() const { return depth_; }
  const std::string& path() const { return directory_.path(); }
  uint64_t disk_bytes() const;

  // The store as it is now, for as long as the view lives.
  std::shared_ptr<const StoreView> view() const;

  // Durable when it returns OK.
  absl::Status Commit(CommitBatch& batch);

 private:
  friend class CommitBatch;
  friend class StoreView;

  Store(DataDirectory directory, std::unique_ptr<rocksdb::DB> db,
        std::vector<rocksdb::ColumnFamilyHandle*> families);

  rocksdb::ColumnFamilyHandle* family(schema::Family family) const {
    return families_[static_cast<size_t>(family)];
  }
  absl::Status ReadOrCreateMeta(std::optional<Level> depth);
  absl::Status CreateMeta(Level depth);
  absl::StatusOr<std::optional<std::string>> ReadMeta(std::string_view name) const;

  const DataDirectory directory_;
  const std::unique_ptr<rocksdb::DB> db_;
  const std::vector<rocksdb::ColumnFamilyHandle*> families_;
  Level depth_ = 0;
  std::atomic<bool> failed_{false};
};

}  // namespace kindred
