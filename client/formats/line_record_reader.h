// Reads a format that has one record a line: lines are parsed on all cores, and given out in their order.
//
// The lines of one batch are parsed while the records of the batch before are taken by the caller.
//
//     caller     | takes batch 1 | takes batch 2 | ...
//     background | reads, parses 2 | reads, parses 3 | ...
//
// On a pipe or terminal a batch ends with the lines that are there, so that nobody waits for lines to come.
//
// Threads: one caller at a time. The parse function is called from several threads at once.
// Memory: two batches, each of at most kBatchBytesMax and one line more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "client/formats/input_stream.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

// Enough lines for each thread that starting it costs nothing to speak of (a molecule takes about 100 us).
inline constexpr size_t kBatchLinesPerThread = 256;
inline constexpr size_t kBatchBytesMax = size_t{4} << 20;

class LineRecordReader : public RecordReader {
 public:
  // The record of a line, or nothing when the line is none (blank, a comment). Throws nothing.
  using ParseLine = std::function<std::optional<ReadResult>(uint64_t number, std::string_view line)>;

  // As many threads as there are cores when `threads` is 0.
  LineRecordReader(std::unique_ptr<InputStream> input, ParseLine parse, unsigned threads = 0);

  std::optional<ReadResult> Next() override;

 private:
  // One entry a line; empty at the end of the input.
  using Batch = std::vector<std::optional<ReadResult>>;

  void TakeBatch();
  Batch PrepareBatch();
  std::vector<Line> ReadLines();
  std::optional<ReadResult> Parse(const Line& line) const;

  const std::unique_ptr<InputStream> input_;
  const ParseLine parse_;
  const unsigned threads_;

  Batch batch_;
  size_t taken_ = 0;
  bool at_end_ = false;
  // Uses the members above, and is destroyed (which waits for it) before them.
  std::future<Batch> upcoming_;
};

}  // namespace kindred::formats
