// SelectClose against its plain twin on every vector target that the machine has, at every length.

#include "index/pairs/pair_kernels.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/support/graphs.h"
#include "tests/support/vector_targets.h"

namespace kindred {
namespace {

constexpr size_t kPlaces = 144;
constexpr uint32_t kSizes = 64;

struct CloseCase {
  explicit CloseCase(test::Rng& rng) {
    for (size_t i = 0; i < kPlaces; ++i) {
      vertices.push_back(static_cast<uint16_t>(1 + test::Below(rng, kSizes - 1)));
      reaches.push_back(static_cast<uint16_t>(test::Below(rng, 8) == 0 ? UINT16_MAX - test::Below(rng, 2)
                                                                       : test::Below(rng, kSizes)));
      sketches.push_back(probe.sketch);
    }
    for (size_t i = 0; i < kPlaces; ++i) {
      // Some near, some far.
      for (uint64_t turns = test::Below(rng, 2) * test::Below(rng, 200); turns > 0; --turns) {
        sketches[i].words[test::Below(rng, kSketchWords)] ^= uint64_t{1} << test::Below(rng, 64);
      }
    }
    probe.vertices = static_cast<uint16_t>(1 + test::Below(rng, kSizes - 1));
    probe.reach = reaches[test::Below(rng, kPlaces)];
    for (uint32_t size = 0; size < kSizes; ++size) {
      sums.push_back(static_cast<double>(test::Below(rng, 100)));
      products.push_back(static_cast<double>(test::Below(rng, 5)));
    }
    limits = {{1, 1, 1, 1}, sums.data(), products.data()};
    if (test::Below(rng, 2) == 0) {
      for (uint32_t& weight : limits.weights) {
        weight = static_cast<uint32_t>(test::Below(rng, 4));
      }
    }
  }

  CloseProbe probe;
  std::vector<uint16_t> vertices;
  std::vector<uint16_t> reaches;
  std::vector<Sketch> sketches;
  std::vector<double> sums;
  std::vector<double> products;
  CloseLimits limits;
};

TEST(PairKernels, SelectWhatTheirTwinSelectsOnEveryTarget) {
  constexpr uint64_t kSeed = 5;
  SCOPED_TRACE(kSeed);
  test::OnEveryTarget([&](const char* name) {
    SCOPED_TRACE(name);
    test::Rng rng(kSeed);
    size_t selected = 0;
    for (size_t count = 0; count <= 130; ++count) {
      for (int round = 0; round < 20; ++round) {
        const CloseCase some(rng);
        const CloseColumns columns{some.vertices.data(), some.reaches.data(), some.sketches.data()};
        std::vector<uint32_t> expected(count + 1, 12'345);
        std::vector<uint32_t> actual(count + 1, 12'345);
        const size_t size = plain::SelectClose(some.probe, columns, count, some.limits, expected.data());
        ASSERT_EQ(SelectClose(some.probe, columns, count, some.limits, actual.data()), size);
        EXPECT_EQ(actual.back(), 12'345u) << "written beyond the end";
        expected.resize(size);
        actual.resize(size);
        ASSERT_EQ(actual, expected) << "of " << count;
        selected += size;
      }
    }
    EXPECT_GT(selected, 1'000u);
  });
}

}  // namespace
}  // namespace kindred
