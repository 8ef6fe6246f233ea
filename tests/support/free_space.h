// A disk that says it has as much free space as a test wants.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace kindred::test {

class FreeSpace {
 public:
  FreeSpace() : files_(std::make_shared<Files>()), env_(rocksdb::NewCompositeEnv(files_)) {}

  void Set(uint64_t bytes) { files_->free = bytes; }
  rocksdb::Env* env() { return env_.get(); }

 private:
  struct Files : rocksdb::FileSystemWrapper {
    Files() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
    const char* Name() const override { return "FreeSpace"; }
    rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, uint64_t* bytes,
                                   rocksdb::IODebugContext*) override {
      *bytes = free;
      return rocksdb::IOStatus::OK();
    }
    std::atomic<uint64_t> free{UINT64_MAX};
  };

  const std::shared_ptr<Files> files_;
  const std::unique_ptr<rocksdb::Env> env_;
};

}  // namespace kindred::test
