#include "tests/mutation/searches.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/generated_molecules.h"
#include "index/hierarchy/refinement.h"
#include "index/histogram/packed.h"
#include "index/search/exhaustive.h"
#include "index/search/pruned.h"
#include "tests/mutation/taste_comparison.h"
#include "tests/support/segment_builder.h"

namespace kindred::test {
namespace {

constexpr Level kSearchDepth = 3;
constexpr int kSearched = 4'200;  // More than a shelf.
constexpr int kQueries = 40;

class SearchComparison {
 public:
  SearchComparison() {
    auto source = bench::GeneratedMolecules(11);
    test::SegmentBuilder builder;
    PlainSegmentBuilder plain;
    std::string packed;
    for (int i = 0; i < kSearched; ++i) {
      const auto record = source->Next();
      VertexColours colours(record->graph.vertex_count(), kSearchDepth);
      IssueMissing(hierarchy_, record->graph, colours);
      stored_.emplace_back(record->external_id, Histogram::Of(colours));
      builder.Add(GraphId{stored_.size()}, record->external_id, stored_.back().second);
      packed.clear();
      AppendPacked(packed, stored_.back().second);
      plain.Add(GraphId{stored_.size()}, record->external_id, record->graph.vertex_count(), packed);
      if (i < kQueries / 2) {
        queries_.push_back(stored_.back().second);  // Some are stored, some are not.
      }
    }
    for (int i = 0; i < kQueries / 2; ++i) {
      queries_.push_back(Histogram::Of(RefineKnown(hierarchy_.view(), source->Next()->graph, kSearchDepth)));
    }
    segments_.push_back({std::move(builder).Build(Ordering::kBySimilarity), nullptr});
    plain_.push_back({std::move(plain).Build(), nullptr});
  }

  bool AnyDifference() const {
    for (const Histogram& histogram : queries_) {
      for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
        // Equal weights are bounded exactly, others are scaled and rounded.
        if (AnyDifference(histogram, measure, {}, {1, 3, 10, 50}, 20) ||
            AnyDifference(histogram, measure, {1, 2, 4, 8}, {1, 10}, 3) ||
            AnyDifference(histogram, measure, {0.1, 0.7, 0, 1.3}, {1, 10}, 3)) {
          return true;
        }
      }
    }
    return false;
  }

  bool AnyRecommendationDiffers() const {
    const TasteComparison compare(stored_, segments_, plain_);
    return compare.AnyDifference(queries_);
  }

 private:
  // Asks for so many neighbours, then again at the very similarity of the `edges` best: nothing there may be
  // lost.
  bool AnyDifference(const Histogram& histogram, Measure measure, const std::vector<double>& weights,
                     const std::vector<uint32_t>& numbers, uint32_t edges) const {
    const Scoring scoring = *Scoring::Create(measure, kSearchDepth, std::nullopt, weights);
    for (const uint32_t k : numbers) {
      if (Differ({histogram, scoring, k, std::nullopt})) {
        return true;
      }
    }
    for (const Hit& hit : Search(PrunedSearcher(segments_), {histogram, scoring, edges, std::nullopt})) {
      if (Differ({histogram, scoring, 100, hit.similarity})) {
        return true;
      }
    }
    return false;
  }

  static void InTurn(size_t count, const std::function<void(size_t)>& work) {
    for (size_t part = 0; part < count; ++part) {
      work(part);
    }
  }

  static std::vector<Hit> Search(const Searcher& searcher, const Query& query) {
    return searcher.Search(query, Interrupt())->hits;
  }

  bool Differ(const Query& query) const {
    const ExhaustiveSearcher oracle([this](const HistogramVisitor& visit) {
      for (const auto& [id, histogram] : stored_) {
        if (absl::Status status = visit(id, histogram); !status.ok()) {
          return status;
        }
      }
      return absl::OkStatus();
    });
    const std::vector<Hit> expected = Search(oracle, query);
    return Search(PrunedSearcher(plain_), query) != expected ||
           Search(PrunedSearcher(segments_), query) != expected ||
           Search(PrunedSearcher(segments_, 2, InTurn), query) != expected;
  }

  ColourHierarchy hierarchy_;
  std::vector<std::pair<std::string, Histogram>> stored_;
  std::vector<Histogram> queries_;
  std::vector<SegmentView> segments_;
  std::vector<SegmentView> plain_;  // The same graphs, not inverted.
};

}  // namespace

bool SearchesDiffer() { return SearchComparison().AnyDifference(); }

bool RecommendationsDiffer() { return SearchComparison().AnyRecommendationDiffers(); }

}  // namespace kindred::test
