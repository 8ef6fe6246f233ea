// Filters that can match nothing are refused, with the conditions that contradict each other; others never.

#include "index/filter/contradiction.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kInvalid;
using test::StatusIs;

absl::Status Refusal(std::string_view text) { return Filter::Parse(text, Limits()).status(); }

void ExpectRefused(std::string_view text, std::string_view parts) {
  EXPECT_THAT(Refusal(text), StatusIs(kInvalid, "filter: no graph can match: " + std::string(parts) +
                                                    " contradict each other"))
      << text;
}

TEST(Contradiction, OfTwoConditions) {
  ExpectRefused("a = x and a = y", "'a = x' (byte 0) and 'a = y' (byte 10)");
  ExpectRefused("a = x and not exists a", "'a = x' (byte 0) and 'not exists a' (byte 14)");
  ExpectRefused("not exists a and exists a", "'not exists a' (byte 4) and 'exists a' (byte 17)");
  ExpectRefused("a = x and a != x", "'a = x' (byte 0) and 'a != x' (byte 10)");
  ExpectRefused("a in (x, y) and a in (u, v, w, z)",
                "'a in (x, y)' (byte 0) and 'a in (u, v, w, ...)' (byte 16)");
  ExpectRefused("b = u and a = x and c = u and a = y", "'a = x' (byte 10) and 'a = y' (byte 30)");
}

TEST(Contradiction, OfThree) {
  ExpectRefused("a in (x, y) and a != x and a != y",
                "'a in (x, y)' (byte 0), 'a != x' (byte 16) and 'a != y' (byte 27)");
}

TEST(Contradiction, ThroughNotAndParentheses) {
  ExpectRefused("a = x and (b = y and (a = y))", "'a = x' (byte 0) and 'a = y' (byte 22)");
  ExpectRefused("a = x and not not a = y", "'a = x' (byte 0) and 'a = y' (byte 18)");
  ExpectRefused("not (a = x or not a = x)", "'a != x' (byte 5) and 'a = x' (byte 18)");
}

TEST(Contradiction, OfEachAlternative) {
  ExpectRefused("(a = x and a = y) or (b = x and b = y)", "'a = x' (byte 1) and 'a = y' (byte 11)");
  ExpectRefused("a = x and (a = y or not exists a)", "'a = x' (byte 0) and 'a = y' (byte 11)");
  ExpectRefused("a = x and not (a = x and b != x) and b = y", "'a = x' (byte 0) and 'a != x' (byte 15)");
  EXPECT_THAT(Refusal("a = x and (a = y or a = z)"),
              StatusIs(kInvalid, "and so do others in the other alternatives"));
  EXPECT_THAT(Refusal("(b = x or c = y) and a = x and a = y"), StatusIs(kInvalid, "contradict each other"));
}

TEST(Contradiction, NotOfWhatSomeGraphMatches) {
  for (const char* text :
       {"a = x and b = y", "a = x or a = y", "a != x and not exists a", "exists a and a not in (x, y)",
        "a in (x, y) and a != x", "(a = x and a = y) or b = z", "a = x and (a = y or b = z)",
        "not (a = x and a = y)", "a = x and a = x", "a = x and exists a",
        "(a = x or b = x) and (a = y or b = y)", "a = x and not (a = x and b = x)"}) {
    EXPECT_THAT(Refusal(text), IsOk()) << text;
  }
}

// As documented: two alternatives are not held against each other.
TEST(Contradiction, OfTwoAlternativesIsNotLookedFor) {
  EXPECT_THAT(Refusal("(a = x or a = y) and (a = u or a = v)"), IsOk());
}

}  // namespace
}  // namespace kindred
