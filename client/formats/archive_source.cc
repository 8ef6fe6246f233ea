#include "client/formats/archive_source.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

absl::StatusOr<int> OpenDescriptor(const std::string& path) {
  if (path == "-") return STDIN_FILENO;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return absl::ErrnoToStatus(errno, fmt::format("cannot open '{}'", path));
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(fd);
    return absl::FailedPreconditionError(fmt::format("cannot read '{}': it is a directory", path));
  }
  return fd;
}

// What libarchive calls for more bytes.
la_ssize_t ReadInput(archive* archive, void* input, const void** bytes) {
  const absl::StatusOr<std::string_view> block = static_cast<GzipInput*>(input)->NextBlock();
  if (!block.ok()) {
    archive_set_error(archive, EIO, "%s", std::string(block.status().message()).c_str());
    return ARCHIVE_FATAL;
  }
  *bytes = block->data();
  return static_cast<la_ssize_t>(block->size());
}

}  // namespace

absl::StatusOr<std::unique_ptr<ArchiveSource>> ArchiveSource::Open(const std::string& path) {
  const absl::StatusOr<int> fd = OpenDescriptor(path);
  if (!fd.ok()) return fd.status();
  std::unique_ptr<ArchiveSource> source(new ArchiveSource(path == "-" ? "standard input" : path, *fd));
  const absl::Status opened = source->OpenArchive();
  if (!opened.ok()) return opened;
  return source;
}

ArchiveSource::~ArchiveSource() {
  if (archive_ != nullptr) archive_read_free(archive_);
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

absl::Status ArchiveSource::OpenArchive() {
  archive_ = archive_read_new();
  if (archive_ == nullptr) return absl::ResourceExhaustedError("no memory for an archive reader");
  // Gzip is read by input_. Not filter_all and format_all: those also take text for an encoding (uuencode,
  // mtree) and start programs.
  archive_read_support_filter_xz(archive_);
  archive_read_support_filter_zstd(archive_);
  archive_read_support_filter_bzip2(archive_);
  archive_read_support_format_tar(archive_);
  archive_read_support_format_zip_streamable(archive_);
  archive_read_support_format_raw(archive_);
  archive_read_support_format_empty(archive_);
  if (archive_read_open(archive_, &input_, nullptr, ReadInput, nullptr) != ARCHIVE_OK) return Failure();
  const absl::Status first = NextHeader();
  if (!first.ok()) return first;
  const int family = archive_format(archive_) & ARCHIVE_FORMAT_BASE_MASK;
  is_archive_ = family == ARCHIVE_FORMAT_TAR || family == ARCHIVE_FORMAT_ZIP;
  return absl::OkStatus();
}

absl::Status ArchiveSource::NextHeader() {
  entry_ = nullptr;
  file_bytes_read_ = 0;
  archive_entry* entry = nullptr;
  const int outcome = archive_read_next_header(archive_, &entry);
  if (outcome == ARCHIVE_EOF) return absl::OkStatus();
  if (outcome < ARCHIVE_WARN) return Failure();
  entry_ = entry;
  entry_is_new_ = true;
  return absl::OkStatus();
}

absl::Status ArchiveSource::CheckIsOneFile() const {
  if (!is_archive_) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("'{}' is an archive of files: from an archive only a TU data set is read", name_));
}

absl::StatusOr<std::optional<std::string>> ArchiveSource::NextFile() {
  while (true) {
    if (!entry_is_new_) {
      const absl::Status next = NextHeader();
      if (!next.ok()) return next;
    }
    if (entry_ == nullptr) {
      const absl::Status rest = ReadRest();
      if (!rest.ok()) return rest;
      return std::nullopt;
    }
    entry_is_new_ = false;
    const char* path = archive_entry_pathname(entry_);
    if (path != nullptr && archive_entry_filetype(entry_) == AE_IFREG) return std::string(path);
  }
}

absl::Status ArchiveSource::ReadRest() {
  while (true) {
    const absl::StatusOr<std::string_view> block = input_.NextBlock();
    if (!block.ok()) return Failure(std::string(block.status().message()));
    if (block->empty()) return absl::OkStatus();
  }
}

absl::StatusOr<std::string_view> ArchiveSource::NextBlock() {
  while (entry_ != nullptr) {
    const void* bytes = nullptr;
    size_t size = 0;
    int64_t offset = 0;
    const int outcome = archive_read_data_block(archive_, &bytes, &size, &offset);
    if (outcome == ARCHIVE_EOF) break;
    if (outcome < ARCHIVE_WARN) return Failure();
    if (size == 0) continue;
    if (offset != file_bytes_read_) {
      return Failure("a file in it has holes");
    }
    file_bytes_read_ += static_cast<int64_t>(size);
    return std::string_view(static_cast<const char*>(bytes), size);
  }
  return std::string_view();
}

bool ArchiveSource::Ready() const {
  pollfd descriptor{fd_, POLLIN, 0};
  return ::poll(&descriptor, 1, 0) != 0;
}

absl::Status ArchiveSource::Failure() const {
  const char* reason = archive_error_string(archive_);
  return Failure(reason != nullptr ? reason : "damaged input");
}

absl::Status ArchiveSource::Failure(std::string_view reason) const {
  return absl::DataLossError(fmt::format("cannot read '{}': {}", name_, reason));
}

}  // namespace kindred::formats
