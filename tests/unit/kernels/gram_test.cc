// Gram: sums over features, from their numbers alone.

#include "index/kernels/gram.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/gram_rows.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::RowsOf;
using test::StatusIs;
using Matrix = std::vector<std::vector<double>>;

Gram Make(Combination combination, const std::vector<std::vector<FeatureCount>>& graphs) {
  Gram::Builder builder(combination, 1000);
  for (const auto& features : graphs) {
    EXPECT_THAT(builder.Add(features), IsOk());
  }
  return std::move(builder).Build();
}

// Features of any numbers; 4'000'000'000 is of one graph alone, the last graph has none.
const std::vector<std::vector<FeatureCount>> kGraphs{
    {{7, 3}, {900'000, 1}}, {{900'000, 2}, {4'000'000'000, 5}}, {{7, 2}, {900'000, 2}}, {}};

TEST(Gram, AddsUpMinimaOrProducts) {
  EXPECT_EQ(RowsOf(Make(Combination::kMinimum, kGraphs)),
            (Matrix{{4, 1, 3, 0}, {1, 7, 2, 0}, {3, 2, 4, 0}, {0, 0, 0, 0}}));
  EXPECT_EQ(RowsOf(Make(Combination::kProduct, kGraphs)),
            (Matrix{{10, 2, 8, 0}, {2, 29, 4, 0}, {8, 4, 8, 0}, {0, 0, 0, 0}}));
}

TEST(Gram, WhatOneGraphAloneHasTakesNoEntry) {
  EXPECT_EQ(Make(Combination::kMinimum, kGraphs).entry_count(), 5u);
}

TEST(Gram, NormalizedIsTheCosineAnd0ForAGraphWithoutFeatures) {
  const Matrix rows = RowsOf(Make(Combination::kMinimum, kGraphs), true);
  EXPECT_EQ(rows[0], (std::vector<double>{1, 1 / std::sqrt(28.0), 3 / 4.0, 0}));
  EXPECT_EQ(rows[3], (std::vector<double>{0, 0, 0, 0}));
}

TEST(Gram, APartOfARowIsThatOfTheWholeRow) {
  for (const Combination combination : {Combination::kMinimum, Combination::kProduct}) {
    const Gram gram = Make(combination, kGraphs);
    for (const bool normalize : {false, true}) {
      const Matrix rows = RowsOf(gram, normalize);
      for (size_t row = 0; row < rows.size(); ++row) {
        for (size_t first = 0; first < rows.size(); ++first) {
          std::vector<double> part(rows.size() - first);
          ASSERT_THAT(gram.Row(row, first, part, Interrupt()), IsOk());
          if (normalize) {
            gram.Normalize(row, first, part);
          }
          EXPECT_EQ(part, std::vector<double>(rows[row].begin() + static_cast<std::ptrdiff_t>(first),
                                              rows[row].end()));
        }
      }
    }
  }
}

TEST(Gram, EntriesAtTheEdgeOfTheLimit) {
  Gram::Builder builder(Combination::kMinimum, 3);
  const std::vector<FeatureCount> two{{1, 1}, {2, 1}};
  const std::vector<FeatureCount> one{{1, 1}};
  EXPECT_THAT(builder.Add(two), IsOk());
  EXPECT_THAT(builder.Add(two), StatusIs(absl::StatusCode::kResourceExhausted,
                                         "counted features of the graphs of the matrix: 4 is over the limit "
                                         "kernel_entries_max = 3"));
  EXPECT_THAT(builder.Add(one), IsOk());
  EXPECT_EQ(RowsOf(std::move(builder).Build()), (Matrix{{2, 1}, {1, 1}}));
}

TEST(Gram, AnEmptyMatrixHasNoRows) { EXPECT_EQ(Make(Combination::kProduct, {}).size(), 0u); }

TEST(Gram, RowsStopWhenInterrupted) {
  const std::vector<FeatureCount> feature{{1, 1}};
  const Gram gram = Make(Combination::kMinimum, std::vector<std::vector<FeatureCount>>(1000, feature));
  std::vector<double> row(1000);
  const Interrupt cancelled([] { return true; }, Interrupt::Clock::time_point::max());
  EXPECT_THAT(gram.Row(0, 0, row, cancelled), IsOk());  // Too short to be asked.
  std::vector<FeatureCount> many;
  for (uint32_t i = 0; i < 10; ++i) {
    many.push_back({i, 1});
  }
  Gram::Builder builder(Combination::kMinimum, UINT64_MAX);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_THAT(builder.Add(many), IsOk());
  }
  EXPECT_THAT(std::move(builder).Build().Row(0, 0, row, cancelled),
              StatusIs(absl::StatusCode::kCancelled, ""));
}

}  // namespace
}  // namespace kindred
