#include "index/store/backup.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/store/rocks_status.h"
#include "index/store/store_check.h"
#include "index/store/table_check.h"

namespace kindred {
namespace {

class BackupMaker {
 public:
  BackupMaker(BackupDirectory& directory, const LiveFiles& live, const BackupOptions& options,
              const BackupReporter& report, const Interrupt& interrupt)
      : directory_(directory),
        live_(live),
        options_(options),
        report_(report),
        interrupt_(interrupt),
        files_(*live.env().GetFileSystem()) {}

  absl::StatusOr<BackupSummary> Run() {
    KINDRED_RETURN_IF_ERROR(directory_.RemoveUnfinished());
    KINDRED_RETURN_IF_ERROR(FindPrevious());
    Announce();
    KINDRED_RETURN_IF_ERROR(CheckSpace());
    if (absl::Status status = Write(); !status.ok()) {
      RemoveTree(files_, path_).IgnoreError();  // Else the next backup will.
      return status;
    }
    BackupSummary summary{progress_, path_, 0};
    KINDRED_ASSIGN_OR_RETURN(summary.removed, RemoveOld());
    return summary;
  }

 private:
  // The newest that can be read, whose tables need not be copied.
  absl::Status FindPrevious() {
    KINDRED_ASSIGN_OR_RETURN(const std::vector<uint64_t> ids, directory_.List());
    progress_.id = ids.empty() ? 1 : ids.back() + 1;
    path_ = directory_.PathOf(progress_.id);
    for (size_t i = ids.size(); i-- > 0;) {
      const std::string path = directory_.PathOf(ids[i]);
      auto manifest = ReadManifest(path, files_);
      if (!manifest.ok()) {
        continue;
      }
      if (manifest->identity != live_.state().identity) {
        return MakeStatus(absl::StatusCode::kFailedPrecondition,
                          "backup directory {}: holds backups of another index; give another name",
                          directory_.path());
      }
      previous_ = *std::move(manifest);
      previous_path_ = path;
      return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  void Announce() {
    progress_.sequence = live_.state().sequence;
    progress_.graphs = live_.state().totals.graphs.count;
    for (const LiveFiles::File& file : live_.files()) {
      ++progress_.files;
      progress_.bytes += file.bytes;
    }
    report_(progress_);
  }

  const BackupManifest::File* InPrevious(const std::string& name, uint64_t bytes) const {
    const auto found = std::ranges::find_if(previous_.files, [&](const BackupManifest::File& file) {
      return file.name == name && file.fingerprint.bytes == bytes && !file.table_id.empty();
    });
    return found == previous_.files.end() ? nullptr : &*found;
  }

  // Before anything is written: on the disk of the store, a backup must not take what commits need.
  absl::Status CheckSpace() const {
    uint64_t needed = 0;
    for (const LiveFiles::File& file : live_.files()) {
      needed += InPrevious("db/" + file.name, file.bytes) != nullptr ? 0 : file.bytes;
    }
    uint64_t free = 0;
    if (!files_.GetFreeSpace(directory_.path(), rocksdb::IOOptions(), &free, nullptr).ok()) {
      return absl::OkStatus();  // Then writing will tell.
    }
    if (free < needed + options_.disk_reserve_bytes) {
      return MakeStatus(absl::StatusCode::kResourceExhausted,
                        "backup directory {}: {} bytes have to be copied, but its disk has {} left, of which "
                        "disk_reserve_bytes = {} are kept free",
                        directory_.path(), needed, free, options_.disk_reserve_bytes);
    }
    return absl::OkStatus();
  }

  absl::Status Write() {
    const rocksdb::IOOptions io;
    KINDRED_RETURN_IF_ERROR(FromFile(files_.CreateDir(path_, io, nullptr), "creation", path_));
    KINDRED_RETURN_IF_ERROR(FromFile(files_.CreateDir(path_ + "/db", io, nullptr), "creation", path_));
    manifest_ = {TimeOfBackup(), live_.state().identity, live_.state().sequence, live_.state().totals, {}};
    for (const LiveFiles::File& file : live_.files()) {
      KINDRED_RETURN_IF_ERROR(Add(file));
      report_(progress_);
    }
    KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files_, path_ + "/db"));
    KINDRED_RETURN_IF_ERROR(AddWitness());
    KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files_, directory_.path()));
    KINDRED_RETURN_IF_ERROR(Check());
    return WriteManifest(path_, manifest_, files_);
  }

  absl::Status Add(const LiveFiles::File& file) {
    BackupManifest::File added{"db/" + file.name, {}, ""};
    const std::string path = path_ + "/" + added.name;
    if (file.contents) {
      KINDRED_RETURN_IF_ERROR(WriteSynced(files_, path, *file.contents));
      added.fingerprint = FingerprintOf(*file.contents);
      progress_.bytes_copied += file.bytes;
      AddUnread(std::move(added));
      return absl::OkStatus();
    }
    if (file.is_table) {
      KINDRED_ASSIGN_OR_RETURN(added.table_id, TableId(live_.PathOf(file), live_.env()));
      KINDRED_ASSIGN_OR_RETURN(const bool linked, Link(file, added));
      if (linked) {
        manifest_.files.push_back(std::move(added));
        return absl::OkStatus();
      }
    }
    KINDRED_ASSIGN_OR_RETURN(added.fingerprint,
                             CopySynced(files_, live_.PathOf(file), path, file.bytes, interrupt_));
    if (file.is_table) {
      KINDRED_RETURN_IF_ERROR(CheckTable(path, live_.env()));
    }
    progress_.bytes_copied += file.bytes;
    AddUnread(std::move(added));
    return absl::OkStatus();
  }

  void AddUnread(BackupManifest::File file) {
    unread_.push_back(manifest_.files.size());
    manifest_.files.push_back(std::move(file));
  }

  // Gives the previous backup's file of the same table a second name here, if it has it and it is whole.
  absl::StatusOr<bool> Link(const LiveFiles::File& file, BackupManifest::File& added) {
    const BackupManifest::File* const there = InPrevious(added.name, file.bytes);
    if (there == nullptr || added.table_id.empty() || there->table_id != added.table_id) {
      return false;
    }
    const std::string from = previous_path_ + "/" + added.name;
    const auto found = ReadFingerprint(files_, from, interrupt_);
    KINDRED_RETURN_IF_ERROR(interrupt_.Check());
    if (!found.ok() || *found != there->fingerprint) {
      return false;
    }
    if (!files_.LinkFile(from, path_ + "/" + added.name, rocksdb::IOOptions(), nullptr).ok()) {
      return false;  // Not every file system can.
    }
    added.fingerprint = there->fingerprint;
    progress_.bytes_checked += file.bytes;
    return true;
  }

  absl::Status AddWitness() {
    const std::string path = path_ + "/witness";
    KINDRED_RETURN_IF_ERROR(
        Witness::Create(files_, path, {live_.state().identity, live_.state().sequence}).status());
    BackupManifest::File added{"witness", {}, ""};
    KINDRED_ASSIGN_OR_RETURN(added.fingerprint, ReadFingerprint(files_, path, interrupt_));
    manifest_.files.push_back(std::move(added));  // What it says is compared with the rest.
    return absl::OkStatus();
  }

  absl::Status Check() {
    for (const size_t unread : unread_) {
      const BackupManifest::File& file = manifest_.files[unread];
      const std::string path = path_ + "/" + file.name;
      KINDRED_ASSIGN_OR_RETURN(const FileFingerprint found, ReadFingerprint(files_, path, interrupt_));
      if (found != file.fingerprint) {
        return DataLoss("{} was not read back as it was written", path);
      }
      progress_.bytes_checked += found.bytes;
      report_(progress_);
    }
    return CheckStore(path_, live_.state(), live_.env());
  }

  absl::StatusOr<uint64_t> RemoveOld() {
    KINDRED_ASSIGN_OR_RETURN(const std::vector<uint64_t> ids, directory_.List());
    uint64_t removed = 0;
    while (options_.keep > 0 && ids.size() - removed > options_.keep) {
      KINDRED_RETURN_IF_ERROR(directory_.Remove(ids[removed]));
      ++removed;
    }
    return removed;
  }

  BackupDirectory& directory_;
  const LiveFiles& live_;
  const BackupOptions options_;
  const BackupReporter& report_;
  const Interrupt& interrupt_;
  rocksdb::FileSystem& files_;
  BackupManifest previous_;
  std::string previous_path_;
  std::string path_;
  BackupManifest manifest_;
  std::vector<size_t> unread_;  // Places of files that were written and not read back yet.
  BackupProgress progress_;
};

}  // namespace

absl::StatusOr<BackupSummary> MakeBackup(BackupDirectory& directory, const LiveFiles& live,
                                         const BackupOptions& options, const BackupReporter& report,
                                         const Interrupt& interrupt) {
  return BackupMaker(directory, live, options, report, interrupt).Run();
}

}  // namespace kindred
