// Every kernel equals that of the paper's authors' own program, entry by entry, edge labels ignored, on
// MUTAG, PTC_MR and ENZYMES: from an index, and from the graphs alone.

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/kernel_matrix.h"
#include "index/histogram/histogram.h"
#include "tests/support/corpus.h"
#include "tests/support/engine_harness.h"
#include "tests/support/gram_rows.h"
#include "tests/support/shared_data.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kReferenceDepth = 5;

struct ReferenceCase {
  std::string dataset;
  std::string kernel;  // As in the name of the file.
  KernelKind kind = KernelKind::kWlOa;
  uint32_t depth = 0;
};

// Their names for the kernels.
KernelKind KindOf(const std::string& kernel) {
  static const std::map<std::string, KernelKind> kinds{{"VL", KernelKind::kV},   {"VLOA", KernelKind::kVOa},
                                                       {"ELU", KernelKind::kE},  {"ELUOA", KernelKind::kEOa},
                                                       {"WLS", KernelKind::kWl}, {"WLOA", KernelKind::kWlOa},
                                                       {"GL3", KernelKind::kGl}, {"SP", KernelKind::kSp}};
  return kinds.at(kernel.substr(0, kernel.find('_')));
}

std::vector<ReferenceCase> Cases() {
  std::vector<ReferenceCase> cases;
  const auto add = [&cases](const std::string& dataset, const std::vector<std::string>& kernels) {
    for (const std::string& kernel : kernels) {
      const size_t depth = kernel.find('_');
      cases.push_back(
          {dataset, kernel, KindOf(kernel),
           depth == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(kernel.substr(depth + 1)))});
    }
  };
  for (const char* dataset : {"MUTAG", "PTC_MR"}) {
    add(dataset, {"VL", "VLOA", "ELU", "ELUOA", "WLS_3", "WLOA_0", "WLOA_1", "WLOA_2", "WLOA_3", "WLOA_5",
                  "GL3", "SP"});
  }
  add("ENZYMES", {"VLOA", "ELUOA", "WLS_3", "WLOA_1", "WLOA_3", "WLOA_5", "GL3", "SP"});
  return cases;
}

// A data set in an engine of depth 5, every graph tagged with its class.
struct Stored {
  TuDataset data;
  std::unique_ptr<EngineHarness> harness;
  std::vector<Histogram> histograms;  // From a hierarchy of their own.
};

class ReferenceKernels : public ::testing::TestWithParam<ReferenceCase> {
 protected:
  static void TearDownTestSuite() { sets_.clear(); }

  static const Stored& Load(const std::string& name) {
    Stored& stored = sets_[name];
    if (stored.harness == nullptr) {
      stored.data = LoadTu(name, false);
      stored.harness = std::make_unique<EngineHarness>(OptionsOf(2, kReferenceDepth));
      std::vector<Mutation> puts;
      ColourHierarchy hierarchy;
      for (size_t i = 0; i < stored.data.graphs.size(); ++i) {
        puts.push_back(PutOf(std::to_string(i + 1), stored.data.graphs[i]));
        (*puts.back().record)->tags = {{"class", stored.data.classes[i]}};
        stored.histograms.push_back(GrowHistogram(hierarchy, stored.data.graphs[i], kReferenceDepth));
      }
      EXPECT_THAT(stored.harness->Write(std::move(puts)).status, IsOk());
    }
    return stored;
  }

  static inline std::map<std::string, Stored> sets_;
};

INSTANTIATE_TEST_SUITE_P(Sets, ReferenceKernels, ::testing::ValuesIn(Cases()),
                         [](const auto& param) { return param.param.dataset + "_" + param.param.kernel; });

// Optimal assignments of colours, which are made of level overlaps.
class ReferenceOverlaps : public ReferenceKernels {
 public:
  static std::vector<ReferenceCase> ColourCases() {
    std::vector<ReferenceCase> cases = Cases();
    std::erase_if(cases, [](const ReferenceCase& each) {
      return each.kind != KernelKind::kWlOa && each.kind != KernelKind::kVOa;
    });
    return cases;
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, ReferenceOverlaps, ::testing::ValuesIn(ReferenceOverlaps::ColourCases()),
                         [](const auto& param) { return param.param.dataset + "_" + param.param.kernel; });

TEST_P(ReferenceKernels, KernelMatrixEqualsTheAuthorsEntryByEntry) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const GramMatrix expected = LoadGram(GetParam().dataset, GetParam().kernel);
  const Stored& stored = Load(GetParam().dataset);
  const KernelRequest request{GetParam().depth, false, {}, "class", GetParam().kind};
  const KernelMatrix matrix =
      Must(KernelMatrix::Create(*stored.harness->Newest(), request, Limits(), Interrupt()));
  ASSERT_EQ(matrix.size(), expected.rows.size());
  for (size_t row = 0; row < matrix.size(); ++row) {
    ASSERT_EQ(matrix.id(row), std::to_string(row + 1));
    ASSERT_EQ(matrix.tag(row), expected.classes[row]) << "graph " << row + 1;
    ASSERT_EQ(Must(matrix.Values(row, Interrupt())), expected.rows[row]) << "graph " << row + 1;
  }
}

TEST_P(ReferenceKernels, KernelOfTheGraphsAloneEqualsTheAuthorsEntryByEntry) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const GramMatrix expected = LoadGram(GetParam().dataset, GetParam().kernel);
  const Gram gram = GramOf(GetParam().kind, static_cast<Level>(GetParam().depth),
                           Load(GetParam().dataset).data.graphs, 100, 2);
  ASSERT_EQ(gram.size(), expected.rows.size());
  const auto rows = RowsOf(gram);
  for (size_t row = 0; row < rows.size(); ++row) {
    ASSERT_EQ(rows[row], expected.rows[row]) << "graph " << row + 1;
  }
}

TEST_P(ReferenceOverlaps, LevelOverlapsAddUpToTheAuthorsEntryByEntry) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const GramMatrix expected = LoadGram(GetParam().dataset, GetParam().kernel);
  const Stored& stored = Load(GetParam().dataset);
  ASSERT_EQ(stored.histograms.size(), expected.rows.size());
  EXPECT_EQ(stored.data.classes, expected.classes);
  for (size_t i = 0; i < stored.histograms.size(); ++i) {
    ASSERT_EQ(expected.rows[i].size(), stored.histograms.size());
    for (size_t j = i; j < stored.histograms.size(); ++j) {
      const std::vector<uint32_t> overlaps = LevelOverlaps(stored.histograms[i], stored.histograms[j]);
      uint64_t kernel = 0;
      for (uint32_t level = 0; level <= GetParam().depth; ++level) {
        kernel += overlaps[level];
      }
      ASSERT_EQ(static_cast<double>(kernel), expected.rows[i][j]) << "graphs " << i + 1 << " and " << j + 1;
      ASSERT_EQ(static_cast<double>(kernel), expected.rows[j][i]) << "graphs " << j + 1 << " and " << i + 1;
    }
  }
}

// So that a matrix that is there is not passed over.
TEST(ReferenceData, EveryMatrixIsACase) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  std::set<std::string> known;
  for (const ReferenceCase& each : Cases()) {
    known.insert(each.dataset + "__" + each.kernel + ".gram.gz");
  }
  for (const auto& file : std::filesystem::directory_iterator(*SharedData() / "reference")) {
    EXPECT_EQ(known.erase(file.path().filename().string()), 1u) << file.path();
  }
  EXPECT_TRUE(known.empty()) << *known.begin() << " is not there";
}

// Edge labels change MUTAG's kernel, so that the matrices above would notice if they were not ignored.
TEST(ReferenceData, EdgeLabelsMatter) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const TuDataset plain = LoadTu("MUTAG", false);
  const TuDataset labelled = LoadTu("MUTAG", true);
  ColourHierarchy hierarchy;
  size_t different = 0;
  for (size_t i = 0; i + 1 < plain.graphs.size(); ++i) {
    const auto overlaps = [&](const TuDataset& set) {
      return LevelOverlaps(GrowHistogram(hierarchy, set.graphs[i], 1),
                           GrowHistogram(hierarchy, set.graphs[i + 1], 1));
    };
    different += overlaps(plain) != overlaps(labelled) ? 1 : 0;
  }
  EXPECT_GT(different, 0u);
}

}  // namespace
}  // namespace kindred::test
