// Colours that no graph wears any more leave the store.

#include <string>
#include <utility>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/store/codec.h"
#include "index/store/rocks_status.h"
#include "index/store/store.h"
#include "index/store/store_view.h"
#include "rocksdb/write_batch.h"

namespace kindred {

using schema::Family;

namespace {

// Rows of so many bytes are written at a time.
constexpr size_t kBatchBytes = 4 << 20;

struct ReclaimedRow {
  std::string value;
  uint64_t reclaimed = 0;
};

absl::StatusOr<ReclaimedRow> WithoutColours(ColourId first, std::string_view value,
                                            const std::function<bool(ColourId)>& keep) {
  ReclaimedRow row;
  const auto copy = [&](ColourId colour, std::string_view signature) {
    const bool goes = !signature.empty() && !keep(colour);
    row.reclaimed += goes ? 1 : 0;
    AppendBytes(row.value, goes ? std::string_view() : signature);
    return absl::OkStatus();
  };
  KINDRED_RETURN_IF_ERROR(ForEachSignature(first, value, copy));
  return row;
}

}  // namespace

absl::StatusOr<uint64_t> Store::ReclaimColours(const std::function<bool(ColourId)>& keep) {
  uint64_t reclaimed = 0;
  rocksdb::WriteBatch batch;
  const auto write = [&]() -> absl::Status {
    KINDRED_RETURN_IF_ERROR(gate_->Admit(batch.GetDataSize()));
    rocksdb::WriteOptions options;
    options.sync = true;
    KINDRED_RETURN_IF_ERROR(FromRocks(db().Write(options, &batch), "reclaim of colours"));
    batch.Clear();
    return absl::OkStatus();
  };
  const auto rewrite = [&](std::string_view key, std::string_view value) -> absl::Status {
    if (key.size() != 4) {
      return DataLoss("store: a key of colours has the wrong length");
    }
    KINDRED_ASSIGN_OR_RETURN(const ReclaimedRow row,
                             WithoutColours(ColourId{Decoder(key).Fixed32()}, value, keep));
    if (row.reclaimed == 0) {
      return absl::OkStatus();
    }
    reclaimed += row.reclaimed;
    KINDRED_RETURN_IF_ERROR(
        FromRocks(batch.Put(family(Family::kColours), key, row.value), "reclaim of colours"));
    return batch.GetDataSize() < kBatchBytes ? absl::OkStatus() : write();
  };
  KINDRED_RETURN_IF_ERROR(view()->ForEachRow(Family::kColours, "", "", rewrite));
  KINDRED_RETURN_IF_ERROR(write());
  writes_since_past_ += reclaimed;
  return reclaimed;
}

}  // namespace kindred
