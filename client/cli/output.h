// Where an answer goes: standard output or a file.
//
// A file appears under its name only when it is complete: until Close it is written beside it, as
// NAME.part. What is not an ordinary file (a device, a pipe, a link) is written directly.
//
// Threads: one caller at a time.

#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kindred::cli {

class Output {
 public:
  // Standard output; not closed in the end, only flushed.
  explicit Output(FILE* standard) : file_(standard) {}

  // `path` "-" is `standard`.
  static absl::StatusOr<Output> Open(const std::string& path, FILE* standard);

  // Without Close a file of ours is removed again.
  ~Output();
  Output(Output&& other) noexcept;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  absl::Status Write(std::string_view text);
  absl::Status Flush();
  absl::Status Close();

  // Whether the answer goes to standard output.
  bool is_standard() const { return path_.empty(); }

 private:
  Output(FILE* file, std::string path, std::string part_path)
      : file_(file), path_(std::move(path)), part_path_(std::move(part_path)) {}

  absl::Status Failure() const;

  FILE* file_;
  std::string path_;       // Empty: standard output.
  std::string part_path_;  // Empty: written directly.
};

// Whether a write failed because the reader of our output has left (`kindred export | head`).
bool IsReaderGone(const absl::Status& status);

}  // namespace kindred::cli
