#include "tests/support/bounded_blocks.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/segment_builder.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr uint64_t kSetsOfBlocks = 16;
constexpr int kSetKinds = 5;

// A tree, mostly a chain, of `vertices` with so many labels; the first label is the most frequent.
Graph ChainLike(Rng& rng, uint32_t vertices, uint32_t labels) {
  std::vector<std::string> names;
  std::vector<EdgeSpec> edges;
  for (uint32_t i = 0; i < vertices; ++i) {
    names.push_back("L" + std::to_string(Below(rng, 3) == 0 ? Below(rng, labels) : 0));
    if (i > 0) {
      const auto back = static_cast<uint32_t>(Below(rng, 4) == 0 ? 1 + Below(rng, std::min(i, 4u)) : 1);
      edges.push_back({i - back, i, Below(rng, 8) == 0 ? "=" : ""});
    }
  }
  return MakeGraph(names, edges);
}

Graph DrawGraph(Rng& rng, uint64_t kind) {
  switch (kind) {
    case 0:
      return RandomGraph(rng);
    case 1:
      return ChainLike(rng, static_cast<uint32_t>(12 + Below(rng, 30)), 4);
    case 2:
      return ChainLike(rng, static_cast<uint32_t>(1 + Below(rng, 600)),
                       static_cast<uint32_t>(1 + Below(rng, 3)));
    case 3:
      return Cycle(std::string(3 + Below(rng, 5), 'C'));
    default:
      return Isolated(std::string(1 + Below(rng, 300), 'C') + std::string(Below(rng, 3), 'N'));
  }
}

std::vector<Query> DrawQueries(Rng& rng, uint64_t kind, const ColourHierarchy& hierarchy,
                               const std::vector<Histogram>& stored) {
  const Level depth = stored.front().depth();
  std::vector<Histogram> histograms{SumOf({stored.begin(), stored.begin() + 30}, 1),
                                    SumOf({stored.begin(), stored.begin() + 30}, 3'000)};
  for (int i = 0; i < 4; ++i) {
    histograms.push_back(stored[Below(rng, stored.size())]);
    histograms.push_back(Histogram::Of(RefineKnown(hierarchy.view(), DrawGraph(rng, kind), depth)));
  }
  histograms.push_back(Histogram::Of(RefineKnown(hierarchy.view(), Path("????"), depth)));  // Nothing known.
  std::vector<Query> queries;
  for (const Histogram& histogram : histograms) {
    for (int weights = 0; weights < kWeightKinds; ++weights) {
      const auto asked = static_cast<Level>(Below(rng, depth + 1u));
      const auto measure = static_cast<Measure>(Below(rng, 3));
      queries.push_back({histogram,
                         Must(Scoring::Create(measure, depth, asked, WeightsOfKind(weights, asked, rng))),
                         10,
                         {}});
    }
  }
  return queries;
}

// 0, 1, ..., count - 1.
std::vector<uint32_t> Numbers(uint32_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

std::vector<double> WeightsOfKind(int kind, Level depth, Rng& rng) {
  std::vector<double> weights;
  for (Level level = 0; level <= depth; ++level) {
    const auto draw = static_cast<double>(Below(rng, 9));
    const bool odd = level % 2 != 0;
    const double kinds[kWeightKinds] = {1,
                                        3,
                                        1 << 20,
                                        0.1,
                                        1e-9,
                                        draw,
                                        draw * 0.1,
                                        odd ? 1e-9 : 1 << 20,
                                        draw < 5 ? 0 : 1.0 / 3,
                                        odd ? 0.0 : 2.0};
    weights.push_back(kinds[kind]);
  }
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) {
    weights[Below(rng, weights.size())] = 1.0 / 3;
  }
  return weights;
}

BlockSet::BlockSet(const std::vector<Histogram>& histograms, Ordering ordering) {
  test::SegmentBuilder builder;
  for (size_t i = 0; i < histograms.size(); ++i) {
    builder.Add(GraphId{i + 1}, std::to_string(i), histograms[i]);
  }
  segment_ = std::move(builder).Build(ordering);
  by_slot_.resize(segment_->graphs().slot_count());
  segment_->graphs().ForEach([&](GraphId id, uint32_t slot) {
    by_slot_[slot] = std::make_shared<const Histogram>(histograms[Raw(id) - 1]);
  });
  by_slot_.resize(segment_->first_outsize_slot());  // Outsize graphs are in no block.
}

BoundedBlocks::BoundedBlocks(const BlockSet& set, const Query& query)
    : set_(set),
      query_(query),
      units_(query),
      terms_(set.blocks(), query, units_),
      live_(set.view()),
      groups_bounded_(set.blocks(), live_, terms_, scratch_),
      blocks_bounded_(set.blocks(), live_, terms_, scratch_) {
  for (const auto& histogram : set.by_slot()) {
    overlaps_.push_back(histogram ? LevelOverlaps(query.histogram, *histogram) : std::vector<uint32_t>());
  }
  NeedTable nothing(units_);
  SearchStats stats;
  EXPECT_THAT(groups_bounded_.Bound({}, units_, nothing, Interrupt(), stats), IsOk());
  EXPECT_EQ(group_bounds().words(), Numbers(blocks().shelf_count()));
  EXPECT_THAT(blocks_bounded_.Bound(Numbers(blocks().group_count()), Interrupt(), stats), IsOk());
  const size_t stride = terms_.levels.size() * kBlockGraphs;
  const std::vector<uint32_t> places = Numbers(blocks().group_count() * kGroupBlocks);
  rare_counts_.resize(places.size() * stride);
  EXPECT_THAT(blocks_bounded_.ForEachRare(Interrupt(), stats,
                                          [&](std::span<const RareHit> hits) {
                                            AddHits(hits, places.data(), stride, kBlockGraphs,
                                                    rare_counts_.data());
                                          }),
              IsOk());
}

BoundedBlocks::Bounds BoundedBlocks::Bound(Of what, const std::vector<LevelTerms>& terms,
                                           const std::vector<uint16_t>& rare, const uint16_t* largest) const {
  const BoundedSixteens& bounded = what == Of::kBlocks ? block_bounds() : group_bounds();
  const size_t size = bounded.words().size();
  Bounds out{std::vector<uint16_t>(size * 16), std::vector<uint16_t>(size * 16), std::vector<uint16_t>(size)};
  BoundSixteens(terms, bounded.words(), rare.data(), largest,
                {out.bounds.data(), out.frequent.data(), out.most.data()});
  return out;
}

BoundedBlocks::Bounds BoundedBlocks::BoundLevel(Of what, size_t l) const {
  const size_t levels = terms_.levels.size();
  const bool of_blocks = what == Of::kBlocks;
  const std::vector<uint16_t>& all = of_blocks ? scratch_.blocks.rare : scratch_.groups.rare;
  std::vector<uint16_t> rare;
  for (size_t at = 0; at < all.size(); ++at) {
    if (at / 16 % levels == l) {
      rare.push_back(all[at]);
    }
  }
  std::vector<LevelTerms> terms{(of_blocks ? terms_.BlockTerms() : terms_.GroupTerms())[l]};
  terms.front().weight = 1;
  const std::vector<uint16_t> any_size(rare.size(), UINT16_MAX);
  return Bound(what, terms, rare, any_size.data());
}

BoundedBlocks::Bounds BoundedBlocks::BoundAgain(Of what) const {
  return what == Of::kBlocks
             ? Bound(what, terms_.BlockTerms(), scratch_.blocks.rare, blocks().largest())
             : Bound(what, terms_.GroupTerms(), scratch_.groups.rare, blocks().group_largest());
}

double BoundedBlocks::SimilarityOf(const Histogram& histogram, const std::vector<uint32_t>& overlaps) const {
  return query_.scoring.Similarity({query_.scoring.Kernel(overlaps), histogram.vertex_count()},
                                   query_.histogram.vertex_count());
}

uint32_t BoundedBlocks::UnitsOf(const std::vector<uint32_t>& overlaps) const {
  uint32_t units = 0;
  for (Level level = 0; level <= query_.scoring.depth(); ++level) {
    units += units_.weight(level) * overlaps[level];
  }
  return units;
}

std::vector<uint32_t> BoundedBlocks::MostUnits() const {
  std::vector<uint32_t> most(blocks().block_count());
  ForEachGraph([&](uint32_t slot, const Histogram&, const std::vector<uint32_t>& overlaps) {
    most[slot / kBlockGraphs] = std::max(most[slot / kBlockGraphs], UnitsOf(overlaps));
  });
  return most;
}

std::vector<RowLevel> BoundedBlocks::RowLevels(bool summed) const {
  std::vector<RowLevel> levels;
  for (Level level = 0; level < blocks().features().level_count(); ++level) {
    const auto found = std::ranges::find(terms_.levels, level, &QueryTerms::AtLevel::level);
    const bool apart = !summed && found != terms_.levels.end();
    levels.push_back({blocks().row_words_at(level).size(),
                      apart ? static_cast<uint32_t>(found - terms_.levels.begin()) * kBlockGraphs : 0});
  }
  return levels;
}

Histogram SumOf(const std::vector<Histogram>& histograms, uint32_t times) {
  uint32_t vertices = 0;
  std::vector<std::vector<Histogram::Entry>> levels;
  for (Level level = 0; level <= histograms.front().depth(); ++level) {
    std::map<ColourId, uint32_t> counts;
    vertices = 0;
    for (const Histogram& histogram : histograms) {
      vertices += histogram.vertex_count() * times;
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        counts[entry.colour] += entry.count * times;
      }
    }
    std::vector<Histogram::Entry>& entries = levels.emplace_back();
    for (const auto& [colour, count] : counts) {
      entries.push_back({colour, count});
    }
  }
  return Must(Histogram::FromLevels(vertices, levels));
}

void ForEachBoundedCase(const std::function<void(const BoundedBlocks&)>& check) {
  for (uint64_t seed = 0; seed < kSetsOfBlocks; ++seed) {
    Rng rng(seed);
    const uint64_t kind = seed % kSetKinds;
    const auto depth = static_cast<Level>(Below(rng, 5));
    ColourHierarchy hierarchy;
    std::vector<Histogram> histograms;
    // The last set has several shelves.
    const size_t least = seed + 1 == kSetsOfBlocks ? kShelfBlocks * kBlockGraphs : 40;
    for (size_t count = least + Below(rng, 600); count > 0; --count) {
      histograms.push_back(GrowHistogram(hierarchy, DrawGraph(rng, kind), depth));
    }
    const BlockSet set(histograms, seed % 2 == 0 ? Ordering::kBySimilarity : Ordering::kBySize);
    const std::vector<Query> queries = DrawQueries(rng, kind, hierarchy, histograms);
    for (size_t i = 0; i < queries.size(); ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", query " + std::to_string(i));
      check(BoundedBlocks(set, queries[i]));
      if (::testing::Test::HasFailure()) {
        return;
      }
    }
  }
}

}  // namespace kindred::test
