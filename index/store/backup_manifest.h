// What a backup consists of: the file `manifest` beside its data, written last. docs/formats.md draws it.
//
// Text, so that people can read it, in one form only: what comes back from Decode is what Encode wrote, or
// the answer is DATA_LOSS.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/store/file_copy.h"
#include "index/store/totals.h"
#include "index/store/witness.h"

namespace kindred {

struct BackupManifest {
  struct File {
    std::string name;  // "witness", or "db/" and a plain name.
    FileFingerprint fingerprint;
    // RocksDB's name for a table among all there ever were, in hexadecimal; empty: it is none, or has none.
    std::string table_id;

    friend bool operator==(const File&, const File&) = default;
  };

  std::string created;  // 2026-11-17T23:05:26Z
  StoreIdentity identity{};
  CommitSequence sequence{};
  Totals totals;
  std::vector<File> files;

  uint64_t bytes() const;

  friend bool operator==(const BackupManifest&, const BackupManifest&) = default;
};

std::string EncodeManifest(const BackupManifest& manifest);
absl::StatusOr<BackupManifest> DecodeManifest(std::string_view bytes);

// The time now, as a manifest has it.
std::string TimeOfBackup();

}  // namespace kindred
