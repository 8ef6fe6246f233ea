#include "index/store/store_stats.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "index/store/store.h"
#include "rocksdb/env.h"

namespace kindred {
namespace {

using Properties = rocksdb::DB::Properties;

struct FileBytes {
  uint64_t all = 0;
  uint64_t logs = 0;
};

FileBytes BytesBelow(const std::string& path, const std::filesystem::path& database) {
  FileBytes bytes;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;  // RocksDB removes files meanwhile.
    const uint64_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (gone) {
      continue;
    }
    bytes.all += size;
    if (at->path().extension() == ".log" && at->path().parent_path() == database) {
      bytes.logs += size;
    }
  }
  return bytes;
}

}  // namespace

uint64_t Store::disk_bytes() const { return BytesBelow(path(), directory_.db_path()).all; }

StoreStats Store::stats() const {
  // Of all families together.
  const auto sum = [this](const std::string& property) {
    uint64_t value = 0;
    db().GetAggregatedIntProperty(property, &value);
    return value;
  };
  // One figure of the whole database, whichever family is asked.
  const auto shared = [this](const std::string& property) {
    uint64_t value = 0;
    db().GetIntProperty(family(schema::Family::kMeta), property, &value);
    return value;
  };
  const FileBytes files = BytesBelow(path(), directory_.db_path());
  StoreStats stats;
  stats.disk_bytes = files.all;
  stats.log_bytes = files.logs;
  db().GetEnv()->GetFreeSpace(path(), &stats.free_bytes).PermitUncheckedError();
  stats.failed = gate_->failed();
  stats.short_of_space = gate_->short_of_space();
  stats.committed_bytes = committed_bytes_.load(std::memory_order_relaxed);
  stats.buffer_bytes = sum(Properties::kCurSizeAllMemTables);
  stats.full_buffers = sum(Properties::kNumImmutableMemTable);
  stats.table_bytes = sum(Properties::kLiveSstFilesSize);
  for (rocksdb::ColumnFamilyHandle* const handle : database_->families()) {
    std::string tables;
    if (db().GetProperty(handle, Properties::kNumFilesAtLevelPrefix + "0", &tables)) {
      stats.level0_tables += std::stoull(tables);
    }
  }
  stats.pending_compaction_bytes = sum(Properties::kEstimatePendingCompactionBytes);
  stats.running_flushes = shared(Properties::kNumRunningFlushes);
  stats.running_compactions = shared(Properties::kNumRunningCompactions);
  stats.block_cache_bytes = shared(Properties::kBlockCacheUsage);
  stats.table_reader_bytes = sum(Properties::kEstimateTableReadersMem);
  stats.background_errors = shared(Properties::kBackgroundErrors);
  return stats;
}

}  // namespace kindred
