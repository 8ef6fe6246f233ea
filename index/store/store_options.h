// How a store is opened.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "index/base/ids.h"

namespace rocksdb {
class Env;
}  // namespace rocksdb

namespace kindred {

// Takes one line for the operator of a store. Called from any thread; must not block.
using StoreReporter = std::function<void(std::string_view)>;

struct StoreOptions {
  // For a new store (default kDepthDefault); for an existing one it must be the stored depth, if given.
  std::optional<Level> depth;
  // Opens a store that lost acknowledged commits, with what is there.
  bool accept_loss = false;
  // A commit that would leave less free on the disk is refused; 0: none is.
  uint64_t disk_reserve_bytes = 0;
  // What one family keeps in memory before it is flushed; tests make it small.
  uint64_t write_buffer_bytes = 16 << 20;
  // RocksDB compacts nothing before Store::StartCompactions: a start that reads everything has the disk and
  // the processors to itself.
  bool hold_compactions = false;
  // Whose files are read and written; nullptr: the machine's. Must outlive the store. Tests cut its power.
  rocksdb::Env* env = nullptr;
  StoreReporter report = nullptr;    // What went wrong.
  StoreReporter announce = nullptr;  // What an operator should know, though nothing is wrong.
};

}  // namespace kindred
