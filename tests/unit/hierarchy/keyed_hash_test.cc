// The hash that locates signatures and labels: every byte, the length and the key count, and values spread.

#include "index/hierarchy/keyed_hash.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kindred {
namespace {

constexpr std::array<uint64_t, 2> kHashKey{0xa0761d6478bd642f, 0xe7037ed1a0b428db};

TEST(KeyedHash, EveryBitOfEveryLengthCounts) {
  for (size_t length = 0; length <= 70; ++length) {
    const std::string plain(length, 'p');
    std::set<uint64_t> hashes{KeyedHash(kHashKey, plain)};
    for (size_t bit = 0; bit < 8 * length; ++bit) {
      std::string other = plain;
      other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
      hashes.insert(KeyedHash(kHashKey, other));
    }
    ASSERT_EQ(hashes.size(), 8 * length + 1) << "length " << length;
  }
}

TEST(KeyedHash, TheLengthCountsWhereAllBytesAreZero) {
  std::set<uint64_t> hashes;
  for (size_t length = 0; length <= 200; ++length) {
    hashes.insert(KeyedHash(kHashKey, std::string(length, '\0')));
  }
  EXPECT_EQ(hashes.size(), 201u);
}

TEST(KeyedHash, BothWordsOfTheKeyCount) {
  for (const size_t length : {0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 64}) {
    const std::string bytes(length, 'k');
    std::set<uint64_t> hashes{KeyedHash(kHashKey, bytes)};
    for (const size_t word : {0, 1}) {
      for (int bit = 0; bit < 64; ++bit) {
        std::array<uint64_t, 2> key = kHashKey;
        key[word] ^= uint64_t{1} << bit;
        hashes.insert(KeyedHash(key, bytes));
      }
    }
    EXPECT_EQ(hashes.size(), 129u) << "length " << length;
  }
}

// A factor that is the same for all keys would let these be chosen: it is 0 for one word, and the other is
// lost.
TEST(KeyedHash, NoWordHidesAnother) {
  for (const uint64_t word : {uint64_t{0}, ~uint64_t{0}, uint64_t{0x9e3779b97f4a7c15}}) {
    std::set<uint64_t> hashes;
    for (uint64_t other = 0; other < 1'000; ++other) {
      std::string bytes(16, '\0');
      std::memcpy(bytes.data(), &word, 8);
      std::memcpy(bytes.data() + 8, &other, 8);
      hashes.insert(KeyedHash(kHashKey, bytes));
      std::memcpy(bytes.data(), &other, 8);
      std::memcpy(bytes.data() + 8, &word, 8);
      hashes.insert(KeyedHash(kHashKey, bytes));
    }
    EXPECT_GE(hashes.size(), 1'999u);  // One pair may be the same bytes.
  }
}

// Signatures differ in a few small numbers. The table takes its places from the lowest bits.
TEST(KeyedHash, NumbersThatFollowEachOtherSpreadOverThePlaces) {
  constexpr uint32_t kPlaces = 1 << 12;
  constexpr uint32_t kStrings = 16 * kPlaces;
  for (const size_t length : {4, 8, 12, 16, 20}) {
    std::vector<uint32_t> strings(kPlaces, 0);
    for (uint32_t n = 0; n < kStrings; ++n) {
      std::string bytes(length, '\1');
      std::memcpy(bytes.data() + length - 4, &n, 4);
      ++strings[KeyedHash(kHashKey, bytes) & (kPlaces - 1)];
    }
    double squares = 0;
    for (const uint32_t count : strings) {
      squares += (count - 16.0) * (count - 16.0) / 16.0;
    }
    // Chi squared of 4,095 degrees of freedom: 4,095 expected, standard deviation 90.
    EXPECT_NEAR(squares, 4'095, 6 * 90) << "length " << length;
  }
}

}  // namespace
}  // namespace kindred
