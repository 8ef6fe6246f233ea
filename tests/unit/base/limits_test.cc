// Limits and statuses: one row a limit, and one wording for going over it.

#include "index/base/limits.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "index/base/status.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::StatusIs;

TEST(Limits, EveryMemberHasExactlyOneRow) {
  EXPECT_EQ(kLimits.size() * sizeof(uint64_t), sizeof(Limits));
  std::set<std::string> names;
  Limits marked;
  for (const LimitInfo& info : kLimits) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_NE(marked.*info.value, 12'345'678u) << info.name << " names a member another row names";
    marked.*info.value = 12'345'678;
    EXPECT_NE(std::string(info.reason), "") << info.name;
  }
}

TEST(Limits, DefaultsLieWithinTheirRange) {
  const Limits defaults;
  for (const LimitInfo& info : kLimits) {
    EXPECT_LE(info.lowest, defaults.*info.value) << info.name;
    EXPECT_GE(info.highest, defaults.*info.value) << info.name;
  }
}

TEST(Limits, HighestLimitsAreTheTopOfEveryRange) {
  const Limits highest = HighestLimits();
  for (const LimitInfo& info : kLimits) {
    EXPECT_EQ(highest.*info.value, info.highest) << info.name;
  }
}

// measure.cc multiplies K * K * n in 128 bits and casts K from a double.
TEST(Limits, TheLargestKernelValueIsExactAndItsCrossProductsFit) {
  const double kernel_max = kWeightMax * kLevelsMax * static_cast<double>(HighestLimits().vertices_max);
  EXPECT_LE(kernel_max, 0x1p53);
  EXPECT_LT(kernel_max * kernel_max * static_cast<double>(HighestLimits().vertices_max), 0x1p127);
}

TEST(Status, OverLimitNamesFieldValueLimitAndItsSetting) {
  const absl::Status status = OverLimit("vertices", 11, "vertices_max", 10);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "vertices: 11 is over the limit vertices_max = 10");
}

TEST(Status, AnnotatePutsThePathBeforeTheMessageAndKeepsTheCode) {
  EXPECT_THAT(Annotate(InvalidArgument("edges[{}]: bad", 3), "items[7].graph."),
              StatusIs(absl::StatusCode::kInvalidArgument, "items[7].graph.edges[3]: bad"));
  EXPECT_TRUE(Annotate(absl::OkStatus(), "x").ok());
}

absl::StatusOr<int> Halve(int value) {
  if (value % 2 != 0) {
    return InvalidArgument("{} is odd", value);
  }
  return value / 2;
}

absl::StatusOr<int> Quarter(int value) {
  KINDRED_ASSIGN_OR_RETURN(const int half, Halve(value));
  KINDRED_RETURN_IF_ERROR(Halve(half).status());
  return Halve(half);
}

TEST(Status, MacrosReturnTheFirstErrorAndElseGoOn) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_THAT(Quarter(13), StatusIs(absl::StatusCode::kInvalidArgument, "13 is odd"));
  EXPECT_THAT(Quarter(14), StatusIs(absl::StatusCode::kInvalidArgument, "7 is odd"));
}

}  // namespace
}  // namespace kindred
