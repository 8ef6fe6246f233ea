#include "index/store/store.h"

#include <algorithm>
#include <string>
#include <utility>

#include "index/base/coding.h"
#include "index/base/limits.h"
#include "index/base/status.h"
#include "index/store/commit_batch.h"
#include "index/store/loss.h"
#include "index/store/rocks_status.h"
#include "index/store/store_view.h"
#include "index/store/table_end.h"

namespace kindred {

using schema::Family;

namespace {

// Rows, of which a graph has three or four: a stream that never pauses leaves no more behind.
constexpr uint64_t kWritesBeforeTidying = 1 << 23;

// What is not worth one is read from the log in a moment.
constexpr uint64_t kBytesWorthATable = 8 << 20;

std::string Fixed32(uint32_t value) {
  std::string out;
  AppendFixed32(out, value);
  return out;
}

std::string Fixed64(uint64_t value) {
  std::string out;
  AppendFixed64(out, value);
  return out;
}

}  // namespace

Store::Store(DataDirectory directory, std::shared_ptr<WriteGate> gate, std::unique_ptr<Database> database)
    : directory_(std::move(directory)), gate_(std::move(gate)), database_(std::move(database)) {}

Store::~Store() {
  past_.reset();
  if (gate_->failed()) {
    database_->Abandon();
  }
}

absl::StatusOr<std::unique_ptr<Store>> Store::Open(DataDirectory directory, const StoreOptions& options) {
  if (options.depth.value_or(0) > kDepthMax) {
    return InvalidArgument("depth: {} is beyond the deepest, {}", *options.depth, kDepthMax);
  }
  rocksdb::FileSystem& files = *EnvOf(options).GetFileSystem();
  const std::string witness_path = directory.witness_path();
  auto claim = Witness::Read(files, witness_path);
  if (!claim.ok() && claim.status().code() != absl::StatusCode::kDataLoss) {
    return claim.status();
  }
  if (claim.ok() && !claim->has_value() && Database::Missing(directory.db_path(), options)) {
    // The witness of a new store comes first: as long as it says 0, db/ may be made anew.
    claim = Witness::Claim{NewStoreIdentity(), CommitSequence{0}};
    KINDRED_RETURN_IF_ERROR(Witness::Create(files, witness_path, **claim).status());
  }
  const bool unused = claim.ok() && claim->has_value() && (*claim)->sequence == CommitSequence{0};
  KINDRED_RETURN_IF_ERROR(WithWayOut(CheckTableEnds(directory.db_path(), EnvOf(options)), directory.path()));
  const auto gate = std::make_shared<WriteGate>(options, directory.path());
  KINDRED_ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                           Database::Open(directory.db_path(), options, unused, gate));
  std::unique_ptr<Store> store(new Store(std::move(directory), gate, std::move(database)));
  KINDRED_RETURN_IF_ERROR(WithWayOut(
      store->ReadOrCreateMeta(options.depth, unused ? std::optional((*claim)->identity) : std::nullopt),
      store->path()));
  const auto loss = FindLoss(witness_path, claim, {store->identity_, store->sequence_});
  KINDRED_RETURN_IF_ERROR(store->AcceptLoss(loss, options));
  KINDRED_ASSIGN_OR_RETURN(store->witness_,
                           Witness::Create(files, witness_path, {store->identity_, store->sequence_}));
  KINDRED_RETURN_IF_ERROR(store->Upgrade(options));
  store->past_ = std::make_unique<const Past>(store->db());
  return store;
}

absl::Status Store::AcceptLoss(const std::optional<std::string>& loss, const StoreOptions& options) const {
  if (!loss) {
    return absl::OkStatus();
  }
  if (!options.accept_loss) {
    return DataLoss(
        "data directory {}: {}. Restore a backup of the directory, or go on with what is there with "
        "--accept-loss",
        path(), *loss);
  }
  if (options.report) {
    options.report(fmt::format("LOSS ACCEPTED: data directory {}: {}. Serving what is there, up to commit {}",
                               path(), *loss, Raw(sequence_)));
  }
  return absl::OkStatus();
}

absl::Status Store::ReadOrCreateMeta(std::optional<Level> depth, const std::optional<StoreIdentity>& unused) {
  KINDRED_ASSIGN_OR_RETURN(const std::optional<std::string> version, ReadMeta(schema::kMetaSchema));
  KINDRED_ASSIGN_OR_RETURN(const std::optional<std::string> stored_depth, ReadMeta(schema::kMetaDepth));
  if (!version && !stored_depth) {
    KINDRED_ASSIGN_OR_RETURN(const bool empty, view()->Empty());
    return empty && unused ? CreateMeta(depth.value_or(kDepthDefault), *unused)
                           : DataLoss("store: was in use, but has neither depth nor schema version");
  }
  if (!version || !stored_depth || version->size() != 4 || stored_depth->size() != 4) {
    return DataLoss("store: the depth or the schema version is missing or damaged");
  }
  const uint32_t found = Decoder(*version).Fixed32();
  if (found < schema::kVersionWithIdsWithoutScheme || found > schema::kVersion) {
    return MakeStatus(
        absl::StatusCode::kFailedPrecondition,
        "store: has schema version {}, this kindredd reads versions {} to {}; use the kindredd that "
        "wrote it, or export with that one and ingest with this one",
        found, schema::kVersionWithIdsWithoutScheme, schema::kVersion);
  }
  version_ = found;
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
  return ReadState();
}

// The version first: an earlier kindredd must not open a store without its family.
absl::Status Store::Upgrade(const StoreOptions& options) {
  if (version_ <= schema::kVersionWithIds) {
    const uint32_t earlier = version_;
    version_ += schema::kVersion - schema::kVersionWithIds;
    rocksdb::WriteOptions durable;
    durable.sync = true;
    KINDRED_RETURN_IF_ERROR(FromRocks(
        db().Put(durable, family(Family::kMeta), schema::kMetaSchema, Fixed32(version_)), "upgrade"));
    if (options.announce) {
      options.announce(
          fmt::format("data directory {}: upgraded from schema version {} to {}; the kindredd that wrote it "
                      "opens it no more",
                      path(), earlier, version_));
    }
  }
  return database_->DropRetiredFamily();
}

absl::Status Store::ReadState() {
  KINDRED_ASSIGN_OR_RETURN(const std::optional<std::string> identity, ReadMeta(schema::kMetaIdentity));
  if (!identity || identity->size() != identity_.size()) {
    return DataLoss("store: the identity is missing or damaged");
  }
  std::ranges::copy(*identity, identity_.begin());
  KINDRED_ASSIGN_OR_RETURN(totals_, view()->totals());
  KINDRED_ASSIGN_OR_RETURN(sequence_, view()->sequence());
  KINDRED_ASSIGN_OR_RETURN(molecule_scheme_, view()->ReadMoleculeScheme());
  KINDRED_ASSIGN_OR_RETURN(const std::optional<std::string> untagged, ReadMeta(schema::kMetaUntagged));
  tagged_ = !untagged.has_value();
  return absl::OkStatus();
}

absl::Status Store::CreateMeta(Level depth, const StoreIdentity& identity) {
  version_ = schema::kVersionWithoutScheme;
  depth_ = depth;
  identity_ = identity;
  tagged_ = false;
  rocksdb::WriteBatch batch;
  for (const auto& [name, value] :
       {std::pair(schema::kMetaSchema, Fixed32(schema::kVersionWithoutScheme)),
        std::pair(schema::kMetaDepth, Fixed32(depth)),
        std::pair(schema::kMetaIdentity, std::string(identity.data(), identity.size())),
        std::pair(schema::kMetaSequence, Fixed64(0)), std::pair(schema::kMetaTotals, EncodeTotals({})),
        std::pair(schema::kMetaUntagged, std::string())}) {
    KINDRED_RETURN_IF_ERROR(FromRocks(batch.Put(family(Family::kMeta), name, value), "create"));
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  KINDRED_RETURN_IF_ERROR(FromRocks(db().Write(options, &batch), "create"));
  // Out of the log: who loses the log still knows what was lost.
  return FromRocks(db().Flush(rocksdb::FlushOptions(), family(Family::kMeta)), "create");
}

absl::StatusOr<std::optional<std::string>> Store::ReadMeta(std::string_view name) const {
  std::string value;
  const rocksdb::Status status = db().Get(rocksdb::ReadOptions(), family(Family::kMeta), name, &value);
  if (status.IsNotFound()) {
    return std::nullopt;
  }
  KINDRED_RETURN_IF_ERROR(FromRocks(status, "read of meta"));
  return value;
}

std::shared_ptr<const StoreView> Store::view() const { return std::make_shared<StoreView>(*this); }

absl::Status Store::Commit(CommitBatch& batch) {
  batch.Close();
  batch_bytes_ = batch.batch_.GetDataSize();
  KINDRED_RETURN_IF_ERROR(gate_->Admit(batch.batch_.GetDataSize()));
  rocksdb::WriteOptions options;
  options.sync = true;
  absl::Status status = FromRocks(db().Write(options, &batch.batch_), "commit");
  if (status.ok()) {
    status = witness_->Advance(batch.sequence_);
  }
  if (!status.ok()) {
    gate_->Fail(status);
    return status;
  }
  committed_bytes_.fetch_add(batch.batch_.GetDataSize(), std::memory_order_relaxed);
  sequence_ = batch.sequence_;
  totals_ = batch.totals_;
  molecule_scheme_ = batch.molecule_scheme_;
  tagged_ = batch.tagged_;
  writes_since_past_ += batch.batch_.Count();
  if (writes_since_past_ >= kWritesBeforeTidying) {
    Tidy();
  }
  return absl::OkStatus();
}

void Store::Settle() {
  Tidy();
  uint64_t buffered = 0;
  db().GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &buffered);
  if (buffered >= kBytesWorthATable && gate_->Admit(buffered).ok()) {
    // A failure is the gate's to tell (WriteGate::OnBackgroundError); what is in the log is safe.
    db().Flush(rocksdb::FlushOptions(), database_->families()).PermitUncheckedError();
  }
}

absl::Status Store::Flush() {
  uint64_t buffered = 0;
  db().GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &buffered);
  KINDRED_RETURN_IF_ERROR(gate_->Admit(buffered));
  return FromRocks(db().Flush(rocksdb::FlushOptions(), database_->families()), "flush");
}

absl::Status Store::CompactTables(std::atomic<bool>& cancelled) {
  KINDRED_RETURN_IF_ERROR(Flush());
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // Where the last level is one that holds what was replaced, too.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  options.canceled = &cancelled;
  for (rocksdb::ColumnFamilyHandle* const family : database_->families()) {
    const rocksdb::Status status = db().CompactRange(options, family, nullptr, nullptr);
    if (status.IsManualCompactionPaused() || cancelled) {
      return absl::CancelledError("the compaction was given up");
    }
    KINDRED_RETURN_IF_ERROR(FromRocks(status, "compaction"));
  }
  return absl::OkStatus();
}

absl::StatusOr<BackupDirectory> Store::OpenBackups(const std::string& path) const {
  return BackupDirectory::Open(path, *db().GetEnv()->GetFileSystem());
}

absl::StatusOr<std::unique_ptr<LiveFiles>> Store::Capture() {
  KINDRED_RETURN_IF_ERROR(gate_->Admit(0));
  return LiveFiles::Capture(db(), {identity_, sequence_, totals_});
}

void Store::Tidy() {
  if (std::exchange(writes_since_past_, 0) > 0) {
    past_ = std::make_unique<const Past>(db());  // The new one first: there is always one.
  }
}

}  // namespace kindred
