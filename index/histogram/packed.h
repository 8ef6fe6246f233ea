// Histograms in few bytes: level by level the number of entries, then for each, by ascending colour, the
// colour less the one before it, and the count; all varints. The store keeps them so, and so do graphs in
// memory that are not inverted yet.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "index/histogram/histogram.h"
#include "index/histogram/worn_levels.h"

namespace kindred {

void AppendPacked(std::string& out, const Histogram& histogram);

// Of untrusted bytes: DATA_LOSS when they are cut short, go on after the histogram, or break one of its
// invariants. Whether there are such colours it does not know, but notes in `worn`, if it is given, which.
absl::Status CheckPacked(std::string_view packed, uint32_t vertex_count, Level depth,
                         WornLevels* worn = nullptr);
absl::StatusOr<Histogram> ReadPacked(std::string_view packed, uint32_t vertex_count, Level depth);

// Steps through bytes that AppendPacked wrote, or CheckPacked accepted.
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

// Every entry, level by level, colours ascending. REQUIRES: as for PackedCursor.
template <typename Visit>  // void(Level, uint32_t colour, uint32_t count)
void ForEachPackedEntry(std::string_view packed, Visit visit) {
  PackedCursor cursor(packed);
  for (Level level = 0; !cursor.done(); ++level) {
    uint32_t colour = 0;
    for (uint32_t left = cursor.Next(); left > 0; --left) {
      colour += cursor.Next();
      visit(level, colour, cursor.Next());
    }
  }
}

// REQUIRES: as for PackedCursor.
uint32_t LevelCount(std::string_view packed);

}  // namespace kindred
