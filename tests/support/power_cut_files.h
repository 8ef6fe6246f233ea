// The files and directories that a PowerCutFileSystem hands out: each tells it of what is done to it.
//
// Threads: as RocksDB's own.

#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/power_cut_file_system.h"

namespace kindred::test {

// What of a file survives.
struct PowerCutFileSystem::Bytes {
  struct Overwrite {
    uint64_t offset;
    std::string before;
  };
  uint64_t size = 0;
  uint64_t synced = 0;
  std::vector<Overwrite> unsynced;
};

class CutWritableFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  CutWritableFile(std::unique_ptr<rocksdb::FSWritableFile> file, PowerCutFileSystem& files,
                  std::shared_ptr<PowerCutFileSystem::Bytes> bytes)
      : FSWritableFileOwnerWrapper(std::move(file)), files_(files), bytes_(std::move(bytes)) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    const bool was_cut = files_.is_cut();
    const rocksdb::IOStatus step = files_.Step();
    if (was_cut) {
      return step;
    }
    // The append at which the power goes may have reached the disk, too.
    const rocksdb::IOStatus done = target()->Append(data, options, debug);
    files_.NoteAppend(*bytes_, data.size());
    return step.ok() ? done : step;
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo&, rocksdb::IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  // Nothing is really synced: the power that is cut is not the machine's.
  rocksdb::IOStatus Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    const rocksdb::IOStatus step = files_.Step();
    if (step.ok()) {
      files_.NoteSync(*bytes_);
    }
    return step;
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return Sync(options, debug);
  }
  rocksdb::IOStatus RangeSync(uint64_t, uint64_t, const rocksdb::IOOptions&,
                              rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }

 private:
  PowerCutFileSystem& files_;
  const std::shared_ptr<PowerCutFileSystem::Bytes> bytes_;
};

class CutRandomRWFile : public rocksdb::FSRandomRWFileOwnerWrapper {
 public:
  CutRandomRWFile(std::unique_ptr<rocksdb::FSRandomRWFile> file, PowerCutFileSystem& files,
                  std::shared_ptr<PowerCutFileSystem::Bytes> bytes)
      : FSRandomRWFileOwnerWrapper(std::move(file)), files_(files), bytes_(std::move(bytes)) {}

  rocksdb::IOStatus Write(uint64_t offset, const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override {
    const bool was_cut = files_.is_cut();
    const rocksdb::IOStatus step = files_.Step();
    if (was_cut) {
      return step;
    }
    std::string scratch(data.size(), '\0');
    rocksdb::Slice before;
    rocksdb::IOStatus done = Read(offset, data.size(), options, &before, scratch.data(), debug);
    KINDRED_CHECK(done.ok() && before.size() == data.size());  // It does not grow.
    files_.NoteOverwrite(*bytes_, offset, before.ToString());
    done = FSRandomRWFileOwnerWrapper::Write(offset, data, options, debug);
    return step.ok() ? done : step;
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    const rocksdb::IOStatus step = files_.Step();
    if (step.ok()) {
      files_.NoteSync(*bytes_);
    }
    return step;
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return Sync(options, debug);
  }

 private:
  PowerCutFileSystem& files_;
  const std::shared_ptr<PowerCutFileSystem::Bytes> bytes_;
};

class CutDirectory : public rocksdb::FSDirectoryWrapper {
 public:
  CutDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, PowerCutFileSystem& files, std::string path)
      : FSDirectoryWrapper(std::move(directory)), files_(files), path_(std::move(path)) {}

  rocksdb::IOStatus Fsync(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    const rocksdb::IOStatus step = files_.Step();
    if (step.ok()) {
      files_.NoteDirectorySync(path_);
    }
    return step;
  }
  rocksdb::IOStatus FsyncWithDirOptions(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug,
                                        const rocksdb::DirFsyncOptions&) override {
    return Fsync(options, debug);
  }

 private:
  PowerCutFileSystem& files_;
  const std::string path_;
};

}  // namespace kindred::test
