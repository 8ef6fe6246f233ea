// Reads every byte of a family's tables, so that RocksDB checks it, without walking through the rows: a start
// has no other use for some families, and this takes a fifth of the time. A backup checks its copies so.
//
// Threads: any, beside each other.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"

namespace kindred {

struct FamilyTables {
  std::vector<std::string> paths;
  // Nothing when tables alone do not tell: some rows were removed or written twice, or are not in tables.
  std::optional<uint64_t> row_count;
};

// REQUIRES: nothing was written since the store was opened, which left all rows in tables, and compactions
// are held, which would remove some.
absl::StatusOr<FamilyTables> TablesOf(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family);

// DATA_LOSS, naming the table, if any block is not what was written.
absl::Status CheckTable(const std::string& path, rocksdb::Env& env);

// RocksDB's name of a table among all there ever were, in hexadecimal; empty: it has none.
absl::StatusOr<std::string> TableId(const std::string& path, rocksdb::Env& env);

}  // namespace kindred
