// Each bound that the search over blocks prunes with (docs/exactness.md, by name), as the search computes it
// from its lists, against what the histograms say of every graph of every block.

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bounded_blocks.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

// B_l of every block, or group, and level of terms(): features of the query that a graph of it has, or that
// are ubiquitous. `slots_each`: of a block, or of a group.
std::vector<std::vector<uint32_t>> FeaturesPresent(const BoundedBlocks& bounded, uint32_t slots_each) {
  const BlockIndex& blocks = bounded.blocks();
  const uint32_t count = (blocks.block_count() * kBlockGraphs + slots_each - 1) / slots_each;
  std::vector<std::map<ColourId, uint32_t>> worn(count);  // The most of any graph of it.
  bounded.ForEachGraph([&](uint32_t slot, const Histogram& histogram, const auto&) {
    for (const Histogram::Entry& entry : histogram.entries()) {
      uint32_t& most = worn[slot / slots_each][entry.colour];
      most = std::max(most, entry.count);
    }
  });
  std::vector<std::vector<uint32_t>> present;
  for (const QueryTerms::AtLevel& level : bounded.terms().levels) {
    std::vector<uint32_t>& here = present.emplace_back(count);
    for (const Histogram::Entry& entry : bounded.query().histogram.at_level(level.level)) {
      const FeatureRange range = blocks.features().Find(level.level, entry.colour);
      std::vector<bool> ubiquitous;  // Of (c,1), (c,2), ...
      for (uint32_t t = 0; t < std::min(entry.count, range.size()); ++t) {
        const auto frequent = blocks.FindFrequent(range.begin + t);
        ubiquitous.push_back(frequent && blocks.ubiquitous(*frequent));
      }
      for (uint32_t i = 0; i < count; ++i) {
        const auto found = worn[i].find(entry.colour);
        const uint32_t most = found == worn[i].end() ? 0 : found->second;
        for (uint32_t t = 0; t < ubiquitous.size(); ++t) {
          here[i] += t < most || ubiquitous[t] ? 1 : 0;
        }
      }
    }
  }
  return present;
}

// What the levels' B_l and the largest vertex count make of it.
uint32_t LevelBound(const BoundedBlocks& bounded, const std::vector<std::vector<uint32_t>>& present,
                    uint32_t i, uint32_t largest) {
  uint32_t overlap = largest;
  uint32_t bound = 0;
  for (size_t l = 0; l < present.size(); ++l) {
    overlap = std::min(overlap, present[l][i]);
    bound += bounded.terms().levels[l].weight * overlap;
  }
  return bound;
}

TEST(SearchBounds, UnarySharedFeaturesAreTheOverlapOfEveryLevel) {
  // So that it is known that the cases have every kind of feature, and several groups and shelves.
  size_t always = 0;
  size_t columns = 0;
  size_t rare = 0;
  uint32_t shelves = 0;
  ForEachBoundedCase([&](const BoundedBlocks& bounded) {
    for (const QueryTerms::AtLevel& level : bounded.terms().levels) {
      always += level.always;
      columns += level.columns.size();
      rare += level.rare.size();
    }
    shelves = std::max(shelves, bounded.blocks().shelf_count());
    const size_t stride = bounded.terms().levels.size() * kBlockGraphs;
    std::vector<uint16_t> counts = bounded.rare_counts();
    uint64_t added = 0;
    for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
      RowCursor cursor = bounded.RowOf(block, UINT16_MAX);
      ASSERT_TRUE(AddRow(cursor, bounded.RowLevels(false), 0, counts.data() + block * stride, added));
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
  EXPECT_GT(shelves, 1u);
}

TEST(SearchBounds, BlockBoundCountsWhatAnyGraphOfTheBlockHas) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto present = FeaturesPresent(bounded, kBlockGraphs);
    for (size_t l = 0; l < bounded.terms().levels.size(); ++l) {
      const auto out = bounded.BoundLevel(BoundedBlocks::Of::kBlocks, l);
      for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
        ASSERT_EQ(out.bounds[block], present[l][block]) << "block " << block;
      }
      bounded.ForEachGraph([&](uint32_t slot, const Histogram&, const std::vector<uint32_t>& overlaps) {
        ASSERT_GE(out.bounds[slot / kBlockGraphs], overlaps[bounded.terms().levels[l].level]);
      });
    }
  });
}

TEST(SearchBounds, GroupBoundCountsWhatAnyGraphOfTheGroupHas) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto present = FeaturesPresent(bounded, kGroupBlocks * kBlockGraphs);
    for (size_t l = 0; l < bounded.terms().levels.size(); ++l) {
      const auto of_groups = bounded.BoundLevel(BoundedBlocks::Of::kGroups, l);
      const auto of_blocks = bounded.BoundLevel(BoundedBlocks::Of::kBlocks, l);
      for (uint32_t group = 0; group < bounded.blocks().group_count(); ++group) {
        ASSERT_EQ(of_groups.bounds[group], present[l][group]) << "group " << group;
      }
      for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
        ASSERT_GE(of_groups.bounds[block / kGroupBlocks], of_blocks.bounds[block]) << "block " << block;
      }
    }
  });
}

TEST(SearchBounds, GroupBoundIsAtLeastThatOfEveryBlockAndTheUnitsOfEveryGraph) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto present = FeaturesPresent(bounded, kGroupBlocks * kBlockGraphs);
    const BoundedSixteens& groups = bounded.group_bounds();
    for (uint32_t group = 0; group < bounded.blocks().group_count(); ++group) {
      ASSERT_EQ(groups.bound(group),
                LevelBound(bounded, present, group, bounded.blocks().group_largest()[group]));
      ASSERT_GE(groups.most(group / kShelfGroups), groups.bound(group)) << "the shelf of group " << group;
    }
    for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
      ASSERT_GE(groups.bound(block / kGroupBlocks), bounded.block_bounds().bound(block)) << "block " << block;
      ASSERT_LE(groups.smallest(block / kGroupBlocks), bounded.block_bounds().smallest(block));
    }
    bounded.ForEachGraph([&](uint32_t slot, const Histogram& histogram, const auto& overlaps) {
      const uint32_t group = slot / kBlockGraphs / kGroupBlocks;
      ASSERT_GE(groups.bound(group), bounded.UnitsOf(overlaps)) << "slot " << slot;
      ASSERT_LE(groups.smallest(group), histogram.vertex_count()) << "slot " << slot;
    });
  });
}

TEST(SearchBounds, LevelBoundIsAtLeastTheUnitsOfEveryGraphOfTheBlock) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const auto present = FeaturesPresent(bounded, kBlockGraphs);
    const std::vector<uint32_t> most = bounded.MostUnits();
    const BoundedSixteens& blocks = bounded.block_bounds();
    for (uint32_t block = 0; block < bounded.blocks().block_count(); ++block) {
      ASSERT_EQ(blocks.bound(block), LevelBound(bounded, present, block, bounded.blocks().largest()[block]));
      ASSERT_GE(blocks.bound(block), most[block]) << "block " << block;
      ASSERT_GE(blocks.most(block / kGroupBlocks), blocks.bound(block)) << "block " << block;
    }
  });
}

TEST(SearchBounds, SizeBoundIsAtLeastTheBoundOfEveryGroupOfTheShelf) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const BlockIndex& blocks = bounded.blocks();
    for (uint32_t shelf = 0; shelf < blocks.shelf_count(); ++shelf) {
      ASSERT_GE(bounded.units().Most(blocks.shelf_largest()[shelf]), bounded.group_bounds().most(shelf));
    }
    bounded.ForEachGraph(
        [&](uint32_t slot, const Histogram& histogram, const std::vector<uint32_t>& overlaps) {
          const uint32_t shelf = slot / kBlockGraphs / kShelfBlocks;
          ASSERT_LE(histogram.vertex_count(), blocks.shelf_largest()[shelf]);
          ASSERT_GE(histogram.vertex_count(), blocks.shelf_smallest()[shelf]);
          ASSERT_GE(bounded.units().Most(histogram.vertex_count()), bounded.UnitsOf(overlaps));
        });
  });
}

// Thresholds that are some graph's similarity: a shelf is left out only where nothing is as similar.
TEST(SearchBounds, SizeBoundLeavesOutNoShelfWithAGraphThatIsSimilarEnough) {
  size_t left_out = 0;
  ForEachBoundedCase([&](const BoundedBlocks& bounded) {
    std::vector<double> best(bounded.blocks().shelf_count());
    bounded.ForEachGraph([&](uint32_t slot, const Histogram& histogram, const auto& overlaps) {
      double& most = best[slot / kBlockGraphs / kShelfBlocks];
      most = std::max(most, bounded.SimilarityOf(histogram, overlaps));
    });
    for (const double similarity : best) {
      NeedTable need(bounded.units());
      need.SetSimilarity(similarity);
      BlockScratch scratch;
      BoundedGroups groups(bounded.blocks(), bounded.live(), bounded.terms(), scratch);
      SearchStats stats;
      ASSERT_THAT(groups.Bound({}, bounded.units(), need, Interrupt(), stats), IsOk());
      for (uint32_t shelf = 0; shelf < best.size(); ++shelf) {
        const bool kept = std::ranges::count(groups.bounds().words(), shelf) == 1;
        ASSERT_TRUE(kept || best[shelf] < similarity) << "shelf " << shelf;
        left_out += kept ? 0 : 1;
      }
    }
  });
  EXPECT_GT(left_out, 0u);
}

TEST(SearchBounds, NeedBoundAsksNoGraphForMoreUnitsThanItHas) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    const Scoring& scoring = bounded.query().scoring;
    NeedTable need(bounded.units());
    bounded.ForEachGraph(
        [&](uint32_t slot, const Histogram& histogram, const std::vector<uint32_t>& overlaps) {
          const uint32_t vertices = histogram.vertex_count();
          const double similarity = bounded.SimilarityOf(histogram, overlaps);
          const uint32_t block = slot / kBlockGraphs;
          need.SetSimilarity(similarity);
          ASSERT_EQ(need(vertices), bounded.units().Need(similarity, vertices));
          ASSERT_LE(need(vertices), bounded.UnitsOf(overlaps)) << "slot " << slot;
          ASSERT_LE(need(bounded.blocks().smallest()[block]), need(vertices));
          ASSERT_LE(need(bounded.blocks().group_smallest()[block / kGroupBlocks]), need(vertices));
          ASSERT_LE(need(bounded.blocks().shelf_smallest()[block / kShelfBlocks]), need(vertices));
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
  const std::vector<uint16_t>& apart = bounded.rare_counts();
  std::vector<uint16_t> summed(apart.size() / levels);
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
    for (uint32_t block = 0; block < most.size(); ++block) {
      const uint32_t frequent = bounded.block_bounds().frequent(block);
      ASSERT_GE(frequent, std::min<uint32_t>(SharedBits(bounded, block), UINT16_MAX));
      ASSERT_GE(largest[block] + frequent, most[block]) << "block " << block;
    }
  });
}

// Whether the row, read up to level `step` and then on, reaches `need`.
bool RowReaches(const BoundedBlocks& bounded, uint32_t block, std::span<const uint16_t> rare, uint32_t rest,
                uint32_t need, size_t step) {
  const std::vector<RowLevel> levels = bounded.RowLevels(true);
  std::vector<uint16_t> counts(rare.begin(), rare.end());
  RowCursor cursor = bounded.RowOf(block, rest);
  uint64_t added = 0;
  if (!AddRow(cursor, std::span(levels).first(step), need, counts.data(), added) ||
      !AddRow(cursor, std::span(levels).subspan(step), need, counts.data(), added)) {
    return false;
  }
  EXPECT_EQ(added, SharedBits(bounded, block));
  EXPECT_EQ(cursor.rest, rest - added);
  return true;
}

TEST(SearchBounds, RestBoundGivesUpNoBlockThatReachesTheNeed) {
  ForEachBoundedCase([](const BoundedBlocks& bounded) {
    if (bounded.units().exact_unit() == 0) {
      return;
    }
    const std::vector<uint32_t> most = bounded.MostUnits();
    const std::vector<uint16_t> rare = SummedRareCounts(bounded);
    const size_t levels = bounded.blocks().features().level_count();
    for (uint32_t block = 0; block < most.size(); ++block) {
      const uint32_t shared = SharedBits(bounded, block);
      const auto counts = std::span(rare).subspan(block * kBlockGraphs, kBlockGraphs);
      // The search reads two levels first.
      for (const size_t step : {size_t{0}, std::min<size_t>(2, levels), levels}) {
        const auto reaches = [&](uint32_t rest, uint32_t need) {
          return RowReaches(bounded, block, counts, rest, need, step);
        };
        // With no bit too many in `rest` it is exact in the end.
        ASSERT_TRUE(reaches(shared, most[block])) << "block " << block;
        ASSERT_FALSE(reaches(shared, most[block] + 1)) << "block " << block;
        ASSERT_TRUE(reaches(shared + 3, most[block])) << "block " << block;
        ASSERT_TRUE(reaches(shared, most[block] / 2)) << "block " << block;
      }
    }
  });
}

}  // namespace
}  // namespace kindred::test
