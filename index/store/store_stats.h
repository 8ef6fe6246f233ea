// What a store takes and what RocksDB is busy with, at one moment.

#pragma once

#include <cstdint>

namespace kindred {

struct StoreStats {
  uint64_t disk_bytes = 0;  // All files of the data directory.
  uint64_t log_bytes = 0;   // Of these, RocksDB's write-ahead logs: what a start after a kill reads again.
  uint64_t free_bytes = 0;  // Of the disk; 0 where it does not tell.
  bool failed = false;      // A write failed, and no more are taken until a restart.
  bool short_of_space = false;  // Writes are refused until the disk has more than the reserve.

  uint64_t committed_bytes = 0;  // Handed to RocksDB by commits since the start.
  uint64_t buffer_bytes = 0;     // Written, and not in a table yet.
  uint64_t full_buffers = 0;     // Of these, buffers that wait to be flushed.
  uint64_t table_bytes = 0;      // Tables in use.
  uint64_t level0_tables = 0;    // Not compacted yet.
  uint64_t pending_compaction_bytes = 0;
  uint64_t running_flushes = 0;
  uint64_t running_compactions = 0;
  uint64_t block_cache_bytes = 0;
  uint64_t table_reader_bytes = 0;  // Indexes and filters of open tables.
  uint64_t background_errors = 0;   // Since the start.
};

}  // namespace kindred
