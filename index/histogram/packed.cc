#include "index/histogram/packed.h"

#include <bit>
#include <cstring>

#include "index/base/coding.h"
#include "index/base/status.h"

namespace kindred {
namespace {

uint32_t LoadLittleEndian32(const char* at) {
  uint32_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return std::endian::native == std::endian::big ? __builtin_bswap32(word) : word;
}

// Of untrusted bytes; after the first failure everything is 0.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool ok() const { return ok_; }
  bool done() const { return at_ == end_; }

  uint32_t Next() {
    if (at_ != end_ && static_cast<uint8_t>(*at_) < 0x80) {
      return static_cast<uint8_t>(*at_++);  // Most are small.
    }
    // Up to four bytes at once, without a branch for how many, which is hard to foretell for colours.
    if (end_ - at_ >= 4) {
      const uint32_t word = LoadLittleEndian32(at_);
      if (const uint32_t ends = ~word & 0x80808080; ends != 0) {
        const uint32_t own = word & (ends ^ (ends - 1));  // Up to the first byte without its high bit.
        at_ += (std::countr_zero(ends) + 1) / 8;
        return (own & 0x7f) | (own >> 1 & 0x3f80) | (own >> 2 & 0x1fc000) | (own >> 3 & 0xfe00000);
      }
    }
    uint64_t value = 0;
    for (int shift = 0; at_ != end_ && shift < 35; shift += 7) {
      const uint64_t byte = static_cast<uint8_t>(*at_++);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80 && value <= UINT32_MAX) {
        return static_cast<uint32_t>(value);
      }
    }
    at_ = end_;
    ok_ = false;
    return 0;
  }

 private:
  const char* at_;
  const char* const end_;
  bool ok_ = true;
};

}  // namespace

void AppendPacked(std::string& out, const Histogram& histogram) {
  VarintAppender numbers(out, histogram.depth() + 1u + 2 * histogram.entries().size());
  for (Level level = 0; level <= histogram.depth(); ++level) {
    numbers.Add(static_cast<uint32_t>(histogram.at_level(level).size()));
    uint32_t before = 0;
    for (const Histogram::Entry& entry : histogram.at_level(level)) {
      numbers.Add(Raw(entry.colour) - before);
      numbers.Add(entry.count);
      before = Raw(entry.colour);
    }
  }
}

uint32_t LevelCount(std::string_view packed) {
  PackedCursor cursor(packed);
  uint32_t levels = 0;
  for (; !cursor.done(); ++levels) {
    for (uint32_t left = 2 * cursor.Next(); left > 0; --left) {
      cursor.Next();
    }
  }
  return levels;
}

absl::Status CheckPacked(std::string_view packed, uint32_t vertex_count, Level depth, WornLevels* worn) {
  if (vertex_count == 0) {
    return DataLoss("a histogram of no vertices");
  }
  VarintReader reader(packed);
  for (Level level = 0; level <= depth; ++level) {
    uint64_t total = 0;
    uint64_t colour = 0;
    bool sorted = true;
    const uint32_t entries = reader.Next();
    for (uint32_t i = 0; i < entries && reader.ok(); ++i) {
      const uint32_t gap = reader.Next();
      const uint32_t count = reader.Next();
      sorted = sorted && count > 0 && (i == 0 || gap > 0);
      colour += gap;
      total += count;
      if (worn != nullptr) {
        worn->Note(colour, level);
      }
    }
    if (!reader.ok()) {
      return DataLoss("a histogram is cut short");
    }
    if (!sorted || colour > UINT32_MAX) {
      return DataLoss("histogram level {} is not sorted or holds a zero count", level);
    }
    if (total != vertex_count) {
      return DataLoss("histogram level {} counts {} vertices, not {}", level, total, vertex_count);
    }
  }
  return reader.done() ? absl::OkStatus() : DataLoss("a histogram is followed by other bytes");
}

absl::StatusOr<Histogram> ReadPacked(std::string_view packed, uint32_t vertex_count, Level depth) {
  KINDRED_RETURN_IF_ERROR(CheckPacked(packed, vertex_count, depth));
  std::vector<std::vector<Histogram::Entry>> levels(depth + 1u);
  ForEachPackedEntry(packed, [&](Level level, uint32_t colour, uint32_t count) {
    levels[level].push_back({ColourId{colour}, count});
  });
  return Histogram::FromLevels(vertex_count, levels);
}

}  // namespace kindred
