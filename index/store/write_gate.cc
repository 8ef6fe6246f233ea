#include "index/store/write_gate.h"

#include <utility>

#include "index/base/status.h"
#include "index/store/database.h"
#include "index/store/rocks_status.h"
#include "rocksdb/env.h"

namespace kindred {

WriteGate::WriteGate(const StoreOptions& options, std::string path)
    : env_(EnvOf(options)),
      path_(std::move(path)),
      reserve_bytes_(options.disk_reserve_bytes),
      report_(options.report) {}

absl::Status WriteGate::Admit(uint64_t bytes) {
  KINDRED_RETURN_IF_ERROR(failure());
  uint64_t free = 0;
  if (reserve_bytes_ == 0 || !env_.GetFreeSpace(path_, &free).ok()) {
    return absl::OkStatus();  // Then the write itself will tell.
  }
  const bool is_short = free < reserve_bytes_ + bytes;
  if (short_of_space_.exchange(is_short) != is_short) {
    Report(is_short
               ? fmt::format("writes are refused: the disk of {} has {} bytes left, less than "
                             "disk_reserve_bytes = {} and a commit of {}; searches go on. Free some space",
                             path_, free, reserve_bytes_, bytes)
               : fmt::format("writes are taken again: the disk of {} has {} bytes left", path_, free));
  }
  if (is_short) {
    return MakeStatus(
        absl::StatusCode::kResourceExhausted,
        "the server's disk has {} bytes left, and disk_reserve_bytes = {} of them are kept free", free,
        reserve_bytes_);
  }
  return absl::OkStatus();
}

void WriteGate::Fail(const absl::Status& cause) {
  {
    const std::scoped_lock lock(mutex_);
    if (!failure_.ok()) {
      return;
    }
    const bool space = cause.code() == absl::StatusCode::kResourceExhausted;
    failure_ = MakeStatus(space ? cause.code() : absl::StatusCode::kUnavailable,
                          "store: an earlier write failed, so no more are taken; mend the cause and restart "
                          "({})",
                          std::string(cause.message()));
  }
  Report(fmt::format(
      "NO MORE WRITES: {}. Searches go on, and nothing acknowledged is lost. Mend the cause (for a "
      "full disk: free some space on the disk of {}), then restart kindredd",
      std::string(cause.message()), path_));
}

void WriteGate::OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) {
  // RocksDB tells of a commit that failed here, too.
  const bool commit = reason == rocksdb::BackgroundErrorReason::kWriteCallback;
  Fail(FromRocks(*error, commit ? "commit" : "flush or compaction"));
}

void WriteGate::OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) {
  *auto_recovery = false;
}

absl::Status WriteGate::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

void WriteGate::Report(const std::string& line) const {
  if (report_) {
    report_(line);
  }
}

}  // namespace kindred
