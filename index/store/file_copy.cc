#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif

#include "index/store/file_copy.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "index/base/status.h"
#include "index/store/rocks_status.h"
#include "xxhash.h"

namespace kindred {
namespace {

constexpr size_t kCopyChunkBytes = 1 << 20;

// So much is handed to the disk at a time: a commit that syncs meanwhile need not wait for a whole table.
constexpr uint64_t kRangeSyncBytes = 8 << 20;

class Fingerprinter {
 public:
  Fingerprinter() { XXH3_64bits_reset(&state_); }

  void Add(const rocksdb::Slice& bytes) {
    XXH3_64bits_update(&state_, bytes.data(), bytes.size());
    bytes_ += bytes.size();
  }
  uint64_t bytes() const { return bytes_; }
  FileFingerprint result() const { return {bytes_, XXH3_64bits_digest(&state_)}; }

 private:
  XXH3_state_t state_;
  uint64_t bytes_ = 0;
};

// Gives `take` the first `bytes_max` of a file, piece by piece.
template <typename Take>
absl::Status ReadPieces(rocksdb::FileSystem& files, const std::string& path, uint64_t bytes_max,
                        bool from_disk, const Interrupt& interrupt, Take take) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  KINDRED_RETURN_IF_ERROR(
      FromFile(files.NewSequentialFile(path, rocksdb::FileOptions(), &file, nullptr), "open", path));
  if (from_disk) {
    file->InvalidateCache(0, 0).PermitUncheckedError();  // A wish, not a promise.
  }
  const rocksdb::IOOptions options;
  std::vector<char> scratch(kCopyChunkBytes);
  for (uint64_t left = bytes_max; left > 0;) {
    KINDRED_RETURN_IF_ERROR(interrupt.Check());
    rocksdb::Slice piece;
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(left, scratch.size()));
    KINDRED_RETURN_IF_ERROR(
        FromFile(file->Read(wanted, options, &piece, scratch.data(), nullptr), "read", path));
    if (piece.empty()) {
      break;
    }
    KINDRED_RETURN_IF_ERROR(take(piece));
    left -= piece.size();
  }
  return absl::OkStatus();
}

}  // namespace

FileFingerprint FingerprintOf(std::string_view bytes) {
  return {bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
}

absl::Status FromFile(const rocksdb::IOStatus& status, std::string_view doing, const std::string& path) {
  return FromRocks(status, fmt::format("{} of {}", doing, path));
}

absl::Status WriteSynced(rocksdb::FileSystem& files, const std::string& path, std::string_view bytes) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  KINDRED_RETURN_IF_ERROR(
      FromFile(files.NewWritableFile(path, rocksdb::FileOptions(), &file, nullptr), "creation", path));
  const rocksdb::IOOptions options;
  KINDRED_RETURN_IF_ERROR(FromFile(file->Append(bytes, options, nullptr), "write", path));
  KINDRED_RETURN_IF_ERROR(FromFile(file->Fsync(options, nullptr), "sync", path));
  return FromFile(file->Close(options, nullptr), "close", path);
}

absl::Status SyncDirectoryAt(rocksdb::FileSystem& files, const std::string& path) {
  std::unique_ptr<rocksdb::FSDirectory> directory;
  const rocksdb::IOOptions options;
  KINDRED_RETURN_IF_ERROR(FromFile(files.NewDirectory(path, options, &directory, nullptr), "open", path));
  return FromFile(directory->Fsync(options, nullptr), "sync", path);
}

absl::StatusOr<FileFingerprint> CopySynced(rocksdb::FileSystem& files, const std::string& from,
                                           const std::string& to, uint64_t bytes,
                                           const Interrupt& interrupt) {
  std::unique_ptr<rocksdb::FSWritableFile> copy;
  KINDRED_RETURN_IF_ERROR(
      FromFile(files.NewWritableFile(to, rocksdb::FileOptions(), &copy, nullptr), "creation", to));
  const rocksdb::IOOptions options;
  Fingerprinter read;
  uint64_t handed_over = 0;
  const auto append = [&](const rocksdb::Slice& piece) {
    read.Add(piece);
    KINDRED_RETURN_IF_ERROR(FromFile(copy->Append(piece, options, nullptr), "write", to));
    if (read.bytes() - handed_over >= kRangeSyncBytes) {
      copy->RangeSync(handed_over, read.bytes() - handed_over, options, nullptr).PermitUncheckedError();
      handed_over = read.bytes();
    }
    return absl::OkStatus();
  };
  KINDRED_RETURN_IF_ERROR(ReadPieces(files, from, bytes, /*from_disk=*/false, interrupt, append));
  if (read.bytes() != bytes) {
    return DataLoss("{} has {} bytes, not {}", from, read.bytes(), bytes);
  }
  KINDRED_RETURN_IF_ERROR(FromFile(copy->Fsync(options, nullptr), "sync", to));
  KINDRED_RETURN_IF_ERROR(FromFile(copy->Close(options, nullptr), "close", to));
  return read.result();
}

absl::StatusOr<FileFingerprint> ReadFingerprint(rocksdb::FileSystem& files, const std::string& path,
                                                const Interrupt& interrupt) {
  Fingerprinter read;
  KINDRED_RETURN_IF_ERROR(
      ReadPieces(files, path, UINT64_MAX, /*from_disk=*/true, interrupt, [&](const rocksdb::Slice& piece) {
        read.Add(piece);
        return absl::OkStatus();
      }));
  return read.result();
}

absl::StatusOr<std::string> ReadWhole(rocksdb::FileSystem& files, const std::string& path) {
  std::string bytes;
  KINDRED_RETURN_IF_ERROR(
      ReadPieces(files, path, UINT64_MAX, /*from_disk=*/false, Interrupt(), [&](const rocksdb::Slice& piece) {
        bytes.append(piece.data(), piece.size());
        return absl::OkStatus();
      }));
  return bytes;
}

absl::Status RemoveTree(rocksdb::FileSystem& files, const std::string& path) {
  const rocksdb::IOOptions options;
  std::vector<std::string> names;
  KINDRED_RETURN_IF_ERROR(FromFile(files.GetChildren(path, options, &names, nullptr), "listing", path));
  for (const std::string& name : names) {
    if (name == "." || name == "..") {
      continue;
    }
    const std::string child = fmt::format("{}/{}", path, name);
    std::error_code ignored;
    const bool directory = std::filesystem::is_directory(std::filesystem::symlink_status(child, ignored));
    KINDRED_RETURN_IF_ERROR(directory
                                ? RemoveTree(files, child)
                                : FromFile(files.DeleteFile(child, options, nullptr), "removal", child));
  }
  return FromFile(files.DeleteDir(path, options, nullptr), "removal", path);
}

}  // namespace kindred
