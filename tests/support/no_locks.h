// A file system without locks of files: a store that was abandoned after a failure (database.h) keeps
// RocksDB's own lock, and a test opens the directory again in the same process. The data directory has a lock
// of its own.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace kindred::test {

class NoLocks : public rocksdb::FileSystemWrapper {
 public:
  NoLocks() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}

  const char* Name() const override { return "NoLocks"; }
  rocksdb::IOStatus LockFile(const std::string&, const rocksdb::IOOptions&, rocksdb::FileLock** lock,
                             rocksdb::IODebugContext*) override {
    *lock = new rocksdb::FileLock;
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus UnlockFile(rocksdb::FileLock* lock, const rocksdb::IOOptions&,
                               rocksdb::IODebugContext*) override {
    delete lock;
    return rocksdb::IOStatus::OK();
  }
};

// One for all: it outlives whatever was abandoned.
inline rocksdb::Env* EnvWithoutLocks() {
  static rocksdb::Env* const env = rocksdb::NewCompositeEnv(std::make_shared<NoLocks>()).release();
  return env;
}

}  // namespace kindred::test
