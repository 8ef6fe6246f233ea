// Where RocksDB tells of warnings and errors. A start begins it anew; that of the start before gets `.old`.
//
// Its own logger stops the process (an assertion, which Debian's build has) at the second line that a full
// disk does not take. This one drops what cannot be written.
//
// Threads: any.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/env.h"

namespace kindred {

// Says nothing when the file cannot be opened.
std::shared_ptr<rocksdb::Logger> OpenRocksLog(const std::string& file);

}  // namespace kindred
