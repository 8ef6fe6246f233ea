// A file system whose power can be cut: what was not synced is then lost, as far as the test wants.
//
// Works on real files, and remembers what of them would survive: the bytes a file had when it was last
// synced, and the names a directory had when it was. At the chosen operation the power goes: that one and all
// later ones fail. Settle then takes the files back to what a disk may hold after such a cut: everything that
// was synced, of the rest a part: of each file a prefix of what was appended, and of the creations, renames
// and removals the first few, as a journaling file system keeps them.
//
// Counted are the operations that change something: creations, links, appends, writes, syncs, renames,
// removals.
// Not modelled: RocksDB's own LOG, which goes around it, and overwriting a file by creating it anew.
//
// Threads: any.

#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "tests/support/graphs.h"
#include "tests/support/no_locks.h"

namespace kindred::test {

class PowerCutFileSystem : public NoLocks {
 public:
  // Of what was not synced, after a cut.
  enum class Keep { kNothing, kSome, kAll };

  // Removed files are kept in `graveyard` until they are gone for good.
  // REQUIRES: it is a directory of the same disk, empty, and used for nothing else.
  explicit PowerCutFileSystem(std::string graveyard);

  const char* Name() const override { return "PowerCutFileSystem"; }

  // The power goes at this operation, counted from 1.
  void CutAt(uint64_t operation);
  uint64_t operations() const;
  bool is_cut() const;
  // REQUIRES: all its files are closed.
  void Settle(Keep keep, Rng& rng);

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* directory,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;

  // For the files it hands out.
  struct Bytes;
  // OK: the operation goes ahead.
  rocksdb::IOStatus Step();
  void NoteAppend(Bytes& bytes, uint64_t count);
  void NoteOverwrite(Bytes& bytes, uint64_t offset, std::string before);
  void NoteSync(Bytes& bytes);
  void NoteDirectorySync(const std::string& path);

 private:
  // A name that came, went or moved, and is not durable yet.
  struct Change {
    enum class Kind { kCreate, kRename, kRemove };
    Kind kind;
    std::string path;
    std::string target;    // Of a rename.
    std::string replaced;  // In the graveyard: what the name was before; "": nothing.
  };

  std::string Bury(const std::string& path);
  void Move(const std::string& from, const std::string& to);
  void Undo(const Change& change);

  const std::string graveyard_;
  mutable std::mutex mutex_;
  uint64_t operations_ = 0;
  uint64_t cut_at_ = std::numeric_limits<uint64_t>::max();
  uint64_t buried_ = 0;
  std::map<std::string, std::shared_ptr<Bytes>> files_;  // By the name they have now.
  std::vector<Change> changes_;                          // In their order.
};

}  // namespace kindred::test
