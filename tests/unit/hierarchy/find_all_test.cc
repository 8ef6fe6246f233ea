// Looking many strings up at once: the answers of looking them up one by one, whatever the hashes do.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/intern_table.h"
#include "tests/support/graphs.h"

namespace kindred {
namespace {

using Found = std::vector<std::optional<uint32_t>>;

HashKey KeyOfMask(uint32_t mask) { return {{0x0123456789abcdef, 0xfedcba9876543210}, mask}; }

std::string StringOf(uint64_t n) { return std::string(n % 31, 'x') + std::to_string(n); }

Found FindTogether(const InternTable::View& view, const std::vector<std::string>& strings) {
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  Found found(views.size(), 4711);
  view.FindAll(views, found);
  return found;
}

Found FindOneByOne(const InternTable::View& view, const std::vector<std::string>& strings) {
  Found found;
  for (const std::string& string : strings) {
    found.push_back(view.Find(string));
  }
  return found;
}

// Each mask lets this many bits of a hash through: 0 makes all strings collide.
class FindAllCollisions : public ::testing::TestWithParam<uint32_t> {};

TEST_P(FindAllCollisions, EqualsFindForBatchesOfEverySize) {
  constexpr uint64_t kSeed = 41;
  constexpr uint32_t kCount = 2'000;
  test::Rng rng(kSeed);
  InternTable table(KeyOfMask(GetParam()));
  for (uint32_t n = 0; n < kCount; ++n) {
    table.Intern(StringOf(n));
  }
  const InternTable::View view = table.view();
  for (size_t size = 0; size <= 130; ++size) {
    std::vector<std::string> strings;
    for (size_t i = 0; i < size; ++i) {
      // A third is unknown; a few come many times.
      strings.push_back(StringOf(test::Below(rng, i % 4 == 0 ? 5 : kCount * 3 / 2)));
    }
    ASSERT_EQ(FindTogether(view, strings), FindOneByOne(view, strings))
        << "seed " << kSeed << " size " << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Masks, FindAllCollisions,
                         ::testing::Values(0u, 1u, 7u, 0xf0000000u, 0x3ffu, UINT32_MAX));

TEST(FindAll, FindsNothingInAnEmptyTable) {
  const InternTable table(KeyOfMask(UINT32_MAX));
  EXPECT_EQ(FindTogether(table.view(), {}), Found());
  EXPECT_EQ(FindTogether(table.view(), {"", "a", "a"}), Found(3));
}

TEST(FindAll, FindsStringsOfEveryLength) {
  InternTable table(KeyOfMask(0));  // Each is compared with strings of other lengths, too.
  std::vector<std::string> strings;
  for (const size_t length : {3'000'000, 262'144, 16'384, 16'383, 129, 128, 127, 64, 1, 0}) {
    strings.emplace_back(length, 'y');
    table.Intern(strings.back());
  }
  EXPECT_EQ(FindTogether(table.view(), strings), (Found{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(FindAll, AnOldViewFindsAllThatWasThereWhenItWasTaken) {
  InternTable table(KeyOfMask(UINT32_MAX));
  for (uint32_t n = 0; n < 700; ++n) {
    table.Intern(StringOf(n));
  }
  const InternTable::View before = table.view();
  for (uint32_t n = 700; n < 20'000; ++n) {  // The table of slots is replaced several times.
    table.Intern(StringOf(n));
  }
  const std::vector<std::string> strings{StringOf(0), StringOf(699), StringOf(19'999)};
  EXPECT_EQ(FindTogether(before, strings), (Found{0, 699, std::nullopt}));
  EXPECT_EQ(FindTogether(table.view(), strings), (Found{0, 699, 19'999}));
}

TEST(FindAll, FindsAllInATableOnPagesOfItsOwn) {
  constexpr uint32_t kCount = 250'000;  // 4 MiB of slots.
  InternTable table(KeyOfMask(UINT32_MAX));
  std::vector<std::string> strings;
  size_t bytes = 0;
  for (uint32_t n = 0; n < kCount; ++n) {
    strings.push_back(StringOf(n));
    bytes += strings.back().size() + 1;
    table.Intern(strings.back());
  }
  const Found found = FindTogether(table.view(), strings);
  for (uint32_t n = 0; n < kCount; ++n) {
    ASSERT_EQ(found[n], n);
  }
  // Slots, cells and bytes; of what was allocated last a part may not be used yet.
  const size_t used = (size_t{8} << 19) + kCount * sizeof(char*) + bytes;
  EXPECT_GE(table.memory_bytes(), used);
  EXPECT_LE(table.memory_bytes(), used + (size_t{6} << 20));
}

TEST(FindColours, FindsTheKnownOnesAmongUnknownOnes) {
  ColourHierarchy hierarchy;
  const ColourId a = hierarchy.InternColour(std::string("\0a", 2));
  const ColourId b = hierarchy.InternColour(std::string("\0b", 2));
  const std::string_view known_a("\0a", 2);
  const std::string_view known_b("\0b", 2);
  const std::string_view unknown("\0c", 2);
  std::vector<ColourId> found(4);
  hierarchy.view().FindColours(std::vector{known_b, unknown, known_a, known_b}, found);
  EXPECT_EQ(found, (std::vector{b, kUnknownColour, a, b}));
  hierarchy.view().FindColours({}, {});
}

}  // namespace
}  // namespace kindred
