// Whether a data directory that no one serves, a backup or a restored one, is the store it should be: looked
// at without changing anything in it.

#pragma once

#include <string>

#include "absl/status/status.h"
#include "index/store/live_files.h"
#include "rocksdb/env.h"

namespace kindred {

// Opens the database read-only, as a start would, and compares what it and its witness say with `expected`.
// DATA_LOSS: they differ, or a file is damaged or missing. That each table is whole is not looked at.
absl::Status CheckStore(const std::string& directory, const StoreState& expected, rocksdb::Env& env);

}  // namespace kindred
