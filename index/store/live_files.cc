#include "index/store/live_files.h"

#include <utility>

#include "index/base/status.h"
#include "index/store/rocks_status.h"

namespace kindred {

absl::StatusOr<std::unique_ptr<LiveFiles>> LiveFiles::Capture(rocksdb::DB& db, const StoreState& state) {
  KINDRED_RETURN_IF_ERROR(FromRocks(db.DisableFileDeletions(), "backup"));
  std::unique_ptr<LiveFiles> live(new LiveFiles(db, state));  // From now on it gives them free again.
  rocksdb::LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = 0;  // Everything is in tables then.
  std::vector<rocksdb::LiveFileStorageInfo> found;
  KINDRED_RETURN_IF_ERROR(FromRocks(db.GetLiveFilesStorageInfo(options, &found), "backup"));
  for (rocksdb::LiveFileStorageInfo& file : found) {
    if (file.file_type == rocksdb::kOptionsFile) {
      continue;  // A store is opened with ours.
    }
    if (file.directory != db.GetName()) {
      return absl::InternalError("store: a file of the database lies in " + file.directory);
    }
    live->files_.push_back(
        {std::move(file.relative_filename), file.size, file.file_type == rocksdb::kTableFile,
         file.replacement_contents.empty() ? std::nullopt
                                           : std::optional(std::move(file.replacement_contents))});
  }
  return live;
}

LiveFiles::~LiveFiles() { db_.EnableFileDeletions(/*force=*/false).PermitUncheckedError(); }

}  // namespace kindred
