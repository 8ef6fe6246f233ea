// Bytes to and from integers: big-endian fixed widths for keys (so that key order is number order),
// LEB128 varints for values.
//
// Decoder reads untrusted bytes. It never reads past the end; the first failure sticks, so that a
// sequence of reads needs one check at its end. Reads after a failure return 0 or empty.

#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace kindred {

void AppendFixed32(std::string& out, uint32_t value);
void AppendFixed64(std::string& out, uint64_t value);
void AppendVarint(std::string& out, uint64_t value);
// A varint length, then the bytes.
void AppendBytes(std::string& out, std::string_view bytes);

// What AppendVarint takes for it.
inline size_t VarintBytes(uint64_t value) { return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7; }

// A 32-bit value takes as many bytes at most, and WriteVarint32 may touch as many.
inline constexpr size_t kVarint32BytesMax = 5;
inline constexpr size_t kVarint32Room = 8;

// The end of what it wrote. Without a branch for the number of bytes, which is hard to foretell for colours.
inline char* WriteVarint32(char* at, uint32_t value) {
  if (value < 0x80) {
    *at = static_cast<char>(value);
    return at + 1;
  }
  // Seven bits to a byte, then the high bits of all bytes but the last.
  const uint64_t wide = value;
  const uint64_t spread = (wide & 0x7f) | (wide & 0x3f80) << 1 | (wide & 0x1fc000) << 2 |
                          (wide & 0xfe00000) << 3 | (wide & 0xf0000000) << 4;
  const auto bytes = static_cast<size_t>(std::bit_width(value) * 9 + 64) >> 6;  // bits / 7, rounded up
  uint64_t word = spread | (0x8080808080 & ((uint64_t{1} << 8 * (bytes - 1)) - 1));
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  std::memcpy(at, &word, sizeof(word));
  static_assert(sizeof(word) == kVarint32Room);
  return at + bytes;
}

// Appends many varints to a string; they are there when this goes. REQUIRES: no more than announced, and
// nothing else touches the string meanwhile.
class VarintAppender {
 public:
  VarintAppender(std::string& out, size_t count_max) : out_(out) {
    const size_t begin = out.size();
    out.resize(begin + count_max * kVarint32BytesMax + kVarint32Room);
    at_ = out.data() + begin;
  }
  ~VarintAppender() { out_.resize(static_cast<size_t>(at_ - out_.data())); }
  VarintAppender(const VarintAppender&) = delete;
  VarintAppender& operator=(const VarintAppender&) = delete;

  void Add(uint32_t value) { at_ = WriteVarint32(at_, value); }

 private:
  std::string& out_;
  char* at_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  uint8_t Byte();
  uint32_t Fixed32();
  uint64_t Fixed64();
  uint64_t Varint();
  // Fails when the value does not fit.
  uint32_t Varint32();
  std::string_view Bytes();
  // Passes over so many varints.
  void SkipVarints(uint64_t count);
  // A number of things that follow and take `bytes_each_min` bytes at least: fails when they cannot all
  // be there, so that a damaged count never becomes a huge allocation.
  uint64_t Count(uint64_t bytes_each_min);

  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }
  // True when nothing failed and nothing is left over.
  bool Done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view Take(size_t bytes);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace kindred
