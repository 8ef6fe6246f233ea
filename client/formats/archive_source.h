// The bytes of a file or of standard input, decompressed; or, of an archive, the bytes of each file in it.
//
// What the input is (gzip, xz, zstd, bzip2 or not compressed; tar, zip or one file) is told by its content,
// never by its name. Nothing is written to disk.
//
// Threads: one caller at a time.
// Errors: opening fails for an input that is missing, unreadable, a directory, or damaged in its first block.
//         Damage or truncation further on gives an error at the block where it is noticed, and nothing can
//         be read behind it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/formats/gzip_input.h"

struct archive;
struct archive_entry;

namespace kindred::formats {

class ArchiveSource {
 public:
  // Opens `path`; "-" is standard input.
  static absl::StatusOr<std::unique_ptr<ArchiveSource>> Open(const std::string& path);

  ~ArchiveSource();
  ArchiveSource(const ArchiveSource&) = delete;
  ArchiveSource& operator=(const ArchiveSource&) = delete;

  // As given to Open, or "standard input".
  const std::string& name() const { return name_; }

  // Whether the input is an archive (tar, zip) of files, rather than one file.
  bool is_archive() const { return is_archive_; }
  // For formats of one file: says of an archive that it is none.
  absl::Status CheckIsOneFile() const;

  // Goes to the next file of an archive and gives its path in there; nothing behind the last.
  absl::StatusOr<std::optional<std::string>> NextFile();

  // The next bytes of the file, good until the next call; empty at its end. Waits for a pipe only until
  // it has some bytes. Of an archive: the file last gone to.
  absl::StatusOr<std::string_view> NextBlock();

  // Whether bytes of a pipe or terminal are there already (always true of a file).
  bool Ready() const;

 private:
  ArchiveSource(std::string name, int fd) : name_(std::move(name)), fd_(fd), input_(fd) {}

  absl::Status OpenArchive();
  absl::Status NextHeader();
  // To the end, behind the end of an archive: only there gzip's checksum is compared.
  absl::Status ReadRest();
  // What libarchive last said, or a reason of our own.
  absl::Status Failure() const;
  absl::Status Failure(std::string_view reason) const;

  std::string name_;
  const int fd_;
  GzipInput input_;
  archive* archive_ = nullptr;
  // The file at hand, and whether NextFile has still to tell of it; null at the end.
  archive_entry* entry_ = nullptr;
  bool entry_is_new_ = false;
  bool is_archive_ = false;
  int64_t file_bytes_read_ = 0;
};

}  // namespace kindred::formats
