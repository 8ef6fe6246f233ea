#include "index/base/coding.h"

#include <limits>

namespace kindred {
namespace {

template <typename Integer>
void AppendBigEndian(std::string& out, Integer value) {
  for (int shift = static_cast<int>(sizeof(Integer)) * 8 - 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift & 0xff));
  }
}

template <typename Integer>
Integer ReadBigEndian(std::string_view bytes) {
  Integer value = 0;
  for (const char byte : bytes) {
    value = static_cast<Integer>(value << 8 | static_cast<uint8_t>(byte));
  }
  return value;
}

}  // namespace

void AppendFixed32(std::string& out, uint32_t value) { AppendBigEndian(out, value); }
void AppendFixed64(std::string& out, uint64_t value) { AppendBigEndian(out, value); }

void AppendVarint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void AppendBytes(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

std::string_view Decoder::Take(size_t bytes) {
  if (!ok_ || bytes > rest_.size()) {
    ok_ = false;
    return {};
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

uint8_t Decoder::Byte() { return ReadBigEndian<uint8_t>(Take(1)); }
uint32_t Decoder::Fixed32() { return ReadBigEndian<uint32_t>(Take(4)); }
uint64_t Decoder::Fixed64() { return ReadBigEndian<uint64_t>(Take(8)); }

uint64_t Decoder::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = Byte();
    if (!ok_) {
      return 0;
    }
    if (shift == 63 && byte > 1) {
      break;  // More than 64 bits.
    }
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  ok_ = false;
  return 0;
}

uint32_t Decoder::Varint32() {
  const uint64_t value = Varint();
  if (value > std::numeric_limits<uint32_t>::max()) {
    ok_ = false;
    return 0;
  }
  return static_cast<uint32_t>(value);
}

std::string_view Decoder::Bytes() { return Take(Varint()); }

void Decoder::SkipVarints(uint64_t count) {
  // Each ends with the one byte that has no high bit; a word has the ends of eight at most.
  size_t at = 0;
  for (uint64_t word = 0; count >= sizeof(word) && rest_.size() - at >= sizeof(word); at += sizeof(word)) {
    std::memcpy(&word, rest_.data() + at, sizeof(word));
    count -= static_cast<uint64_t>(std::popcount(~word & 0x8080808080808080));
  }
  for (; count > 0 && at < rest_.size(); ++at) {
    count -= static_cast<uint8_t>(rest_[at]) < 0x80 ? 1 : 0;
  }
  ok_ = ok_ && count == 0;
  Take(at);
}

uint64_t Decoder::Count(uint64_t bytes_each_min) {
  const uint64_t count = Varint();
  if (!ok_ || count > rest_.size() / bytes_each_min) {
    ok_ = false;
    return 0;
  }
  return count;
}

}  // namespace kindred
