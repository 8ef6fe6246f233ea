// Whether the store may be written to: not after a failure, and not when the disk is nearly full.
//
// A full disk is worse than a refused write: RocksDB of Debian 12 is built with assertions, and may end the
// process where a flush or a compaction finds no space. So commits stop while some space is left.
//
// Threads: any.
// Invariants: (1) after Fail nothing is admitted any more, until a restart; (2) each change of state is
// reported
//             once.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "index/store/store_options.h"
#include "rocksdb/listener.h"

namespace kindred {

class WriteGate final : public rocksdb::EventListener {
 public:
  // `path`: a directory of the disk that is written to.
  WriteGate(const StoreOptions& options, std::string path);

  // OK: so many bytes may be written now. RESOURCE_EXHAUSTED: the disk would have less than the reserve left;
  // this ends by itself when there is space again. Else an earlier failure.
  absl::Status Admit(uint64_t bytes);

  // The first failure counts.
  void Fail(const absl::Status& cause);

  bool failed() const { return !failure().ok(); }
  bool short_of_space() const { return short_of_space_.load(); }

  // What RocksDB fails to do in the background. It is not asked to try again.
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override;
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason reason, rocksdb::Status error,
                            bool* auto_recovery) override;

 private:
  absl::Status failure() const;
  void Report(const std::string& line) const;

  rocksdb::Env& env_;
  const std::string path_;
  const uint64_t reserve_bytes_;
  const StoreReporter report_;
  std::atomic<bool> short_of_space_{false};
  mutable std::mutex mutex_;
  absl::Status failure_;
};

}  // namespace kindred
