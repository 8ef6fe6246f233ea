// Filter: what it matches, what it refuses, and where it says the fault is.

#include "index/filter/filter.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kInvalid;
using test::Must;
using test::StatusIs;

absl::StatusOr<Filter> ParseFilter(std::string_view text) { return Filter::Parse(text, Limits()); }
bool Matches(std::string_view text, const Tags& tags) { return Must(ParseFilter(text)).Matches(tags); }

TEST(Filter, EmptyMatchesAll) {
  for (const char* text : {"", " ", "\t\r\n "}) {
    EXPECT_TRUE(Must(ParseFilter(text)).matches_all());
    EXPECT_TRUE(Matches(text, {}));
    EXPECT_TRUE(Matches(text, {{"a", "x"}}));
  }
  EXPECT_TRUE(Filter().matches_all());
  EXPECT_FALSE(Must(ParseFilter("exists a")).matches_all());
}

TEST(Filter, Conditions) {
  const Tags tags{{"a", "x"}, {"b", ""}};
  EXPECT_TRUE(Matches("a = x", tags));
  EXPECT_FALSE(Matches("a = y", tags));
  EXPECT_FALSE(Matches("a = X", tags));
  EXPECT_FALSE(Matches("c = x", tags));
  EXPECT_FALSE(Matches("a != x", tags));
  EXPECT_TRUE(Matches("a != y", tags));
  EXPECT_TRUE(Matches("c != x", tags));
  EXPECT_TRUE(Matches("a in (z, x, z)", tags));
  EXPECT_FALSE(Matches("a in (z)", tags));
  EXPECT_FALSE(Matches("a not in (z, x)", tags));
  EXPECT_TRUE(Matches("c not in (z, x)", tags));
  EXPECT_TRUE(Matches("exists b", tags));
  EXPECT_TRUE(Matches("b = ''", tags));
  EXPECT_FALSE(Matches("exists c", tags));
  EXPECT_TRUE(Matches("not exists c", tags));
}

TEST(Filter, NotBindsClosestThenAndThenOr) {
  const Tags tags{{"a", "x"}};
  EXPECT_TRUE(Matches("a = x or b = x and b = y2", tags));
  EXPECT_FALSE(Matches("(a = x or b = x) and b = y", tags));
  EXPECT_FALSE(Matches("not a = x and a = x or b = x", tags));
  EXPECT_TRUE(Matches("not (a = y and b = x)", tags));
  EXPECT_TRUE(Matches("not not a = x", tags));
}

TEST(Filter, Words) {
  EXPECT_TRUE(Matches("a=x", {{"a", "x"}}));
  EXPECT_TRUE(Matches("year = 2019 and exists path/to:it", {{"year", "2019"}, {"path/to:it", ""}}));
  EXPECT_TRUE(Matches(R"("a b" = 'x "y"')", {{"a b", "x \"y\""}}));
  EXPECT_TRUE(Matches(R"(a = "\"\\\'")", {{"a", "\"\\'"}}));
  EXPECT_TRUE(Matches("\"and\" = \"NOT\"", {{"and", "NOT"}}));
  EXPECT_TRUE(
      Matches("gr\xc3\xb6\xc3\x9f"
              "e = \xe5\xa4\xa7",
              {{"gr\xc3\xb6\xc3\x9f"
                "e",
                "\xe5\xa4\xa7"}}));
  EXPECT_TRUE(Matches("a = x AND NOT b In (y)", {{"a", "x"}}));
  EXPECT_TRUE(Matches(std::string_view("a = \"\0\"", 7), {{"a", std::string(1, '\0')}}));
}

TEST(Filter, FaultsTellTheByteAndWhatWasExpected) {
  const auto expect = [](std::string_view text, std::string_view message) {
    EXPECT_THAT(ParseFilter(text), StatusIs(kInvalid, "filter: " + std::string(message))) << text;
  };
  expect("a", "byte 1: expected '=', '!=', 'in' or 'not in', but found the end");
  expect("a =", "byte 3: expected a value, but found the end");
  expect("a = )", "byte 4: expected a value, but found ')'");
  expect("a = in", "byte 4: expected a value, but found 'in'; in quotes it is a word");
  expect("a = x y", "byte 6: expected 'and', 'or' or the end, but found \"y\"");
  expect("a = x and", "byte 9: expected a condition, but found the end");
  expect("(a = x", "byte 6: expected 'and', 'or' or ')', but found the end");
  expect("a = x)", "byte 5: expected 'and', 'or' or the end, but found ')'");
  expect("()", "byte 1: expected a condition, but found ')'");
  expect("a in x", "byte 5: expected '(', but found \"x\"");
  expect("a in ()", "byte 6: expected a value, but found ')'");
  expect("a in (x y)", "byte 8: expected ',' or ')', but found \"y\"");
  expect("a in (x,)", "byte 8: expected a value, but found ')'");
  expect("a not x", "byte 6: expected 'in', but found \"x\"");
  expect("exists", "byte 6: expected a key, but found the end");
  expect("exists ''", "byte 7: expected a key, which is not empty");
  expect("'' = x", "byte 0: expected a key, which is not empty");
  expect("a = \"x", "byte 6: expected a closing \" for the quote at byte 4, but found the end");
  expect("a = 'x\\", "byte 7: expected a closing ' for the quote at byte 4, but found the end");
  expect("a = \"\\n\"", "byte 6: after a backslash expected a quote or a backslash, but found 'n'");
  expect("a < x", "byte 2: '<' stands outside of quotes");
  expect("a ! x", "byte 2: '!' stands outside of quotes");
  expect("a = \x01", "byte 4: byte 0x01 stands outside of quotes");
}

TEST(Filter, BytesAtTheirLimit) {
  Limits limits;
  limits.filter_bytes_max = 5;
  EXPECT_THAT(Filter::Parse("a = x", limits), IsOk());
  EXPECT_THAT(Filter::Parse("a = xx", limits), StatusIs(absl::StatusCode::kResourceExhausted,
                                                        "filter: 6 is over the limit filter_bytes_max = 5"));
}

TEST(Filter, DepthAndConditionsAtTheirLimits) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '(') + "a = x" + std::string(depth, ')');
  };
  EXPECT_THAT(ParseFilter(nested(kFilterDepthMax)), IsOk());
  EXPECT_THAT(ParseFilter(nested(kFilterDepthMax + 1)), StatusIs(kInvalid, "byte 32: more than 32 deep"));
  std::string nots;
  for (uint32_t i = 0; i < kFilterDepthMax; ++i) {
    nots += "not ";
  }
  EXPECT_THAT(ParseFilter(nots + "a = x"), IsOk());
  EXPECT_THAT(ParseFilter("not " + nots + "a = x"), StatusIs(kInvalid, "byte 128: more than 32 deep"));
  std::string many = "a = x";
  for (uint32_t i = 1; i < kFilterConditionsMax; ++i) {
    many += " or a = x";
  }
  EXPECT_THAT(ParseFilter(many), IsOk());
  EXPECT_THAT(ParseFilter(many + " or a = x"), StatusIs(kInvalid, "byte 2304: more than 256 conditions"));
}

TEST(FilterKey, TellsWhatIsSaidAndNotHowItIsWritten) {
  const auto key = [](std::string_view text) { return Filter::Parse(text, Limits())->key(); };
  EXPECT_EQ(key("a = x and b in (y, z)"), key("(a='x')  and (b in (z,y,z))"));
  EXPECT_EQ(key("a != x"), key("not a = x"));
  EXPECT_EQ(key(""), key(" "));
  const std::vector<std::string> different{
      "a = x",     "a = y",          "b = x",           "exists a",         "not a = x", "a in (x, y)",
      "a in (xy)", "a = x or a = y", "a = x and b = x", "a = x and b != x", "ax = '1 '", "'a1 ' = x"};
  for (size_t i = 0; i < different.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_NE(key(different[i]), key(different[j])) << different[i] << " | " << different[j];
    }
  }
}

}  // namespace
}  // namespace kindred
