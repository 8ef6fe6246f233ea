// Reads the records of any format whose records can be told apart before they are parsed: parses them on all
// cores, and gives them out in their order.
//
// The records of one batch are parsed while those of the batch before are taken by the caller.
//
//     caller     | takes batch 1 | takes batch 2 | ...
//     background | reads, parses 2 | reads, parses 3 | ...
//
// On a pipe or terminal a batch ends with the records that are there, so that nobody waits for some to come.
//
// Threads: one caller at a time. The parse function is called from several threads at once.
// Memory: two batches, each of at most kBatchBytesMax and one record more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "client/formats/raw_records.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

// Enough records for each thread that starting it costs nothing to speak of (a molecule takes about 100 us).
inline constexpr size_t kBatchRecordsPerThread = 256;
inline constexpr size_t kBatchBytesMax = size_t{4} << 20;

class ParallelReader : public RecordReader {
 public:
  // The record of a text, or nothing when it is none (a blank line, a comment). Throws nothing.
  using Parse = std::function<std::optional<ReadResult>(uint64_t position, std::string_view text)>;

  // As many threads as there are cores when `threads` is 0.
  ParallelReader(std::unique_ptr<RawRecords> records, Parse parse, unsigned threads = 0);

  std::optional<ReadResult> Next() override;

 private:
  // One entry a raw record; empty at the end of the input.
  using Batch = std::vector<std::optional<ReadResult>>;

  void TakeBatch();
  Batch PrepareBatch();
  std::vector<RawRecord> ReadRaw();
  std::optional<ReadResult> ParseOne(const RawRecord& record) const;

  const std::unique_ptr<RawRecords> records_;
  const Parse parse_;
  const unsigned threads_;

  Batch batch_;
  size_t taken_ = 0;
  bool at_end_ = false;
  // Uses the members above, and is destroyed (which waits for it) before them.
  std::future<Batch> upcoming_;
};

}  // namespace kindred::formats
