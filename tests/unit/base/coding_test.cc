// Coding: what was appended comes back, and hostile bytes fail without reading past the end.

#include "index/base/coding.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kindred {
namespace {

constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();
constexpr uint32_t kMax32 = std::numeric_limits<uint32_t>::max();

// 0, and the values around every power of two.
std::vector<uint64_t> InterestingValues() {
  std::vector<uint64_t> values{0, kMax64};
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t power = uint64_t{1} << bit;
    values.insert(values.end(), {power - 1, power, power + 1});
  }
  return values;
}

TEST(Coding, FixedWidthsAreBigEndian) {
  std::string out;
  AppendFixed32(out, 0x01020304);
  AppendFixed64(out, 0x1112131415161718);
  EXPECT_EQ(out, std::string("\x01\x02\x03\x04\x11\x12\x13\x14\x15\x16\x17\x18"));
}

TEST(Coding, KeyOrderIsNumberOrder) {
  for (const uint64_t a : InterestingValues()) {
    for (const uint64_t b : InterestingValues()) {
      std::string key_a;
      std::string key_b;
      AppendFixed64(key_a, a);
      AppendFixed64(key_b, b);
      ASSERT_EQ(key_a < key_b, a < b) << a << " and " << b;
    }
  }
}

TEST(Coding, EveryWidthComesBack) {
  for (const uint64_t value : InterestingValues()) {
    std::string out;
    AppendFixed32(out, static_cast<uint32_t>(value));
    AppendFixed64(out, value);
    AppendVarint(out, value);
    Decoder decoder(out);
    EXPECT_EQ(decoder.Fixed32(), static_cast<uint32_t>(value));
    EXPECT_EQ(decoder.Fixed64(), value);
    EXPECT_EQ(decoder.Varint(), value);
    EXPECT_TRUE(decoder.Done()) << value;
  }
}

TEST(Coding, VarintTakesSevenBitsAByte) {
  for (int bits = 1; bits <= 64; ++bits) {
    std::string out;
    AppendVarint(out, kMax64 >> (64 - bits));
    EXPECT_EQ(out.size(), static_cast<size_t>(bits + 6) / 7) << bits << " bits";
  }
}

TEST(Coding, WrittenWithoutBranchesAVarintIsTheSame) {
  for (const uint64_t value : InterestingValues()) {
    const auto narrow = static_cast<uint32_t>(value);
    std::string expected;
    AppendVarint(expected, narrow);
    std::string room(kVarint32Room, 'r');
    const size_t bytes = static_cast<size_t>(WriteVarint32(room.data(), narrow) - room.data());
    EXPECT_EQ(room.substr(0, bytes), expected) << narrow;
    EXPECT_LE(bytes, kVarint32BytesMax);
  }
}

TEST(Coding, BytesComeBackWhateverTheyHold) {
  const std::string all_zero(300, '\0');
  std::string out;
  AppendBytes(out, "");
  AppendBytes(out, all_zero);
  AppendBytes(out, "\xff\x80");
  Decoder decoder(out);
  EXPECT_EQ(decoder.Bytes(), "");
  EXPECT_EQ(decoder.Bytes(), all_zero);
  EXPECT_EQ(decoder.Bytes(), "\xff\x80");
  EXPECT_TRUE(decoder.Done());
}

TEST(Coding, DoneIsFalseWhileBytesAreLeft) {
  Decoder decoder("ab");
  EXPECT_FALSE(decoder.Done());
  EXPECT_EQ(decoder.Byte(), 'a');
  EXPECT_TRUE(decoder.ok());
  EXPECT_FALSE(decoder.Done());
  EXPECT_EQ(decoder.Byte(), 'b');
  EXPECT_TRUE(decoder.Done());
}

TEST(Coding, SkippedVarintsAreThoseThatWouldBeRead) {
  std::string out;
  std::vector<size_t> ends{0};
  for (int round = 0; round < 3; ++round) {
    for (const uint64_t value : InterestingValues()) {
      AppendVarint(out, value);
      ends.push_back(out.size());
      AppendVarint(out, value % 128);
      ends.push_back(out.size());
    }
  }
  for (size_t count = 0; count < ends.size(); ++count) {
    Decoder decoder(out);
    decoder.SkipVarints(count);
    EXPECT_TRUE(decoder.ok());
    EXPECT_EQ(decoder.rest().size(), out.size() - ends[count]) << count;
    Decoder cut(std::string_view(out).substr(0, ends[count]));
    cut.SkipVarints(count);
    EXPECT_TRUE(cut.Done());
    Decoder short_of_one(std::string_view(out).substr(0, ends[count]));
    short_of_one.SkipVarints(count + 1);
    EXPECT_FALSE(short_of_one.ok());
  }
}

TEST(CodingOfHostileBytes, EveryTruncationFailsAndYieldsZero) {
  for (const uint64_t value : InterestingValues()) {
    std::string varint;
    AppendVarint(varint, value);
    for (size_t bytes = 0; bytes < varint.size(); ++bytes) {
      Decoder decoder(std::string_view(varint).substr(0, bytes));
      EXPECT_EQ(decoder.Varint(), 0u);
      EXPECT_FALSE(decoder.ok()) << value << " cut to " << bytes;
    }
  }
  for (size_t bytes = 0; bytes < 8; ++bytes) {
    const std::string text(bytes, '\x01');
    Decoder fixed64(text);
    EXPECT_EQ(fixed64.Fixed64(), 0u);
    EXPECT_FALSE(fixed64.ok());
    Decoder fixed32(text);
    EXPECT_EQ(fixed32.Fixed32(), bytes < 4 ? 0u : 0x01010101u);
    EXPECT_EQ(fixed32.ok(), bytes >= 4);
  }
}

TEST(CodingOfHostileBytes, VarintBeyond64BitsFails) {
  const std::string nine(9, '\xff');
  Decoder largest(nine + "\x01");
  EXPECT_EQ(Decoder(nine + "\x01").Varint(), kMax64);
  for (const std::string& text : {nine + "\x02", nine + "\x81", nine + "\xff\x01", std::string(20, '\x80')}) {
    Decoder decoder(text);
    EXPECT_EQ(decoder.Varint(), 0u);
    EXPECT_FALSE(decoder.ok());
  }
}

TEST(CodingOfHostileBytes, Varint32FailsJustBeyond32Bits) {
  std::string fits;
  AppendVarint(fits, kMax32);
  Decoder good(fits);
  EXPECT_EQ(good.Varint32(), kMax32);
  EXPECT_TRUE(good.Done());
  std::string too_large;
  AppendVarint(too_large, uint64_t{kMax32} + 1);
  Decoder bad(too_large);
  EXPECT_EQ(bad.Varint32(), 0u);
  EXPECT_FALSE(bad.ok());
}

TEST(CodingOfHostileBytes, LengthBeyondTheEndFails) {
  for (const uint64_t length : {uint64_t{4}, uint64_t{1} << 32, kMax64}) {
    std::string out;
    AppendVarint(out, length);
    out += "abc";
    Decoder decoder(out);
    EXPECT_EQ(decoder.Bytes(), "");
    EXPECT_FALSE(decoder.ok()) << length;
  }
}

TEST(CodingOfHostileBytes, CountIsRefusedWhenItsThingsCannotAllBeThere) {
  const auto count_of = [](uint64_t count, uint64_t bytes_each, size_t bytes_left) {
    std::string out;
    AppendVarint(out, count);
    out.append(bytes_left, 'x');
    Decoder decoder(out);
    const uint64_t read = decoder.Count(bytes_each);
    return decoder.ok() ? static_cast<int64_t>(read) : -1;
  };
  EXPECT_EQ(count_of(0, 1, 0), 0);
  EXPECT_EQ(count_of(4, 3, 12), 4);
  EXPECT_EQ(count_of(4, 3, 11), -1);
  EXPECT_EQ(count_of(1, 1, 0), -1);
  EXPECT_EQ(count_of(kMax64, 1, 100), -1);
  EXPECT_EQ(count_of(kMax64 / 2, 3, 100), -1);  // The product overflows.
}

TEST(CodingOfHostileBytes, TheFirstFailureSticks) {
  Decoder decoder(
      "\x05"
      "ab");  // Five bytes announced, two there.
  EXPECT_EQ(decoder.Bytes(), "");
  EXPECT_EQ(decoder.Byte(), 0);
  EXPECT_EQ(decoder.Fixed32(), 0u);
  EXPECT_EQ(decoder.Fixed64(), 0u);
  EXPECT_EQ(decoder.Varint(), 0u);
  EXPECT_EQ(decoder.Varint32(), 0u);
  EXPECT_EQ(decoder.Bytes(), "");
  EXPECT_EQ(decoder.Count(1), 0u);
  EXPECT_FALSE(decoder.ok());
  EXPECT_FALSE(decoder.Done());
}

}  // namespace
}  // namespace kindred
