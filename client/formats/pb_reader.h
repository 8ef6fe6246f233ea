// Reads records as `kindred convert` writes them: each a length and a serialised v1::Record
// (docs/formats.md), whatever the whole is compressed with.
//
// NextEncoded passes the bytes on without a look into them, unless edge labels are to be left out: the daemon
// finds out whether they are a record. Next parses them. The position of a record is its number.
//
// Threads: one caller at a time.
// Errors: bytes that are no record are one bad record, and reading goes on behind it. A length that cannot be
//         true, an end within a record, and an input that cannot be read further are one bad record, and the
//         last: nothing tells where the next one would begin.
// Memory: at most the longest record allowed and a block.

#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "client/formats/archive_source.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

// What the daemon takes in one message by default (message_bytes_max): a longer one could not be sent.
inline constexpr size_t kRecordBytesMax = size_t{16} << 20;

// Refuses an archive of several files.
absl::StatusOr<std::unique_ptr<RecordReader>> OpenPbReader(std::unique_ptr<ArchiveSource> source,
                                                           const ReadOptions& options);

}  // namespace kindred::formats
