// What RocksDB 7.8 uses of a table before it knows whether it is whole. The footer names the kind of the
// table's checksums, and has none itself: one changed byte there, and none are checked any more. It names the
// place of the index, and memory is taken for an index of any size. The block of properties is interpreted
// first and checked afterwards, and where it makes no sense an assertion ends the process. Looked at here
// before RocksDB opens the table.

#pragma once

#include <string>

#include "absl/status/status.h"
#include "rocksdb/env.h"

namespace kindred {

// Of all tables in the directory of a database. DATA_LOSS, naming the table. What is too short, or no table
// at all, passes: that RocksDB finds out by itself, if it is one of its own.
absl::Status CheckTableEnds(const std::string& db_path, rocksdb::Env& env);

}  // namespace kindred
