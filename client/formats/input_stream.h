// The lines of a text file or of standard input, whatever it is compressed with.
//
// A line ends in "\n" or "\r\n"; the last may lack it. A byte order mark before the first is dropped.
//
// Threads: one caller at a time.
// Errors: a line longer than kLineBytesMax is one bad line, and reading goes on behind it. An input that
//         cannot be read further (damaged, truncated) is one bad line, and the last: the piece of a line
//         before the damage is not given out.
// Memory: at most the longest line allowed and a block.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/formats/archive_source.h"
#include "client/formats/block_buffer.h"

namespace kindred::formats {

// Four times what the daemon takes in one message (4 MiB), since JSON is wider than a message.
inline constexpr size_t kLineBytesMax = size_t{16} << 20;

struct Line {
  // Counted from 1.
  uint64_t number = 0;
  // Without its end.
  absl::StatusOr<std::string> text;
};

class InputStream {
 public:
  // "-" is standard input. Refuses an archive of several files.
  static absl::StatusOr<std::unique_ptr<InputStream>> Open(const std::string& path);
  static absl::StatusOr<std::unique_ptr<InputStream>> Open(std::unique_ptr<ArchiveSource> source);

  const std::string& name() const { return buffer_.source().name(); }

  // The next line, or nothing at the end.
  std::optional<Line> NextLine();

  // What comes next, as far as it is read, from the first byte that is not white space; empty when there is
  // none. Only before the first line. Takes nothing away, and leaves an error to NextLine.
  std::string_view Peek();

  // False when NextLine would have to wait for a pipe or terminal.
  bool Ready() const;

 private:
  explicit InputStream(std::unique_ptr<ArchiveSource> source) : buffer_(std::move(source)) {}

  std::optional<Line> LastLine(bool is_too_long);

  BlockBuffer buffer_;
  uint64_t lines_ = 0;
  bool error_told_ = false;
};

}  // namespace kindred::formats
