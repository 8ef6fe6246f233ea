// KernelMatrix: the kernel of every pair, in the order asked for, from the stored histograms.

#include "index/engine/kernel_matrix.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/naive_kernels.h"
#include "tests/support/reference_model.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::IsOk;
using test::Must;
using test::Path;
using test::StatusIs;

class KernelMatrices : public ::testing::Test {
 protected:
  KernelMatrices() {
    harness_.Put("heptane", Path("CCCCCCC"));
    harness_.Put("nitrogen", Path("NN"));
    harness_.Put("propane", Path("CCC"));
    harness_.Put("heptane", Path("CCCCCCC"));  // Replaced: now the last commit.
    harness_.Put("gone", Path("CC"));
    harness_.Delete("gone");
  }

  absl::StatusOr<KernelMatrix> Create(const KernelRequest& request) {
    return KernelMatrix::Create(*harness_.Newest(), request, harness_.engine().limits(), Interrupt());
  }

  static KernelRequest Request(std::optional<uint32_t> depth, bool normalize, std::vector<std::string> ids) {
    return {depth, normalize, std::move(ids), "", KernelKind::kWlOa};
  }

  static std::vector<std::vector<double>> Rows(const KernelMatrix& matrix) {
    std::vector<std::vector<double>> rows;
    for (size_t row = 0; row < matrix.size(); ++row) {
      rows.push_back(Must(matrix.Values(row, Interrupt())));
    }
    return rows;
  }

  EngineHarness harness_{test::OptionsOf(1, 2)};
};

using Matrix = std::vector<std::vector<double>>;

TEST_F(KernelMatrices, AllGraphsComeInTheOrderOfTheirCommits) {
  const KernelMatrix matrix = Must(Create({}));
  ASSERT_EQ(matrix.size(), 3u);
  EXPECT_EQ(matrix.id(0), "nitrogen");
  EXPECT_EQ(matrix.id(1), "propane");
  EXPECT_EQ(matrix.id(2), "heptane");
  // Propane and heptane: level 0 3; level 1 two ends, one inner; level 2 the ends e{i}.
  EXPECT_EQ(Rows(matrix), (Matrix{{6, 0, 0}, {0, 9, 8}, {0, 8, 21}}));
}

TEST_F(KernelMatrices, IdsComeInTheOrderAskedForAndMayRepeat) {
  const KernelMatrix matrix = Must(Create(Request(0, false, {"propane", "nitrogen", "propane"})));
  EXPECT_EQ(matrix.id(2), "propane");
  EXPECT_EQ(Rows(matrix), (Matrix{{3, 0, 3}, {0, 2, 0}, {3, 0, 3}}));
}

TEST_F(KernelMatrices, NormalizedIsTheCosine) {
  const KernelMatrix matrix = Must(Create(Request(2, true, {"propane", "heptane"})));
  const double cosine = 8 / std::sqrt(9.0 * 21.0);
  EXPECT_EQ(Rows(matrix), (Matrix{{1, cosine}, {cosine, 1}}));
}

TEST_F(KernelMatrices, RowsCarryATag) {
  Mutation tagged = test::PutOf("tagged", Path("C"));
  (*tagged.record)->tags = {{"other", "x"}, {"class", "7"}, {"class", "8"}};
  harness_.Write({tagged});
  KernelRequest request = Request({}, false, {"tagged", "propane"});
  EXPECT_EQ(Must(Create(request)).tag(0), "");
  request.row_tag = "class";
  const KernelMatrix matrix = Must(Create(request));
  EXPECT_EQ(matrix.tag(0), "7");
  EXPECT_EQ(matrix.tag(1), "");
}

TEST_F(KernelMatrices, RefusesWhatIsNotStoredAndADepthBeyond) {
  EXPECT_THAT(Create(Request({}, false, {"propane", "gone"})),
              StatusIs(absl::StatusCode::kNotFound, "ids[1]: no graph has the id 'gone'"));
  EXPECT_THAT(Create(Request(3, false, {})), StatusIs(absl::StatusCode::kFailedPrecondition, "depth"));
}

TEST_F(KernelMatrices, GraphsAtTheEdgeOfTheLimit) {
  Limits limits;
  limits.kernel_graphs_max = 3;
  EXPECT_THAT(KernelMatrix::Create(*harness_.Newest(), {}, limits, Interrupt()), IsOk());
  const KernelRequest four = Request({}, false, std::vector<std::string>(4, "propane"));
  EXPECT_THAT(KernelMatrix::Create(*harness_.Newest(), four, limits, Interrupt()),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "graphs of the matrix: 4 is over the limit kernel_graphs_max = 3"));
  harness_.Put("fourth", Path("C"));
  EXPECT_THAT(KernelMatrix::Create(*harness_.Newest(), {}, limits, Interrupt()),
              StatusIs(absl::StatusCode::kResourceExhausted, "kernel_graphs_max = 3"));
}

TEST_F(KernelMatrices, EntriesAtTheEdgeOfTheLimit) {
  // Colours of depth 0: one each. Edges: one kind each.
  for (const KernelKind kind : {KernelKind::kVOa, KernelKind::kE}) {
    KernelRequest request = Request({}, false, {});
    request.kind = kind;
    Limits limits;
    limits.kernel_entries_max = 3;
    EXPECT_THAT(KernelMatrix::Create(*harness_.Newest(), request, limits, Interrupt()), IsOk());
    limits.kernel_entries_max = 2;
    EXPECT_THAT(KernelMatrix::Create(*harness_.Newest(), request, limits, Interrupt()),
                StatusIs(absl::StatusCode::kResourceExhausted, "kernel_entries_max = 2"));
  }
}

TEST_F(KernelMatrices, AnEmptyIndexHasAnEmptyMatrix) {
  EngineHarness empty;
  EXPECT_EQ(Must(KernelMatrix::Create(*empty.Newest(), {}, Limits(), Interrupt())).size(), 0u);
}

TEST_F(KernelMatrices, StopsWhenInterrupted) {
  const Interrupt cancelled([] { return true; }, Interrupt::Clock::time_point::max());
  for (const KernelTraits& traits : kKernels) {
    KernelRequest request;
    request.kind = traits.kind;
    EXPECT_THAT(KernelMatrix::Create(*harness_.Newest(), request, Limits(), cancelled),
                StatusIs(absl::StatusCode::kCancelled, ""));
  }
}

TEST_F(KernelMatrices, EqualTheDefinitionAtEveryDepth) {
  constexpr uint64_t kSeed = 101;
  test::Rng rng(kSeed);
  EngineHarness harness(test::OptionsOf(1, 3));
  std::vector<Mutation> puts;
  std::vector<test::NaiveHistogram> naive;
  for (int i = 0; i < 25; ++i) {
    const Graph graph = test::RandomGraph(rng);
    puts.push_back(test::PutOf("g" + std::to_string(i), graph));
    naive.push_back(test::NaiveHistogramOf(graph, 3));
  }
  harness.Write(std::move(puts));
  for (uint32_t depth = 0; depth <= 3; ++depth) {
    const auto rows =
        Rows(Must(KernelMatrix::Create(*harness.Newest(), Request(depth, false, {}), Limits(), Interrupt())));
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t j = 0; j < rows.size(); ++j) {
        const auto overlaps = test::NaiveOverlaps(naive[i], naive[j]);
        uint64_t expected = 0;
        for (uint32_t level = 0; level <= depth; ++level) {
          expected += overlaps[level];
        }
        ASSERT_EQ(rows[i][j], static_cast<double>(expected)) << "seed " << kSeed << " at " << i << ", " << j;
      }
    }
  }
}

TEST_F(KernelMatrices, EveryKernelEqualsItsDefinition) {
  constexpr uint64_t kSeed = 102;
  test::Rng rng(kSeed);
  EngineHarness harness(test::OptionsOf(2, 2));
  std::vector<Mutation> puts;
  // More than are read at a time.
  const std::vector<Graph> graphs = test::RandomGraphs(rng, 100);
  for (size_t i = 0; i < graphs.size(); ++i) {
    puts.push_back(test::PutOf("g" + std::to_string(i), graphs[i]));
  }
  harness.Write(std::move(puts));
  const ParallelFor parallel_for = [&](size_t count, const std::function<void(size_t)>& work) {
    harness.engine().executor().ParallelFor(count, work);
  };
  for (const KernelTraits& traits : kKernels) {
    KernelRequest request = Request({}, false, {});
    request.kind = traits.kind;
    const auto rows =
        Rows(Must(KernelMatrix::Create(*harness.Newest(), request, Limits(), Interrupt(), parallel_for)));
    std::vector<std::vector<std::string>> parts;
    for (const Graph& graph : graphs) {
      parts.push_back(test::NaiveParts(traits.kind, graph, 2));
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t j = 0; j < rows.size(); ++j) {
        ASSERT_EQ(rows[i][j], static_cast<double>(test::NaiveKernel(traits.kind, parts[i], parts[j])))
            << traits.name << ", seed " << kSeed << " at " << i << ", " << j;
      }
    }
  }
}

}  // namespace
}  // namespace kindred
