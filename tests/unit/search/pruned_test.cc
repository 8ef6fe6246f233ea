// The pruned search at sizes where it prunes: equal to the exhaustive one, hit for hit, whatever is asked.

#include "index/search/pruned.h"

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/histogram/packed.h"
#include "tests/support/corpus.h"
#include "tests/support/graphs.h"
#include "tests/support/segment_builder.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stored_graphs.h"

namespace kindred {
namespace {

using test::GrowHistogram;
using test::Must;

// Segments of histograms, and the same histograms for the oracle; without the model, which is slow.
class PrunedSearch : public ::testing::Test {
 protected:
  void Add(const std::string& id, Histogram histogram) {
    builder_.Add(GraphId{++last_id_}, id, histogram);
    std::string packed;
    AppendPacked(packed, histogram);
    plain_builder_.Add(GraphId{last_id_}, id, histogram.vertex_count(), packed);
    all_.emplace_back(id, std::move(histogram));
  }
  void Add(const std::string& id, const Graph& graph) {
    Add(id, GrowHistogram(hierarchy_, graph, kLevels - 1));
  }
  void Seal(Ordering ordering = Ordering::kBySimilarity) {
    segments_.push_back({std::exchange(builder_, {}).Build(ordering), nullptr});
    plain_.push_back({std::exchange(plain_builder_, {}).Build(), nullptr});
  }

  // Every third graph from `first` on is deleted.
  void HideSome(size_t first) {
    for (size_t i = first; i < all_.size(); i += 3) {
      for (std::vector<SegmentView>* const views : {&segments_, &plain_}) {
        for (SegmentView& view : *views) {
          if (view.segment->graphs().Find(GraphId{i + 1})) {
            test::HideGraph(view, GraphId{i + 1});
            all_[i].first.clear();  // No id: gone.
          }
        }
      }
    }
  }

  Query MakeQuery(const Graph& graph, Measure measure, uint32_t k, std::optional<double> least = {},
                  std::optional<uint32_t> depth = {}, const std::vector<double>& weights = {}) const {
    return {Histogram::Of(RefineKnown(hierarchy_.view(), graph, kLevels - 1)),
            Must(Scoring::Create(measure, kLevels - 1, depth, weights)), k, least};
  }

  Answer ExpectEqual(const Query& query) const {
    const Answer pruned = Must(PrunedSearcher(segments_).Search(query, Interrupt()));
    const Answer expected = Must(ExhaustiveSearcher([this](const HistogramVisitor& visit) {
                                   for (const auto& [id, histogram] : all_) {
                                     if (!id.empty()) {
                                       EXPECT_TRUE(visit(id, histogram).ok());
                                     }
                                   }
                                   return absl::OkStatus();
                                 }).Search(query, Interrupt()));
    EXPECT_EQ(pruned.hits, expected.hits);
    EXPECT_EQ(Must(PrunedSearcher(plain_).Search(query, Interrupt())).hits, expected.hits) << "not inverted";
    return pruned;
  }

  static constexpr uint32_t kLevels = 4;
  ColourHierarchy hierarchy_;
  uint64_t last_id_ = 0;
  test::SegmentBuilder builder_;
  std::vector<std::pair<std::string, Histogram>> all_;
  std::vector<SegmentView> segments_;
  PlainSegmentBuilder plain_builder_;
  std::vector<SegmentView> plain_;  // The same, not inverted.
};

class PrunedMolecules : public PrunedSearch {
 protected:
  // Four thousand in a large segment, fewer in others, one of them not ordered.
  void SetUp() override {
    auto source = bench::GeneratedMolecules(7);
    for (int i = 0; i < 6'000; ++i) {
      auto record = source->Next();
      Add(record->external_id, record->graph);
      if (i == 3'999 || i == 5'499) {
        Seal();
      }
    }
    Seal(Ordering::kBySize);
    HideSome(100);
    for (int i = 0; i < 12; ++i) {
      queries_.push_back(source->Next()->graph);
    }
  }

  std::vector<Graph> queries_;
};

TEST_F(PrunedMolecules, EqualsTheOracleForEveryMeasureAndNumber) {
  uint64_t bounded = 0;
  uint64_t scored = 0;
  for (const Graph& graph : queries_) {
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      for (const uint32_t k : {1u, 10u, 100u, 3'000u, 10'000u}) {
        const Answer answer = ExpectEqual(MakeQuery(graph, measure, k));
        bounded += k == 1 ? answer.stats.blocks_bounded : 0;
        scored += k == 1 ? answer.stats.blocks_scored : 0;
      }
    }
  }
  EXPECT_LT(scored * 4, bounded) << "nothing to speak of was pruned";
}

TEST_F(PrunedMolecules, EqualsTheOracleForEveryDepthAndWeight) {
  const std::vector<std::vector<double>> weightings{{3, 3, 3, 3},      {1, 2, 4, 8},
                                                    {0, 0, 0, 1},      {0.1, 0.1, 0.1, 0.1},
                                                    {1, 0, 0.3, 1e-9}, {1 << 20, 0, 1, 0.5}};
  for (const Graph& graph : queries_) {
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      for (uint32_t depth = 0; depth < kLevels; ++depth) {
        ExpectEqual(MakeQuery(graph, measure, 10, {}, depth));
      }
      for (const std::vector<double>& weights : weightings) {
        ExpectEqual(MakeQuery(graph, measure, 10, {}, {}, weights));
        ExpectEqual(MakeQuery(graph, measure, 500, 0.3, {}, weights));
      }
    }
  }
}

TEST_F(PrunedMolecules, EqualsTheOracleForEveryThreshold) {
  for (const Graph& graph : queries_) {
    for (const double least : {0.0, 0.3, 0.5, 2.0 / 3, 0.9, 1.0}) {
      ExpectEqual(MakeQuery(graph, Measure::kTanimoto, 10'000, least));
      ExpectEqual(MakeQuery(graph, Measure::kCosine, 5, least));
      ExpectEqual(MakeQuery(graph, Measure::kKernel, 10'000, least * 100));
    }
  }
}

TEST_F(PrunedMolecules, EqualsItselfInAnyNumberOfPartsOnAnyThreads) {
  const RunParts on_threads = [](size_t count, const std::function<void(size_t)>& work) {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < count; ++i) {
      threads.emplace_back([&work, i] { work(i); });
    }
  };
  for (const Graph& graph : queries_) {
    for (const uint32_t k : {1u, 10u, 5'000u}) {
      const Query query = MakeQuery(graph, Measure::kTanimoto, k);
      const auto whole = Must(PrunedSearcher(segments_).Search(query, Interrupt())).hits;
      for (const uint32_t parts : {2u, 3u, 16u}) {
        EXPECT_EQ(Must(PrunedSearcher(segments_, parts, on_threads).Search(query, Interrupt())).hits, whole);
      }
    }
  }
}

TEST_F(PrunedMolecules, AStoredGraphFindsItself) {
  auto source = bench::GeneratedMolecules(7);
  const auto first = source->Next();
  const Answer answer = ExpectEqual(MakeQuery(first->graph, Measure::kTanimoto, 1));
  EXPECT_EQ(answer.hits.front().similarity, 1.0);
}

// Outsize graphs, blocks with large ones, counts beyond a byte and beyond 16 bits, among small ones.
TEST_F(PrunedSearch, GraphsOfEverySizeAnswerQueriesOfEverySize) {
  test::Rng rng(3);
  std::vector<Graph> queries;
  int next = 0;
  for (const uint32_t vertices :
       {1u, 2u, 30u, 254u, 255u, 256u, 257u, 1'000u, 4'095u, 4'096u, 5'000u, 70'000u}) {
    for (const uint32_t labels : {1u, 3u, 200u}) {
      std::vector<std::string> names;
      std::vector<test::EdgeSpec> edges;
      for (uint32_t i = 0; i < vertices; ++i) {
        names.push_back("L" + std::to_string(test::Below(rng, labels)));
        if (i > 0 && test::Below(rng, 4) != 0) {
          edges.push_back(
              {static_cast<uint32_t>(test::Below(rng, i)), i, test::Below(rng, 3) == 0 ? "x" : ""});
        }
      }
      queries.push_back(test::MakeGraph(names, edges));
      Add("g" + std::to_string(next++), queries.back());
      Add("again" + std::to_string(next++), queries.back());
    }
  }
  Seal();
  for (const Graph& query : queries) {
    for (const Measure measure : {Measure::kKernel, Measure::kCosine, Measure::kTanimoto}) {
      ExpectEqual(MakeQuery(query, measure, 3));
      ExpectEqual(MakeQuery(query, measure, 100, {}, {}, {0.5, 1, 0.1, 7}));
      ExpectEqual(MakeQuery(query, measure, 2, {}, 1));
    }
  }
}

TEST_F(PrunedSearch, AHundredThousandCopiesAreTiesInTheOrderOfTheirIds) {
  const Histogram histogram = GrowHistogram(hierarchy_, test::Cycle("CCCCCN"), kLevels - 1);
  for (int i = 0; i < 100'000; ++i) {
    Add("copy" + std::to_string(i * 7'919 % 100'000), histogram);
  }
  Seal();
  const Answer answer = ExpectEqual(MakeQuery(test::Cycle("CCCCCN"), Measure::kTanimoto, 10));
  EXPECT_EQ(answer.hits.front().id, "copy0");
  ExpectEqual(MakeQuery(test::Cycle("CCCCCC"), Measure::kKernel, 1'000));
}

// More than 65,536 blocks survive: positions of survivors do not fit 16 bits.
TEST_F(PrunedSearch, AMillionGraphsOfOneVertexAllSurvive) {
  const Histogram carbon = GrowHistogram(hierarchy_, test::Isolated("C"), kLevels - 1);
  const Histogram oxygen = GrowHistogram(hierarchy_, test::Isolated("O"), kLevels - 1);
  for (int i = 0; i < 1'060'000; ++i) {
    Add(std::to_string(i), i % 1'000 == 0 ? oxygen : carbon);
  }
  Seal();
  const Answer answer = ExpectEqual(MakeQuery(test::Isolated("C"), Measure::kTanimoto, 10));
  EXPECT_GT(answer.stats.blocks_scored, 65'536u);
  ExpectEqual(MakeQuery(test::Isolated("O"), Measure::kCosine, 2'000));
}

}  // namespace
}  // namespace kindred
