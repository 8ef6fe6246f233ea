// Filters against an evaluator of their own, and texts that are no filters at all.

#include "index/filter/filter.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "index/lists/tag_mask.h"
#include "tests/support/random_filter.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr uint64_t kFilterSeed = 20261;
constexpr int kFilters = 3000;

TEST(Filters, MatchAsTheyReadAndAreRefusedOnlyIfNothingMatches) {
  Rng rng(kFilterSeed);
  const std::vector<TagMap> all = AllTags();
  int refused = 0;
  int nothing = 0;
  for (int i = 0; i < kFilters; ++i) {
    const RandomFilter expected = MakeRandomFilter(rng, static_cast<int>(Below(rng, 5)));
    SCOPED_TRACE("seed " + std::to_string(kFilterSeed) + ": " + expected.text);
    const auto filter = Filter::Parse(expected.text, Limits());
    const bool some = std::ranges::any_of(all, expected.matches);
    nothing += some ? 0 : 1;
    if (!filter.ok()) {
      ++refused;
      ASSERT_THAT(filter, StatusIs(kInvalid, "filter: no graph can match: "));
      ASSERT_FALSE(some);
      continue;
    }
    for (const TagMap& tags : all) {
      Tags shuffled = ToTags(tags);
      std::ranges::reverse(shuffled);
      ASSERT_EQ(filter->Matches(ToTags(tags)), expected.matches(tags));
      ASSERT_EQ(filter->Matches(shuffled), expected.matches(tags));
    }
  }
  EXPECT_GT(refused, kFilters / 50) << "contradictions are not tested any more";
  EXPECT_GT(refused, nothing * 9 / 10) << "most filters that match nothing are refused";
}

// Texts of what filters are made of, in any order, and of any bytes: read or refused, never worse.
TEST(Filters, AnyTextIsReadOrRefusedWithAByteWithinIt) {
  Rng rng(kFilterSeed + 1);
  const std::vector<std::string> pieces{"a",      "\"b\"", "'c'", "and", "or",       "not", "in",
                                        "exists", "=",     "!=",  "(",   ")",        ",",   " ",
                                        "\"",     "'",     "\\",  "!",   "\xc3\xa9", "<",   "\n"};
  int read = 0;
  for (int i = 0; i < 20 * kFilters; ++i) {
    std::string text;
    for (uint64_t size = Below(rng, 12); size > 0; --size) {
      text += Below(rng, 8) == 0 ? std::string(1, static_cast<char>(Below(rng, 256)))
                                 : pieces[Below(rng, pieces.size())];
      text += Below(rng, 2) == 0 ? " " : "";
    }
    const auto filter = Filter::Parse(text, Limits());
    read += filter.ok() ? 1 : 0;
    if (filter.ok()) {
      (void)filter->Matches({{"a", "b"}});
      continue;
    }
    const std::string message(filter.status().message());
    ASSERT_EQ(filter.status().code(), kInvalid) << message;
    size_t byte = 0;
    if (sscanf(message.c_str(), "filter: byte %zu:", &byte) == 1) {
      ASSERT_LE(byte, text.size()) << message << " of " << text;
    } else {
      ASSERT_TRUE(message.starts_with("filter: no graph can match: ")) << message;
    }
  }
  EXPECT_GT(read, kFilters / 10) << "hardly any text is a filter";
}

}  // namespace
}  // namespace kindred::test
