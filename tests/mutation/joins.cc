#include "tests/mutation/joins.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "bench/generated_molecules.h"
#include "index/hierarchy/refinement.h"
#include "index/pairs/block_pairs.h"
#include "tests/support/segment_builder.h"

namespace kindred::test {
namespace {

constexpr Level kJoinDepth = 3;
constexpr uint32_t kJoined = 1'200;

using PairSet = std::set<std::pair<uint64_t, uint64_t>>;

class JoinComparison {
 public:
  JoinComparison() {
    auto source = bench::GeneratedMolecules(13);
    test::SegmentBuilder builder;
    ColourHierarchy hierarchy;
    for (uint32_t i = 0; i < kJoined; ++i) {
      const auto record = source->Next();
      VertexColours colours(record->graph.vertex_count(), kJoinDepth);
      IssueMissing(hierarchy, record->graph, colours);
      stored_.push_back(Histogram::Of(colours));
      builder.Add(GraphId{stored_.size()}, std::to_string(i), stored_.back());
    }
    segment_ = std::move(builder).Build(Ordering::kBySimilarity);
    overlaps_.resize(kJoined);
    for (uint32_t i = 0; i < kJoined; ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        overlaps_[i].push_back(LevelOverlaps(stored_[i], stored_[j]));
      }
    }
  }

  bool AnyDifference() const {
    for (const Measure measure : {Measure::kTanimoto, Measure::kCosine, Measure::kKernel}) {
      for (const std::vector<double>& weights :
           {std::vector<double>{}, {1, 2, 4, 8}, {0.1, 0.7, 0, 1.3}, {0, 0, 0, 1}, {1, 0, 0, 0}}) {
        const Scoring scoring = *Scoring::Create(measure, kJoinDepth, std::nullopt, weights);
        // At similarities that some pairs have: nothing there may be lost.
        for (uint32_t i = 1; i < kJoined; i += 97) {
          double best = 0;
          for (uint32_t j = 0; j < i; ++j) {
            best = std::max(best, Similarity(scoring, i, j));
          }
          if (best > 0 && Joined(scoring, best) != Compared(scoring, best)) {
            return true;
          }
        }
      }
    }
    return false;
  }

 private:
  double Similarity(const Scoring& scoring, uint32_t i, uint32_t j) const {
    return scoring.Similarity({scoring.Kernel(overlaps_[i][j]), stored_[j].vertex_count()},
                              stored_[i].vertex_count());
  }

  PairSet Compared(const Scoring& scoring, double least) const {
    PairSet pairs;
    for (uint32_t i = 0; i < kJoined; ++i) {
      for (uint32_t j = 0; j < i; ++j) {
        if (Similarity(scoring, i, j) >= least) {
          pairs.emplace(j, i);
        }
      }
    }
    return pairs;
  }

  PairSet Joined(const Scoring& scoring, double least) const {
    const PairParts parts({{segment_, nullptr}});
    const auto join = *BlockPairs::Create(parts, scoring, least, 16 << 20, ForEachInTurn, Interrupt());
    PairSet pairs;
    const auto add = [&](uint32_t a, uint32_t b) {
      const uint64_t i = std::stoull(std::string(parts.external_id(a)));
      const uint64_t j = std::stoull(std::string(parts.external_id(b)));
      pairs.insert(std::minmax(i, j));
    };
    const auto members = [&](uint32_t number) {
      const auto equals = join->equal().equals(number);
      return equals.empty() ? std::vector<uint32_t>{number}
                            : std::vector<uint32_t>(equals.begin(), equals.end());
    };
    for (bool more = true; more;) {
      std::vector<ScoredPair> found;
      more = *join->Step(false, ForEachInTurn, Interrupt(), found);
      for (const ScoredPair& pair : found) {
        for (const uint32_t a : members(pair.a)) {
          for (const uint32_t b : members(pair.b)) {
            add(a, b);
          }
        }
      }
    }
    // Equal graphs are left to whoever asks; here they are pairs if their similarity says so.
    for (const uint32_t number : join->equal().repeated()) {
      for (const uint32_t a : join->equal().equals(number)) {
        for (const uint32_t b : join->equal().equals(number)) {
          const auto i = static_cast<uint32_t>(std::stoul(std::string(parts.external_id(a))));
          const auto j = static_cast<uint32_t>(std::stoul(std::string(parts.external_id(b))));
          if (j < i && Similarity(scoring, i, j) >= least) {
            pairs.emplace(j, i);
          }
        }
      }
    }
    return pairs;
  }

  std::vector<Histogram> stored_;
  std::shared_ptr<const Segment> segment_;
  std::vector<std::vector<std::vector<uint32_t>>> overlaps_;  // Of each with those before it.
};

}  // namespace

bool JoinsDiffer() { return JoinComparison().AnyDifference(); }

}  // namespace kindred::test
