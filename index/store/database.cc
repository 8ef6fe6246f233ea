#include "index/store/database.h"

#include <algorithm>
#include <cstdarg>
#include <utility>

#include "fmt/ranges.h"
#include "index/base/status.h"
#include "index/store/rocks_log.h"
#include "index/store/rocks_status.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"

namespace kindred {

using schema::Family;

namespace {

constexpr size_t kBlockCacheBytes = 32 << 20;
// The buffers of all families together, in buffers of one.
constexpr size_t kWriteBuffers = 3;
constexpr size_t kSweptBlockBytes = 32 << 10;

rocksdb::DBOptions DatabaseOptions(const StoreOptions& store, bool may_create) {
  rocksdb::DBOptions options;
  options.env = &EnvOf(store);
  options.create_if_missing = may_create;
  options.create_missing_column_families = may_create;
  options.paranoid_checks = true;
  // Point-in-time recovery, the default, drops acknowledged writes behind a damaged record without a word.
  // To drop them is what accepting a loss means.
  options.wal_recovery_mode = store.accept_loss ? rocksdb::WALRecoveryMode::kPointInTimeRecovery
                                                : rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  // All families or none: whatever the log loses, the tables are the store as it was after some commit.
  options.atomic_flush = true;
  // After an error in the background: stop, and let a restart find out what is there.
  options.max_bgerror_resume_count = 0;
  options.db_write_buffer_size = kWriteBuffers * store.write_buffer_bytes;
  options.max_background_jobs = 2;
  options.allow_concurrent_memtable_write = false;  // There is one writer, and hints want it so.
  options.max_open_files = 512;
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> Families(const StoreOptions& store) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kBlockCacheBytes);
  // Histograms and colours are mostly read in one sweep, by a start.
  rocksdb::BlockBasedTableOptions swept_table = table;
  swept_table.block_size = kSweptBlockBytes;

  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  // RocksDB insists on a default family; it stays empty.
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions());
  for (size_t i = 0; i < schema::kFamilyNames.size(); ++i) {
    rocksdb::ColumnFamilyOptions options;
    options.write_buffer_size = store.write_buffer_bytes;
    options.disable_auto_compactions = store.hold_compactions;
    const auto family = static_cast<Family>(i);
    // The same at all levels: a table whose keys overlap none then moves down as it is. Histograms and
    // colours are packed already.
    const bool swept = family == Family::kHistograms || family == Family::kColours;
    options.compression = swept ? rocksdb::kNoCompression : rocksdb::kLZ4Compression;
    // Keys ascend: each goes behind the one before, and is looked for from there.
    options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(1));
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(swept ? swept_table : table));
    families.emplace_back(schema::kFamilyNames[i], options);
  }
  return families;
}

std::vector<std::string> Children(const std::string& path, rocksdb::Env& env) {
  std::vector<std::string> names;
  env.GetChildren(path, &names).PermitUncheckedError();
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  std::ranges::sort(names);
  return names;
}

// RocksDB does not always say which file is damaged: of tables it does, of logs it does not.
std::string Suspects(const std::string& path, rocksdb::Env& env, const std::string& message) {
  std::vector<std::string> suspects;
  for (const std::string& name : Children(path, env)) {
    if (message.find(name) != std::string::npos) {
      return "";
    }
    if (name == "CURRENT" || name.starts_with("MANIFEST") || name.ends_with(".log")) {
      suspects.push_back(name);
    }
  }
  return fmt::format(" (one of {})", fmt::join(suspects, ", "));
}

absl::Status OpenFailed(const rocksdb::Status& status, const std::string& path, const StoreOptions& options) {
  const std::string message = status.ToString();
  if (status.IsIOError() && !status.IsPathNotFound()) {
    return MakeStatus(absl::StatusCode::kUnavailable, "{} cannot be opened: {}", path, message);
  }
  return DataLoss("{} is damaged: {}{}; restore a backup of the data directory{}", path, message,
                  Suspects(path, EnvOf(options), message),
                  options.accept_loss
                      ? ""
                      : ", or, if only the end of a log (*.log) is damaged, go on without its last "
                        "commits with --accept-loss");
}

// RocksDB opens all families that there are, or none. What cannot be read here is found by the opening.
bool HasRetiredFamily(const rocksdb::DBOptions& options, const std::string& path) {
  std::vector<std::string> names;
  rocksdb::DB::ListColumnFamilies(options, path, &names).PermitUncheckedError();
  return std::ranges::find(names, schema::kRetiredFamily) != names.end();
}

// Without a logger of ours RocksDB would make a file of its own in the directory.
class SilentLog : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

}  // namespace

rocksdb::Env& EnvOf(const StoreOptions& options) {
  return options.env != nullptr ? *options.env : *rocksdb::Env::Default();
}

bool Database::Missing(const std::string& path, const StoreOptions& options) {
  return Children(path, EnvOf(options)).empty();
}

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::string& path, const StoreOptions& options,
                                                         bool may_create,
                                                         std::shared_ptr<rocksdb::EventListener> listener) {
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DBOptions database = DatabaseOptions(options, may_create);
  // Compactions give way to searches and to the writer; flushes, which it waits for, do not.
  EnvOf(options).LowerThreadPoolCPUPriority(rocksdb::Env::Priority::LOW);
  database.listeners.push_back(std::move(listener));
  // Beside the directory: in it, it could be taken for part of a store.
  database.info_log = OpenRocksLog(path + ".log");
  std::vector<rocksdb::ColumnFamilyDescriptor> wanted = Families(options);
  if (HasRetiredFamily(database, path)) {
    wanted.emplace_back(schema::kRetiredFamily, rocksdb::ColumnFamilyOptions());
  }
  const rocksdb::Status opened = rocksdb::DB::Open(database, path, wanted, &families, &db);
  if (!opened.ok()) {
    return OpenFailed(opened, path, options);
  }
  return std::unique_ptr<Database>(new Database(std::unique_ptr<rocksdb::DB>(db), std::move(families)));
}

absl::StatusOr<std::unique_ptr<Database>> Database::OpenReadOnly(const std::string& path, rocksdb::Env& env) {
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  StoreOptions options;
  options.env = &env;
  rocksdb::DBOptions database = DatabaseOptions(options, /*may_create=*/false);
  database.info_log = std::make_shared<SilentLog>();
  const rocksdb::Status opened =
      rocksdb::DB::OpenForReadOnly(database, path, Families(options), &families, &db);
  if (!opened.ok()) {
    return FromRocks(opened, "open of " + path);
  }
  return std::unique_ptr<Database>(new Database(std::unique_ptr<rocksdb::DB>(db), std::move(families)));
}

// The default family goes at once.
Database::Database(std::unique_ptr<rocksdb::DB> db, std::vector<rocksdb::ColumnFamilyHandle*> families)
    : db_(std::move(db)), families_(families.begin() + 1, families.end()) {
  db_->DestroyColumnFamilyHandle(families.front()).PermitUncheckedError();
}

absl::Status Database::DropRetiredFamily() {
  if (families_.size() == schema::kFamilyNames.size()) {
    return absl::OkStatus();
  }
  KINDRED_RETURN_IF_ERROR(FromRocks(db_->DropColumnFamily(families_.back()), "drop of a retired family"));
  db_->DestroyColumnFamilyHandle(families_.back()).PermitUncheckedError();
  families_.pop_back();
  return absl::OkStatus();
}

absl::Status Database::StartCompactions() {
  return FromRocks(db_->EnableAutoCompaction(families_), "start of compactions");
}

void Database::Abandon() {
  // With the handles of its families, which only it could take back.
  using Abandoned = std::pair<rocksdb::DB*, std::vector<rocksdb::ColumnFamilyHandle*>>;
  static std::vector<Abandoned>& abandoned = *new std::vector<Abandoned>;
  rocksdb::CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  abandoned.emplace_back(db_.release(), std::move(families_));
}

Database::~Database() {
  if (db_ != nullptr && lost_count_) {
    Abandon();
  }
  if (db_ == nullptr) {
    return;
  }
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    db_->DestroyColumnFamilyHandle(family).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

}  // namespace kindred
