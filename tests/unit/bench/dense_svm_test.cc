// DenseSvm: classifies as LIBSVM does, which shares no code with it, for two classes and for more.

#include "bench/dense_svm.h"

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "bench/svm.h"
#include "gtest/gtest.h"

namespace kindred::bench {
namespace {

struct Data {
  Matrix matrix;
  std::vector<int> classes;
  std::vector<uint32_t> train;
  std::vector<uint32_t> first;
  std::vector<uint32_t> second;
};

// Classes overlap, so that low costs hold back, and high ones separate or do not.
Data RandomData(size_t size, int class_count, int bins, uint64_t seed) {
  std::mt19937_64 random(seed);
  Data data;
  std::vector<std::vector<int>> histograms;
  for (uint32_t i = 0; i < size; ++i) {
    data.classes.push_back(static_cast<int>(random() % static_cast<uint64_t>(class_count)));
    std::vector<int> histogram(static_cast<size_t>(bins));
    for (int bin = 0; bin < bins; ++bin) {
      histogram[static_cast<size_t>(bin)] =
          static_cast<int>(random() % 10) + (bin % class_count == data.classes.back() ? 2 : 0);
    }
    histograms.push_back(std::move(histogram));
    (i % 5 == 3 ? data.first : i % 5 == 4 ? data.second : data.train).push_back(i);
  }
  data.matrix.size = size;
  for (const auto& one : histograms) {
    for (const auto& other : histograms) {
      int sum = 0;
      for (size_t bin = 0; bin < one.size(); ++bin) {
        sum += std::min(one[bin], other[bin]);
      }
      data.matrix.values.push_back(static_cast<float>(sum));
    }
  }
  return data;
}

const std::vector<double> kCosts{0.001, 0.01, 0.1, 1, 10};

TEST(DenseSvm, ClassifiesAsLibsvmDoes) {
  for (const int class_count : {2, 3, 6}) {
    for (const bool normalize : {false, true}) {
      for (const int bins : {12, 60}) {
        SCOPED_TRACE(testing::Message()
                     << class_count << " classes, " << bins << " bins, normalize " << normalize);
        const Data data = RandomData(200, class_count, bins, 11);
        const std::vector<Verdict> verdicts = DenseSvm(data.matrix, normalize, data.classes, 10'000'000)
                                                  .Judge(data.train, data.first, data.second, kCosts);
        ASSERT_EQ(verdicts.size(), kCosts.size());
        const SvmRows rows(data.matrix, normalize);
        for (size_t c = 0; c < kCosts.size(); ++c) {
          EXPECT_TRUE(verdicts[c].solved);
          EXPECT_EQ(verdicts[c].right[0], rows.CountRight(data.train, data.first, data.classes, kCosts[c]));
          EXPECT_EQ(verdicts[c].right[1], rows.CountRight(data.train, data.second, data.classes, kCosts[c]));
        }
      }
    }
  }
}

// Sixty bins separate: from some cost on nothing is held back.
TEST(DenseSvm, SaysWhichCostsHaveTheSameSolution) {
  const Data data = RandomData(200, 2, 60, 12);
  const std::vector<Verdict> verdicts = DenseSvm(data.matrix, false, data.classes, 10'000'000)
                                            .Judge(data.train, data.first, data.second, kCosts);
  EXPECT_EQ(verdicts[0].solution, 0u);
  EXPECT_EQ(verdicts[1].solution, 1u);
  EXPECT_LT(verdicts[4].solution, 4u);
  EXPECT_EQ(verdicts[4].right, verdicts[verdicts[4].solution].right);
}

TEST(DenseSvm, GivesUpHigherCostsOnceACostTakesTooManySteps) {
  const Data data = RandomData(200, 2, 12, 13);
  const std::vector<Verdict> verdicts =
      DenseSvm(data.matrix, false, data.classes, 300).Judge(data.train, data.first, data.second, kCosts);
  EXPECT_TRUE(verdicts.front().solved);
  EXPECT_FALSE(verdicts.back().solved);
  EXPECT_TRUE(std::ranges::is_sorted(verdicts, std::greater<>(), &Verdict::solved));
}

}  // namespace
}  // namespace kindred::bench
