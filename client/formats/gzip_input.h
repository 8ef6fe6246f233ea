// The bytes behind a file descriptor; those of gzip data, told by their content, decompressed.
//
// libarchive reads gzip as well, but does not compare the checksum and the length at its end (as of 3.6), so
// that damage could go unnoticed. zlib does.
//
// Threads: one caller at a time.
// Errors: damage, truncation, anything but zeros behind the data, and what read(2) reports. Nothing can be
//         read behind an error.

#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kindred::formats {

class GzipInput {
 public:
  // The descriptor stays the caller's.
  explicit GzipInput(int fd);
  ~GzipInput();
  GzipInput(const GzipInput&) = delete;
  GzipInput& operator=(const GzipInput&) = delete;

  // The next bytes, good until the next call; empty at the end. Waits for a pipe only until it has some.
  absl::StatusOr<std::string_view> NextBlock();

 private:
  enum class State { kStart, kPlain, kInMember, kBetweenMembers, kEnd };

  // Reads behind what is not yet used, until that has `bytes_min` bytes or the input ends.
  absl::Status Fill(size_t bytes_min);
  absl::Status StartMember();
  absl::StatusOr<std::string_view> Inflate();
  // What comes behind a member: another one, or the end.
  absl::Status EndMember();

  const int fd_;
  State state_ = State::kStart;
  bool at_end_ = false;
  std::string read_;
  std::string_view unused_;
  z_stream inflater_ = {};
  std::string inflated_;
};

}  // namespace kindred::formats
