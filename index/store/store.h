// The durable truth: graphs, histograms, colours and the commit sequence in RocksDB. The only user of it.
//
// Threads: one writer (Commit); any number of readers, each on a StoreView that does not change.
// Invariants: (1) a commit is there whole or not at all, and survives power loss once Commit returned OK;
//             (2) the depth never changes after the store was created; (3) after a write that failed the
//             store refuses every further one: what is on disk is what was acknowledged, no more is tried;
//             (4) a store that lacks something that was acknowledged is not opened (witness.h).
// Cost: a Commit is two syncs, one of RocksDB's log and one of the witness.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/store/backup_directory.h"
#include "index/store/data_directory.h"
#include "index/store/database.h"
#include "index/store/live_files.h"
#include "index/store/schema.h"
#include "index/store/store_options.h"
#include "index/store/store_stats.h"
#include "index/store/totals.h"
#include "index/store/witness.h"
#include "index/store/write_gate.h"

namespace kindred {

class CommitBatch;
class StoreView;

class Store {
 public:
  // Opens or creates the store of a directory, and upgrades one of an earlier version. FAILED_PRECONDITION:
  // another depth or schema version. DATA_LOSS: the store is damaged, or behind its witness.
  static absl::StatusOr<std::unique_ptr<Store>> Open(DataDirectory directory, const StoreOptions& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Level depth() const { return depth_; }
  const std::string& path() const { return directory_.path(); }
  uint64_t disk_bytes() const;
  StoreStats stats() const;

  // What the last commit said is stored. The writer's, or before there is one.
  const Totals& totals() const { return totals_; }

  // The scheme of the molecules stored; empty before the first. The writer's, as above.
  const std::string& molecule_scheme() const { return molecule_scheme_; }

  // False: no record has tags. The writer's, as above.
  bool tagged() const { return tagged_; }

  // The store as it is now, for as long as the view lives.
  std::shared_ptr<const StoreView> view() const;

  // Durable when it returns OK. RESOURCE_EXHAUSTED, too, while the disk is nearly full (write_gate.h).
  absl::Status Commit(CommitBatch& batch);

  // For a store that was opened to hold them, once all is read.
  absl::Status StartCompactions() { return database_->StartCompactions(); }

  // For the writer, when there is nothing to write, for a while or any more: lets RocksDB go over what was
  // written since (Past), and has it in tables, which a start reads sooner than the log. Little stays in the
  // log, and all of it while the disk is nearly full.
  void Settle();

  // Takes the signatures of colours that `keep` says no to out of the store, for good: their ids stay issued.
  // How many that were. A power cut leaves some of them out, which is as good. REQUIRES: no graph wears them,
  // and no one commits.
  absl::StatusOr<uint64_t> ReclaimColours(const std::function<bool(ColourId)>& keep);

  // Rewrites all tables without what was removed or replaced, and gives the space back. Takes as long as
  // reading and writing everything does; `cancelled` is set from another thread to give it up. Any thread's,
  // beside commits. RESOURCE_EXHAUSTED, too, while the disk is nearly full.
  absl::Status CompactTables(std::atomic<bool>& cancelled);

  // A directory for backups, on the file system of the store.
  absl::StatusOr<BackupDirectory> OpenBackups(const std::string& path) const;
  // For a backup, whose files these are: all of the last commit. The writer's; commits go on afterwards.
  absl::StatusOr<std::unique_ptr<LiveFiles>> Capture();
  // So that a Capture that follows has little to flush, and commits hardly wait for it. Any thread's.
  absl::Status Flush();

 private:
  // Holds the store as it was at some time. RocksDB rewrites each table once more as soon as no snapshot is
  // older than what it holds, to leave out versions and numbers that no one needs. While this one is, tables
  // stay as they were written: a load is a tenth faster, and what was replaced takes its space a while
  // longer.
  class Past {
   public:
    explicit Past(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
    ~Past() { db_.ReleaseSnapshot(snapshot_); }
    Past(const Past&) = delete;
    Past& operator=(const Past&) = delete;

   private:
    rocksdb::DB& db_;
    const rocksdb::Snapshot* const snapshot_;
  };

  friend class CommitBatch;
  friend class StoreView;

  Store(DataDirectory directory, std::shared_ptr<WriteGate> gate, std::unique_ptr<Database> database);

  rocksdb::DB& db() const { return database_->db(); }
  rocksdb::ColumnFamilyHandle* family(schema::Family family) const { return database_->family(family); }

  // `unused`: the identity of a store that never acknowledged anything, and may be made anew.
  absl::Status ReadOrCreateMeta(std::optional<Level> depth, const std::optional<StoreIdentity>& unused);
  absl::Status ReadState();
  // A store of an earlier version becomes one of this.
  absl::Status Upgrade(const StoreOptions& options);
  absl::Status CreateMeta(Level depth, const StoreIdentity& identity);
  absl::StatusOr<std::optional<std::string>> ReadMeta(std::string_view name) const;
  void Tidy();
  absl::Status AcceptLoss(const std::optional<std::string>& loss, const StoreOptions& options) const;

  const DataDirectory directory_;
  const std::shared_ptr<WriteGate> gate_;
  const std::unique_ptr<Database> database_;
  StoreIdentity identity_{};
  uint32_t version_ = 0;  // As it was opened, or upgraded.
  Level depth_ = 0;
  // Of the last commit; the writer's.
  CommitSequence sequence_{};
  Totals totals_;
  size_t batch_bytes_ = 0;  // The next is often as large: it gets its memory at once.
  std::atomic<uint64_t> committed_bytes_{0};
  std::string molecule_scheme_;
  bool tagged_ = true;
  std::unique_ptr<Witness> witness_;
  std::unique_ptr<const Past> past_;
  uint64_t writes_since_past_ = 0;
};

}  // namespace kindred
