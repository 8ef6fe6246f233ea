// An input taken apart into the text of its records, before anyone has looked into them.
//
// Threads: one caller at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "client/formats/input_stream.h"

namespace kindred::formats {

struct RawRecord {
  // As ReadResult says: a line, or the number of a record; counted from 1.
  uint64_t position = 0;
  absl::StatusOr<std::string> text;
};

class RawRecords {
 public:
  virtual ~RawRecords() = default;

  // The next one, or nothing at the end of the input.
  virtual std::optional<RawRecord> Next() = 0;

  // False when Next would have to wait for a pipe or terminal.
  virtual bool Ready() const = 0;
};

// Each line is a record.
class LineRecords : public RawRecords {
 public:
  explicit LineRecords(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  std::optional<RawRecord> Next() override {
    std::optional<Line> line = input_->NextLine();
    if (!line.has_value()) return std::nullopt;
    return RawRecord{line->number, std::move(line->text)};
  }

  bool Ready() const override { return input_->Ready(); }

 private:
  const std::unique_ptr<InputStream> input_;
};

}  // namespace kindred::formats
