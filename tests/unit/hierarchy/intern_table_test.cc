// InternTable: one id for each distinct string, whatever the hashes do.

#include "index/hierarchy/intern_table.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace kindred {
namespace {

HashKey KeyWithMask(uint32_t mask) { return {{0x0123456789abcdef, 0xfedcba9876543210}, mask}; }

// Distinct strings of many lengths, of which many share prefixes.
std::string NthString(uint32_t n) { return std::string(n % 23, 'x') + std::to_string(n); }

TEST(InternTable, GivesDenseIdsInTheOrderOfFirstSight) {
  InternTable table(KeyWithMask(UINT32_MAX));
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.Intern("b"), 0u);
  EXPECT_EQ(table.Intern("a"), 1u);
  EXPECT_EQ(table.Intern("b"), 0u);
  EXPECT_EQ(table.Intern("c"), 2u);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.Get(0), "b");
  EXPECT_EQ(table.Get(1), "a");
  EXPECT_EQ(table.Get(2), "c");
}

// Each mask lets this many bits of a hash through: 0 makes all strings collide.
class InternTableCollisions : public ::testing::TestWithParam<uint32_t> {};

TEST_P(InternTableCollisions, StringsShareAnIdIfAndOnlyIfTheyAreEqual) {
  constexpr uint32_t kCount = 3'000;  // Beyond the first growth of the table.
  InternTable table(KeyWithMask(GetParam()));
  for (uint32_t n = 0; n < kCount; ++n) {
    ASSERT_EQ(table.view().Find(NthString(n)), std::nullopt);
    ASSERT_EQ(table.Intern(NthString(n)), n);
  }
  for (uint32_t n = 0; n < kCount; ++n) {
    ASSERT_EQ(table.Intern(NthString(n)), n);
    ASSERT_EQ(table.view().Find(NthString(n)), n);
    ASSERT_EQ(table.Get(n), NthString(n));
  }
  EXPECT_EQ(table.view().Find("never seen"), std::nullopt);
  EXPECT_EQ(table.size(), kCount);
}

INSTANTIATE_TEST_SUITE_P(Masks, InternTableCollisions,
                         ::testing::Values(0u, 1u, 7u, 0xf0000000u, 0x3ffu, UINT32_MAX));

TEST(InternTable, KeepsIdsAndAddressesWhileItGrowsBeyond100000Entries) {
  constexpr uint32_t kCount = 120'000;
  InternTable table(KeyWithMask(UINT32_MAX));
  std::vector<const char*> addresses;
  for (uint32_t n = 0; n < kCount; ++n) {
    ASSERT_EQ(table.Intern(NthString(n)), n);
    addresses.push_back(table.Get(n).data());
  }
  const InternTable::View view = table.view();
  for (uint32_t n = 0; n < kCount; ++n) {
    ASSERT_EQ(view.Find(NthString(n)), n);
    ASSERT_EQ(table.Get(n), NthString(n));
    ASSERT_EQ(table.Get(n).data(), addresses[n]);
  }
  EXPECT_EQ(table.size(), kCount);
}

TEST(InternTable, KeepsStringsOfEveryLength) {
  InternTable table(KeyWithMask(UINT32_MAX));
  // Around the places where the length takes another byte, and beyond the size of an arena.
  const std::vector<size_t> lengths{0, 1, 126, 127, 128, 129, 16'383, 16'384, 262'143, 262'144, 3'000'000};
  for (size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_EQ(table.Intern(std::string(lengths[i], 'y')), i);
  }
  for (uint32_t i = 0; i < lengths.size(); ++i) {
    EXPECT_EQ(table.Get(i), std::string(lengths[i], 'y')) << lengths[i];
    EXPECT_EQ(table.view().Find(std::string(lengths[i], 'y')), i) << lengths[i];
  }
}

TEST(InternTable, TellsApartStringsThatDifferInOneByteOrAZero) {
  InternTable table(KeyWithMask(0));
  const std::vector<std::string> strings{
      std::string(), std::string("\0", 1), std::string("\0\0", 2), "a", std::string("a\0", 2), "b", "\x80",
      "\xff"};
  for (uint32_t i = 0; i < strings.size(); ++i) {
    EXPECT_EQ(table.Intern(strings[i]), i);
  }
  for (uint32_t i = 0; i < strings.size(); ++i) {
    EXPECT_EQ(table.Get(i), strings[i]);
  }
}

TEST(InternTable, TheKeyDoesNotInfluenceTheIds) {
  InternTable a(HashKey::Random());
  InternTable b(HashKey::Random());
  for (uint32_t n = 0; n < 5'000; ++n) {
    const std::string string = NthString(n * 7919 % 4'000);
    ASSERT_EQ(a.Intern(string), b.Intern(string));
  }
  EXPECT_EQ(a.size(), b.size());
}

TEST(InternTable, RandomKeysDiffer) { EXPECT_NE(HashKey::Random().words, HashKey::Random().words); }

TEST(InternTable, AnOldViewFindsAllThatWasThereWhenItWasTaken) {
  InternTable table(KeyWithMask(UINT32_MAX));
  for (uint32_t n = 0; n < 700; ++n) {
    table.Intern(NthString(n));
  }
  const InternTable::View before = table.view();
  for (uint32_t n = 700; n < 20'000; ++n) {  // The table of slots is replaced several times.
    table.Intern(NthString(n));
  }
  for (uint32_t n = 0; n < 700; ++n) {
    ASSERT_EQ(before.Find(NthString(n)), n);
  }
  EXPECT_EQ(before.Find(NthString(19'999)), std::nullopt);
  EXPECT_EQ(table.view().Find(NthString(19'999)), 19'999u);
}

TEST(InternTable, CountsTheMemoryOfWhatItKeeps) {
  InternTable table(KeyWithMask(UINT32_MAX));
  const size_t before = table.memory_bytes();
  table.Intern(std::string(10'000'000, 'z'));
  EXPECT_GE(table.memory_bytes(), before + 10'000'000);
}

}  // namespace
}  // namespace kindred
