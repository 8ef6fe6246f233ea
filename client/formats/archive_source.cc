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

// How much is read from the file at once: beyond this, larger blocks read no faster.
constexpr size_t kReadBytes = 256 * 1024;

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
  // Not filter_all and format_all: those also take text for an encoding (uuencode, mtree) and start programs.
  archive_read_support_filter_gzip(archive_);
  archive_read_support_filter_xz(archive_);
  archive_read_support_filter_zstd(archive_);
  archive_read_support_filter_bzip2(archive_);
  archive_read_support_format_tar(archive_);
  archive_read_support_format_zip_streamable(archive_);
  archive_read_support_format_raw(archive_);
  archive_read_support_format_empty(archive_);
  if (archive_read_open_fd(archive_, fd_, kReadBytes) != ARCHIVE_OK) return Failure();
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

absl::StatusOr<std::optional<std::string>> ArchiveSource::NextFile() {
  while (true) {
    if (!entry_is_new_) {
      const absl::Status next = NextHeader();
      if (!next.ok()) return next;
    }
    if (entry_ == nullptr) return std::nullopt;
    entry_is_new_ = false;
    const char* path = archive_entry_pathname(entry_);
    if (path != nullptr && archive_entry_filetype(entry_) == AE_IFREG) return std::string(path);
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
      return absl::DataLossError(fmt::format("cannot read '{}': a file in it has holes", name_));
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
  return absl::DataLossError(
      fmt::format("cannot read '{}': {}", name_, reason != nullptr ? reason : "damaged input"));
}

}  // namespace kindred::formats
