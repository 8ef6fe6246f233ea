// The bytes of an input that are read but not used yet, for whoever takes it apart.
//
// Threads: one caller at a time.
// Memory: what is not used, and a block.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "client/formats/archive_source.h"

namespace kindred::formats {

class BlockBuffer {
 public:
  explicit BlockBuffer(std::unique_ptr<ArchiveSource> source) : source_(std::move(source)) {}

  const ArchiveSource& source() const { return *source_; }

  // Read, but not used; good until the next Fill.
  std::string_view bytes() const { return std::string_view(buffer_).substr(begin_); }
  void Use(size_t bytes) { begin_ += bytes; }

  // Reads one more block behind what is there; false at the end or on an error.
  bool Fill();

  bool at_end() const { return at_end_; }
  // Why the input cannot be read further; OK at its proper end.
  const absl::Status& error() const { return error_; }

 private:
  std::unique_ptr<ArchiveSource> source_;
  std::string buffer_;
  size_t begin_ = 0;
  bool at_end_ = false;
  absl::Status error_;
};

}  // namespace kindred::formats
