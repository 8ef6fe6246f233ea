// Writes records for pb_reader.h: each a length and a serialised v1::Record, all of it compressed with
// Zstandard or not. The compressed bytes end in a checksum, so that damage is noticed when they are read.
//
// Threads: one caller at a time.
// Cost: gathers kPendingBytes before it compresses or writes.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"

struct ZSTD_CCtx_s;

namespace kindred::formats {

class PbWriter {
 public:
  // Takes what is to be written next; its error is what Add or Finish return.
  using Sink = std::function<absl::Status(std::string_view)>;

  PbWriter(bool compress, Sink sink);
  ~PbWriter();
  PbWriter(const PbWriter&) = delete;
  PbWriter& operator=(const PbWriter&) = delete;

  // A serialised v1::Record; whether it is one is not checked.
  absl::Status Add(std::string_view record);

  // Call it once, last: without it the file is not complete.
  absl::Status Finish();

 private:
  absl::Status Flush(bool is_last);
  absl::Status Compress(bool is_last);

  const Sink sink_;
  const std::unique_ptr<ZSTD_CCtx_s, size_t (*)(ZSTD_CCtx_s*)> compressor_;  // Null: not compressed.
  std::string pending_;
  std::string compressed_;
};

}  // namespace kindred::formats
