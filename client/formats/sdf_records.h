// An SDF file taken apart into its records: the lines up to each "$$$$", which is not part of them.
//
// The position of a record is its first line. What is behind the last "$$$$" is a record, unless it is blank.
//
// Threads: one caller at a time.
// Errors: a record of more than kSdfRecordBytesMax bytes is one bad record, and reading goes on behind it. An
// input
//         that cannot be read further is one bad record, and the last.
// Memory: at most the longest record allowed, and a block.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "client/formats/input_stream.h"
#include "client/formats/raw_records.h"

namespace kindred::formats {

// As for a line of other formats; a molecule of kMoleculeAtomsMax atoms takes about 1 MiB.
inline constexpr size_t kSdfRecordBytesMax = kLineBytesMax;

class SdfRecords : public RawRecords {
 public:
  explicit SdfRecords(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  std::optional<RawRecord> Next() override;
  bool Ready() const override { return input_->Ready(); }

 private:
  const std::unique_ptr<InputStream> input_;
};

}  // namespace kindred::formats
