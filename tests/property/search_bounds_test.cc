// Each bound that the search over blocks prunes with (docs/exactness.md, by name), as the search computes it
// from its lists, against what the histograms say of every graph of every block.

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/status_matchers.h"
#include "tests/support/vector_targets.h"

namespace kindred::test {
namespace {

// B_l of every block and level of terms(): features of the query that a graph of the block has, or that are
// ubiquitous.
std::vector<std::vector<uint32_t>> FeaturesPresent(const BoundedBlocks& bounded) {
  const BlockIndex& blocks = bounded.blocks();
  std::vector<std::map<ColourId, uint32_t>> worn(
      blocks.block_count());  // The most of any graph of the block.
  bounded.ForEachGraph([&](uint32_t slot, const Histogram& histogram, const auto&) {
    for (const Histogram::Entry& entry : histogram.entries()) {
      uint32_t& most = worn[slot / kBlockGraphs][entry.colour];
      most = std::max(most, entry.count);
    }
  });
  std::vector<std::vector<uint32_t>> present;
  for (const QueryTerms::AtLevel& level : bounded.terms().levels) {
    std::vector<uint32_t>& here = present.emplace_back(blocks.block_count());
    for (const Histogram::Entry& entry : bounded.query().histogram.at_level(level.level)) {
      const FeatureRange range = blocks.features().Find(level.level, entry.colour);
      std::vector<bool> ubiquitous;  // Of (c,1), (c,2), ...
      for (uint32_t t = 0; t < std::min(entry.count, range.size()); ++t) {
        const auto frequent = blocks.FindFrequent(range.begin + t);
        ubiquitous.push_back(frequent && blocks.ubiquitous(*frequent));
      }
      for (uint32_t block = 0; block < blocks.block_count(); ++block) {
        const auto found = worn[block].find(entry.colour);
        const uint32_t most = found == worn[block].end() ? 0 : found->second;
        for (uint32_t t = 0; t < ubiquitous.size(); ++t) {
          here[block] += t < most || ubiquitous[t] ? 1 : 0;
        }
      }
    }
  }
  return present;
}

// Calls check.template operator()<T>() for every T that the bounds of this query fit.
template <typename Check>
void InEveryWidth(const BoundedBlocks& bounded, Check check) {
  check.template operator()<uint16_t>();
  if (bounded.units().fit_byte()) {
    check.template operator()<uint8_t>();
  }
}

TEST(SearchBounds, UnarySharedFeaturesAreTheOverlapOfEveryLevel) {
  // So that it is known that the cases have every kind of feature, and every width.
  size_t always = 0;
  size_t columns = 0;
  size_t rare = 0;
  size_t in_bytes = 0;
  ForEachBoundedCase([&](const BoundedBlocks& bounded) {
    for (const QueryTerms::AtLevel& level : bounded.terms().levels) {
      always += level.always;
      columns += level.columns.size();
      rare += level.rare.size();
    }
    in_bytes += bounded.units().fit_byte() ? 1 : 0;
    const size_t stride = bounded.terms().levels.size() * kBlockGraphs;
    std::vector<uint16_t> counts = bounded.RareCounts();
    uint64_t added = 0;
    for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
      ASSERT_TRUE(AddRow(bounded.blocks().row(block), bounded.terms().row.data(),
                         bounded.blocks().row_masks(block), bounded.RowLevels(false), UINT16_MAX, 0,
                         counts.data() + block * stride, added));
    }
    bounded.ForEachGraph([&](uint32_t slot, const Histogram&, const std::vector<uint32_t>& overlaps) {
      for (size_t l = 0; l < bounded.terms().levels.size(); ++l) {
        ASSERT_EQ(counts[slot / kBlockGraphs * stride + l * kBlockGraphs + slot % kBlockGraphs],
                  overlaps[bounded.terms().levels[l].level])
            << "slot " << slot;
      }
    });
  });
  EXPECT_GT(std::min({always, columns, rare}), 1'000u);
  EXPECT_GT(in_bytes, 100u);
}

TEST(SearchBounds, BlockBoundCountsWhatAnyGraphOfTheBlockHas) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto present = FeaturesPresent(bounded);
    InEveryWidth(bounded, [&]<typename T>() {
      const std::vector<T> any_size(size_t{bounded.blocks().column_words()} * kChunkBlocks,
                                    std::numeric_limits<T>::max());
      for (size_t l = 0; l < bounded.terms().levels.size(); ++l) {
        const auto out = bounded.Bound<T>(l, l + 1, any_size, false);
        for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
          ASSERT_EQ(out.bounds[block], present[l][block]) << "block " << block;
        }
        bounded.ForEachGraph([&](uint32_t slot, const Histogram&, const std::vector<uint32_t>& overlaps) {
          ASSERT_GE(out.bounds[slot / kBlockGraphs], overlaps[bounded.terms().levels[l].level]);
        });
      }
    });
  });
}

TEST(SearchBounds, LevelBoundIsAtLeastTheUnitsOfEveryGraphOfTheBlock) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto present = FeaturesPresent(bounded);
    const std::vector<uint32_t> most = bounded.MostUnits();
    InEveryWidth(bounded, [&]<typename T>() {
      const auto out = bounded.Bound<T>();
      for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
        uint32_t overlap = bounded.blocks().largest()[block];
        uint32_t bound = 0;
        for (size_t l = 0; l < present.size(); ++l) {
          overlap = std::min(overlap, present[l][block]);
          bound += bounded.terms().levels[l].weight * overlap;
        }
        ASSERT_EQ(out.bounds[block], bound) << "block " << block;
        ASSERT_GE(out.bounds[block], most[block]) << "block " << block;
        ASSERT_GE(out.chunk_bounds[block / kChunkBlocks], out.bounds[block]) << "block " << block;
      }
    });
  });
}

TEST(SearchBounds, SizeBoundIsAtLeastTheBoundOfEveryBlockOfTheChunk) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto out = bounded.Bound<uint16_t>();
    for (uint32_t chunk = 0; chunk < bounded.blocks().chunk_count(); ++chunk) {
      ASSERT_GE(bounded.units().Most(bounded.blocks().chunk_largest(chunk)), out.chunk_bounds[chunk]);
    }
    bounded.ForEachGraph(
        [&](uint32_t slot, const Histogram& histogram, const std::vector<uint32_t>& overlaps) {
          const uint32_t chunk = slot / kBlockGraphs / kChunkBlocks;
          ASSERT_LE(histogram.vertex_count(), bounded.blocks().chunk_largest(chunk));
          ASSERT_GE(histogram.vertex_count(), bounded.blocks().chunk_smallest(chunk));
          ASSERT_GE(histogram.vertex_count(), bounded.blocks().smallest(slot / kBlockGraphs));
          ASSERT_GE(bounded.units().Most(histogram.vertex_count()), bounded.UnitsOf(overlaps));
        });
  });
}

TEST(SearchBounds, NeedBoundAsksNoGraphForMoreUnitsThanItHas) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const Scoring& scoring = bounded.query().scoring;
    NeedTable need(bounded.units());
    bounded.ForEachGraph([&](uint32_t slot, const Histogram& histogram,
                             const std::vector<uint32_t>& overlaps) {
      const uint32_t vertices = histogram.vertex_count();
      const double similarity =
          scoring.Similarity({scoring.Kernel(overlaps), vertices}, bounded.query().histogram.vertex_count());
      need.SetSimilarity(similarity);
      ASSERT_EQ(need(vertices), bounded.units().Need(similarity, vertices));
      ASSERT_LE(need(vertices), bounded.UnitsOf(overlaps)) << "slot " << slot;
      ASSERT_LE(need(bounded.blocks().smallest(slot / kBlockGraphs)), need(vertices));
      if (bounded.units().exact_unit() != 0) {  // Then nothing is lost, either.
        ASSERT_EQ(need(vertices), bounded.UnitsOf(overlaps)) << "slot " << slot;
        ASSERT_EQ(bounded.units().exact_unit() * bounded.UnitsOf(overlaps), scoring.Kernel(overlaps));
      }
    });
  });
}

// The sum of all levels' counts, as the search has it where one unit is the same at every level.
std::vector<uint16_t> SummedRareCounts(const BoundedBlocks& bounded) {
  const size_t levels = bounded.terms().levels.size();
  const std::vector<uint16_t> apart = bounded.RareCounts();
  std::vector<uint16_t> summed(bounded.blocks().block_count() * kBlockGraphs);
  for (size_t i = 0; i < apart.size(); ++i) {
    uint16_t& sum = summed[i / (levels * kBlockGraphs) * kBlockGraphs + i % kBlockGraphs];
    sum = static_cast<uint16_t>(sum + apart[i]);
  }
  return summed;
}

uint32_t SharedBits(const BoundedBlocks& bounded, uint32_t block) {
  int bits = 0;
  for (uint32_t word = 0; word < bounded.blocks().row_words(); ++word) {
    bits += std::popcount(bounded.blocks().row(block)[word] & bounded.terms().row[word]);
  }
  return static_cast<uint32_t>(bits);
}

TEST(SearchBounds, RowBoundIsAtLeastTheUnitsOfTheBestGraph) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    if (bounded.units().exact_unit() == 0) {
      return;
    }
    const std::vector<uint32_t> most = bounded.MostUnits();
    const std::vector<uint16_t> rare = SummedRareCounts(bounded);
    std::vector<uint16_t> largest(most.size());
    LargestCounts(rare.data(), largest.size(), largest.data());
    InEveryWidth(bounded, [&]<typename T>() {
      const auto out = bounded.Bound<T>();
      for (uint32_t block = 0; block < most.size(); ++block) {
        ASSERT_GE(out.frequent[block], std::min<uint32_t>(SharedBits(bounded, block), UINT16_MAX));
        ASSERT_GE(uint32_t{largest[block]} + out.frequent[block], most[block]) << "block " << block;
      }
    });
  });
}

TEST(SearchBounds, RestBoundGivesUpNoBlockThatReachesTheNeed) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    if (bounded.units().exact_unit() == 0) {
      return;
    }
    const std::vector<uint32_t> most = bounded.MostUnits();
    const std::vector<uint16_t> rare = SummedRareCounts(bounded);
    for (uint32_t block = 0; block < most.size(); ++block) {
      const uint32_t shared = SharedBits(bounded, block);
      const auto reaches = [&](uint32_t rest, uint32_t need) {
        std::vector<uint16_t> counts(rare.begin() + block * kBlockGraphs,
                                     rare.begin() + (block + 1) * kBlockGraphs);
        uint64_t added = 0;
        const bool reached =
            AddRow(bounded.blocks().row(block), bounded.terms().row.data(), bounded.blocks().row_masks(block),
                   bounded.RowLevels(true), rest, need, counts.data(), added);
        EXPECT_TRUE(!reached || *std::ranges::max_element(counts) == most[block]);
        return reached;
      };
      // With no bit too many in `rest` it is exact in the end.
      ASSERT_TRUE(reaches(shared, most[block])) << "block " << block;
      ASSERT_FALSE(reaches(shared, most[block] + 1)) << "block " << block;
      ASSERT_TRUE(reaches(shared + 3, most[block])) << "block " << block;
      ASSERT_TRUE(reaches(shared, most[block] / 2)) << "block " << block;
    }
  });
}

// The largest that blocks hold: 4,095 vertices, 16 levels, colours worn 255 times or each once; asked by one
// of them, by all together, and by more than 65,535 vertices.
TEST(SearchBounds, NothingOverflowsAtTheLargestThatBlocksHold) {
  constexpr Level kDeepest = kDepthMax;
  const auto make = [](uint32_t first, uint32_t colours, uint32_t each) {
    std::vector<std::vector<Histogram::Entry>> levels(kDeepest + 1u);
    uint32_t vertices = 0;
    for (Level level = 0; level <= kDeepest; ++level) {
      vertices = 0;
      for (uint32_t i = 0; i < colours; ++i) {
        const uint32_t count = std::min(each, kBlockVerticesMax - vertices);
        levels[level].push_back({ColourId{level * 1'000'000u + first + i}, count});
        vertices += count;
      }
    }
    return Must(Histogram::FromLevels(vertices, levels));
  };
  std::vector<Histogram> histograms;
  for (uint32_t i = 0; i < 20; ++i) {
    histograms.push_back(make(i % 3, 17, kBlockCountMax));  // 16 colours 255 times and one 15 times.
    histograms.push_back(make(100 + i * kBlockVerticesMax, kBlockVerticesMax, 1));
  }
  const BlockSet set(histograms, Ordering::kBySimilarity);
  ASSERT_EQ(set.by_slot().size(), 48u);
  const std::vector<Histogram> asked{histograms[0], histograms[1], SumOf(histograms, 1),
                                     SumOf(histograms, 20)};
  constexpr uint64_t kWeightSeed = 5;
  Rng rng(kWeightSeed);
  for (const Histogram& histogram : asked) {
    for (int kind = 0; kind < kWeightKinds; ++kind) {
      const Query query{histogram,
                        Must(Scoring::Create(static_cast<Measure>(kind % 3), kDeepest, {},
                                             WeightsOfKind(kind, kDeepest, rng))),
                        1,
                        {}};
      const BoundedBlocks bounded(set, query);
      ASSERT_FALSE(bounded.units().fit_byte());
      ASSERT_LE(bounded.units().Most(kBlockVerticesMax), uint32_t{UINT16_MAX}) << "weights " << kind;
      const std::vector<uint32_t> most = bounded.MostUnits();
      OnEveryTarget([&](const char*) {
        const auto out = bounded.Bound<uint16_t>();
        for (uint32_t block = 0; block < most.size(); ++block) {
          ASSERT_GE(out.bounds[block], most[block]) << "weights " << kind << ", seed " << kWeightSeed;
          ASSERT_LE(out.bounds[block], bounded.units().Most(kBlockVerticesMax));
        }
      });
    }
  }
}

}  // namespace
}  // namespace kindred::test
