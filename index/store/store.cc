#include "index/store/store.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "index/base/coding.h"
#include "index/base/limits.h"
#include "index/base/status.h"
#include "index/store/commit_batch.h"
#include "index/store/rocks_status.h"
#include "index/store/store_view.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"

namespace kindred {

using schema::Family;

namespace {

constexpr size_t kBlockCacheBytes = 32 << 20;
// Of one family, and of all of them together.
constexpr size_t kWriteBufferBytes = 16 << 20;
constexpr size_t kWriteBuffersBytes = 48 << 20;
constexpr int kIdFilterBitsPerKey = 10;

rocksdb::DBOptions DatabaseOptions() {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  // Point-in-time recovery, the default, drops acknowledged writes behind a damaged record without a word.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.db_write_buffer_size = kWriteBuffersBytes;
  options.max_background_jobs = 2;
  options.max_open_files = 512;
  options.keep_log_file_num = 4;
  options.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> Families() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  // Indexes and filters stay with their open tables, ten bits a graph for the filter. In the cache the filter
  // of the ids, a megabyte in one piece, would not fit a shard: it was then read anew for every graph that
  // came in.
  table.cache_index_and_filter_blocks = false;
  rocksdb::BlockBasedTableOptions id_table = table;
  id_table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kIdFilterBitsPerKey));

  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  // RocksDB insists on a default family; it stays empty.
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (size_t i = 0; i < schema::kFamilyNames.size(); ++i) {
    rocksdb::ColumnFamilyOptions options;
    options.write_buffer_size = kWriteBufferBytes;
    options.compression = rocksdb::kLZ4Compression;
    options.bottommost_compression = rocksdb::kZSTD;
    const bool ids = static_cast<Family>(i) == Family::kIds;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(ids ? id_table : table));
    families.emplace_back(schema::kFamilyNames[i], options);
  }
  return families;
}

}  // namespace

Store::Store(DataDirectory directory, std::unique_ptr<rocksdb::DB> db,
             std::vector<rocksdb::ColumnFamilyHandle*> families)
    : directory_(std::move(directory)), db_(std::move(db)), families_(std::move(families)) {}

Store::~Store() {
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    db_->DestroyColumnFamilyHandle(family).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

absl::StatusOr<std::unique_ptr<Store>> Store::Open(DataDirectory directory, std::optional<Level> depth) {
  if (depth.value_or(0) > kDepthMax) {
    return InvalidArgument("depth: {} is beyond the deepest, {}", *depth, kDepthMax);
  }
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  const rocksdb::Status opened =
      rocksdb::DB::Open(DatabaseOptions(), directory.db_path(), Families(), &families, &db);
  if (!opened.ok()) {
    return FromRocks(opened, "open " + directory.db_path());
  }
  std::unique_ptr<rocksdb::DB> owned(db);
  (void)db->DestroyColumnFamilyHandle(families.front());
  families.erase(families.begin());
  std::unique_ptr<Store> store(new Store(std::move(directory), std::move(owned), std::move(families)));
  KINDRED_RETURN_IF_ERROR(store->ReadOrCreateMeta(depth));
  return store;
}

absl::Status Store::ReadOrCreateMeta(std::optional<Level> depth) {
  KINDRED_ASSIGN_OR_RETURN(const std::optional<std::string> version, ReadMeta(schema::kMetaSchema));
  KINDRED_ASSIGN_OR_RETURN(const std::optional<std::string> stored_depth, ReadMeta(schema::kMetaDepth));
  if (!version && !stored_depth) {
    KINDRED_ASSIGN_OR_RETURN(const bool empty, view()->Empty());
    return empty ? CreateMeta(depth.value_or(kDepthDefault))
                 : DataLoss("store: holds graphs but neither depth nor schema version");
  }
  if (!version || !stored_depth || version->size() != 4 || stored_depth->size() != 4) {
    return DataLoss("store: the depth or the schema version is missing or damaged");
  }
  if (const uint32_t found = Decoder(*version).Fixed32(); found != schema::kVersion) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "store: has schema version {}, this kindredd reads version {}; use the kindredd that "
                      "wrote it, or export with that one and ingest with this one",
                      found, schema::kVersion);
  }
  const uint32_t found_depth = Decoder(*stored_depth).Fixed32();
  if (found_depth > kDepthMax) {
    return DataLoss("store: depth {} is out of range", found_depth);
  }
  depth_ = static_cast<Level>(found_depth);
  if (depth && *depth != depth_) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "data directory {} was created with depth {}, not {}; leave --depth out, or give a new "
                      "directory",
                      path(), depth_, *depth);
  }
  return absl::OkStatus();
}

absl::Status Store::CreateMeta(Level depth) {
  depth_ = depth;
  std::string version;
  AppendFixed32(version, schema::kVersion);
  std::string depth_value;
  AppendFixed32(depth_value, depth);
  rocksdb::WriteBatch batch;
  for (const auto& [name, value] :
       {std::pair(schema::kMetaSchema, version), std::pair(schema::kMetaDepth, depth_value)}) {
    KINDRED_RETURN_IF_ERROR(FromRocks(batch.Put(family(Family::kMeta), name, value), "create"));
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  return FromRocks(db_->Write(options, &batch), "create");
}

absl::StatusOr<std::optional<std::string>> Store::ReadMeta(std::string_view name) const {
  std::string value;
  const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), family(Family::kMeta), name, &value);
  if (status.IsNotFound()) {
    return std::nullopt;
  }
  KINDRED_RETURN_IF_ERROR(FromRocks(status, "read of meta"));
  return value;
}

uint64_t Store::disk_bytes() const {
  uint64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(path(), error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;  // RocksDB removes files meanwhile.
    if (at->is_regular_file(gone)) {
      const uint64_t size = at->file_size(gone);
      bytes += gone ? 0 : size;
    }
  }
  return bytes;
}

std::shared_ptr<const StoreView> Store::view() const { return std::make_shared<StoreView>(*this); }

absl::Status Store::Commit(CommitBatch& batch) {
  if (failed_.load()) {
    return absl::UnavailableError(
        "store: an earlier write failed, so no more are taken; see the log, mend the cause and restart");
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  const rocksdb::Status status = db_->Write(options, &batch.batch_);
  if (!status.ok()) {
    failed_.store(true);
  }
  return FromRocks(status, "commit");
}

}  // namespace kindred
