// Histograms in few bytes: level by level the number of entries, then for each, by ascending colour, the
// colour less the one before it, and the count; all varints. The store keeps them so, and so do graphs in
// memory that are not inverted yet.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/base/coding.h"
#include "index/histogram/histogram.h"

namespace kindred {

void AppendPacked(std::string& out, const Histogram& histogram);

// Of untrusted bytes; DATA_LOSS when they are cut short or break an invariant of Histogram.
absl::StatusOr<Histogram> ReadPacked(Decoder& decoder, uint32_t vertex_count, Level depth);

// Steps through bytes that AppendPacked wrote, or ReadPacked accepted.
class PackedCursor {
 public:
  explicit PackedCursor(std::string_view packed) : at_(packed.data()), end_(at_ + packed.size()) {}

  bool done() const { return at_ == end_; }

  uint32_t Next() {
    uint32_t value = static_cast<uint8_t>(*at_++);
    if (value < 0x80) {
      return value;
    }
    value &= 0x7f;
    for (int shift = 7;; shift += 7) {
      const uint32_t byte = static_cast<uint8_t>(*at_++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }

 private:
  const char* at_;
  const char* const end_;
};

// The counts of all levels together.
uint64_t SumOfCounts(std::string_view packed);

}  // namespace kindred
