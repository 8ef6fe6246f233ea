#include "index/store/restore.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/store/backup_directory.h"
#include "index/store/data_directory.h"
#include "index/store/store_check.h"
#include "rocksdb/env.h"

namespace kindred {
namespace {

absl::Status CheckEmpty(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return absl::OkStatus();
  }
  if (!std::filesystem::is_empty(path, error) || error) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "data directory {}: is not empty; a backup is restored to an empty or a new directory",
                      path);
  }
  return absl::OkStatus();
}

// The backup that is meant, and what keeps it from being removed meanwhile.
struct ChosenBackup {
  std::string path;
  std::optional<BackupDirectory> directory;
};

absl::StatusOr<ChosenBackup> Choose(const RestoreRequest& request, rocksdb::FileSystem& files) {
  if (files.FileExists(request.from + "/manifest", rocksdb::IOOptions(), nullptr).ok()) {
    if (request.id) {
      return InvalidArgument("{} is one backup: leave --backup-id out, or give the directory above it",
                             request.from);
    }
    return ChosenBackup{request.from, std::nullopt};
  }
  KINDRED_ASSIGN_OR_RETURN(BackupDirectory directory, BackupDirectory::OpenToRead(request.from, files));
  KINDRED_ASSIGN_OR_RETURN(const std::vector<uint64_t> ids, directory.List());
  if (ids.empty() || (request.id && !std::ranges::binary_search(ids, *request.id))) {
    return MakeStatus(absl::StatusCode::kNotFound, "backup directory {}: has no backup{}", request.from,
                      request.id ? fmt::format(" {}", *request.id) : "");
  }
  std::string path = directory.PathOf(request.id.value_or(ids.back()));
  return ChosenBackup{std::move(path), std::move(directory)};
}

class Restoration {
 public:
  Restoration(std::string backup, std::string to, rocksdb::Env& env, const Interrupt& interrupt)
      : backup_(std::move(backup)),
        to_(std::move(to)),
        env_(env),
        files_(*env.GetFileSystem()),
        interrupt_(interrupt) {}

  absl::StatusOr<RestoreSummary> Run() {
    KINDRED_ASSIGN_OR_RETURN(BackupManifest manifest, ReadManifest(backup_, files_));
    // Without CURRENT RocksDB opens nothing, and without its witness we do not: they come last.
    std::ranges::stable_sort(manifest.files, {}, [](const BackupManifest::File& file) {
      return file.name == "witness" ? 2 : file.name == "db/CURRENT" ? 1 : 0;
    });
    KINDRED_RETURN_IF_ERROR(
        FromFile(files_.CreateDir(to_ + "/db", rocksdb::IOOptions(), nullptr), "creation", to_));
    for (const BackupManifest::File& file : manifest.files) {
      if (file.name == "witness") {
        KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files_, to_ + "/db"));
      }
      KINDRED_RETURN_IF_ERROR(CopyChecked(file));
    }
    KINDRED_RETURN_IF_ERROR(SyncDirectoryAt(files_, to_));
    KINDRED_RETURN_IF_ERROR(CheckStore(to_, {manifest.identity, manifest.sequence, manifest.totals}, env_));
    return RestoreSummary{backup_,
                          manifest.created,
                          manifest.sequence,
                          manifest.totals.graphs.count,
                          manifest.files.size(),
                          manifest.bytes()};
  }

  // As good as can be.
  void CleanUp() {
    const rocksdb::IOOptions options;
    RemoveTree(files_, to_ + "/db").IgnoreError();
    for (const char* const name : {"/witness", "/kindred.lock"}) {
      files_.DeleteFile(to_ + name, options, nullptr).PermitUncheckedError();
    }
  }

 private:
  absl::Status CopyChecked(const BackupManifest::File& file) {
    const std::string from = fmt::format("{}/{}", backup_, file.name);
    if (files_.FileExists(from, rocksdb::IOOptions(), nullptr).IsNotFound()) {
      return DataLoss("{} is missing; try another backup (--backup-id)", from);
    }
    uint64_t bytes = 0;
    KINDRED_RETURN_IF_ERROR(
        FromFile(files_.GetFileSize(from, rocksdb::IOOptions(), &bytes, nullptr), "size", from));
    KINDRED_ASSIGN_OR_RETURN(
        const FileFingerprint copied,
        CopySynced(files_, from, fmt::format("{}/{}", to_, file.name), bytes, interrupt_));
    return copied == file.fingerprint
               ? absl::OkStatus()
               : DataLoss("{} is damaged: it is not what was written; try another backup (--backup-id)",
                          from);
  }

  const std::string backup_;
  const std::string to_;
  rocksdb::Env& env_;
  rocksdb::FileSystem& files_;
  const Interrupt& interrupt_;
};

}  // namespace

absl::StatusOr<RestoreSummary> Restore(const RestoreRequest& request, rocksdb::Env* env,
                                       const Interrupt& interrupt) {
  rocksdb::Env& whose = env != nullptr ? *env : *rocksdb::Env::Default();
  KINDRED_RETURN_IF_ERROR(CheckEmpty(request.to));
  KINDRED_ASSIGN_OR_RETURN(const ChosenBackup chosen, Choose(request, *whose.GetFileSystem()));
  // Created and locked: no daemon starts on it meanwhile.
  KINDRED_ASSIGN_OR_RETURN(const DataDirectory directory, DataDirectory::Open(request.to));
  Restoration restoration(chosen.path, request.to, whose, interrupt);
  auto summary = restoration.Run();
  if (!summary.ok()) {
    restoration.CleanUp();
  }
  return summary;
}

}  // namespace kindred
