#include "tests/support/bounded_blocks.h"

#include <map>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tests/support/corpus.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr uint64_t kSetsOfBlocks = 15;
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
  SegmentBuilder builder;
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
    : set_(set), query_(query), units_(query), terms_(set.blocks(), query, units_) {
  for (const auto& histogram : set.by_slot()) {
    overlaps_.push_back(histogram ? LevelOverlaps(query.histogram, *histogram) : std::vector<uint32_t>());
  }
  for (const QueryTerms::AtLevel& level : terms_.levels) {
    std::vector<uint16_t>& counts = rare_.emplace_back(size_t{blocks().column_words()} * kChunkBlocks);
    for (const auto list : level.rare) {
      uint32_t block = 0;
      for (const BlockPosting& posting : list) {
        block += posting.gap;
        counts[block] = static_cast<uint16_t>(counts[block] + (posting.mask != 0 ? 1 : 0));
      }
    }
  }
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

std::vector<uint16_t> BoundedBlocks::RareCounts() const {
  const size_t stride = terms_.levels.size() * kBlockGraphs;
  std::vector<uint16_t> counts(blocks().block_count() * stride);
  std::vector<uint32_t> places(blocks().block_count());
  for (uint32_t block = 0; block < places.size(); ++block) {
    places[block] = block;
  }
  const std::vector<uint64_t> wanted(blocks().chunk_count(), ~uint64_t{0});
  for (size_t l = 0; l < terms_.levels.size(); ++l) {
    for (const auto list : terms_.levels[l].rare) {
      AddPostings(list, wanted.data(), places.data(), stride, counts.data() + l * kBlockGraphs);
    }
  }
  return counts;
}

std::vector<RowLevel> BoundedBlocks::RowLevels(bool summed) const {
  std::vector<RowLevel> levels;
  for (Level level = blocks().features().level_count(); level-- > 0;) {
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
    for (size_t count = 40 + Below(rng, 600); count > 0; --count) {
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
