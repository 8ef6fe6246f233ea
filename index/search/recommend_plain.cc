#include "index/search/recommend_plain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/histogram/packed.h"

namespace kindred {

RecommendPlain::RecommendPlain(RecommendExamples& examples)
    : examples_(examples), bound_(examples.query()), overlaps_(examples.size()), kernels_(examples.size()) {
  const RecommendQuery& query = examples.query();
  liked_ = static_cast<size_t>(std::ranges::count_if(query.examples, &RecommendQuery::Example::liked));
  std::map<uint32_t, std::vector<Wearer>> colours;
  deeper_.resize(query.scoring.depth() + 1u);
  for (Level level = 0; level <= query.scoring.depth(); ++level) {
    for (uint32_t i = 0; i < query.examples.size(); ++i) {
      for (const Histogram::Entry& entry : query.examples[i].histogram.at_level(level)) {
        colours[Raw(entry.colour)].push_back({i, entry.count});
      }
    }
    for (Level above = 0; above < level; ++above) {
      deeper_[above] += query.scoring.weight(level);
    }
  }
  mask_ = std::bit_ceil(4 * colours.size() + 1) - 1;
  slots_.resize(mask_ + 1);
  for (const auto& [colour, wearers] : colours) {
    AddColour(colour, wearers);
  }
}

void RecommendPlain::AddColour(uint32_t colour, std::span<const Wearer> wearers) {
  size_t at = Hash(colour);
  while (slots_[at].size != 0) {
    at = (at + 1) & mask_;
  }
  slots_[at] = {colour, static_cast<uint32_t>(wearers_.size()), static_cast<uint32_t>(wearers.size())};
  wearers_.insert(wearers_.end(), wearers.begin(), wearers.end());
}

// Of any graph of so many vertices.
double RecommendPlain::SizeBound(uint32_t vertex_count) {
  if (vertex_count >= size_bounds_.size()) {
    size_bounds_.resize(vertex_count + 1, std::numeric_limits<double>::quiet_NaN());
  }
  double& known = size_bounds_[vertex_count];
  if (std::isnan(known)) {
    const double self = examples_.SelfKernel(vertex_count);
    bound_.Set([&](size_t i) {
      const double kernel = std::min(self, examples_[i].self_kernel);
      return examples_.query().scoring.SimilarityOf(kernel, examples_[i].self_kernel, self) *
             (1 + kRoundingSlack);
    });
    known = bound_.Whole();
  }
  return known;
}

// [PlainReach, ScoreBound] After this level of the graph at hand.
bool RecommendPlain::Hopeless(Level level, double self, double least) {
  const Scoring& scoring = examples_.query().scoring;
  bound_.Set([&](size_t i) {
    const uint32_t overlap = overlaps_[i] - std::min(overlaps_[i], TooTight(Mutant::kScorePlain));
    const double kernel =
        std::min(kernels_[i] + deeper_[level] * overlap, std::min(self, examples_[i].self_kernel));
    return scoring.SimilarityOf(kernel, examples_[i].self_kernel, self) * (1 + kRoundingSlack);
  });
  double most = bound_.Whole();
  for (size_t i = liked_; i < examples_.size(); ++i) {
    most -= examples_.query().examples[i].weight *
            scoring.SimilarityOf(kernels_[i], examples_[i].self_kernel, self) * (1 - kRoundingSlack);
  }
  return most < least;
}

absl::Status RecommendPlain::Offer(const SegmentView& view, const Interrupt& interrupt, BestRecommended& best,
                                   SearchStats& stats) {
  const Scoring& scoring = examples_.query().scoring;
  const GraphTable& graphs = view.segment->graphs();
  const PlainGraphs& plain = view.segment->plain();
  uint64_t unchecked = 0;
  for (uint32_t slot = 0; slot < plain.graph_count(); ++slot) {
    const uint32_t vertices = graphs.vertex_count(slot);
    if (!view.is_live(slot) || SizeBound(vertices) < best.least()) {
      continue;
    }
    const double self = examples_.SelfKernel(vertices);
    PackedCursor cursor(plain.packed(slot));
    std::ranges::fill(kernels_, 0.0);
    bool hopeless = false;
    for (Level level = 0; level <= scoring.depth() && !hopeless; ++level) {
      std::ranges::fill(overlaps_, 0);
      const uint32_t entries = cursor.Next();
      uint32_t colour = 0;
      for (uint32_t i = 0; i < entries; ++i) {
        colour += cursor.Next();
        const uint32_t count = cursor.Next();
        for (const Wearer& wearer : WearersOf(colour)) {
          overlaps_[wearer.example] += std::min(wearer.count, count);
        }
      }
      unchecked += entries;
      // By the roundings of Scoring::Kernel.
      for (size_t i = 0; i < kernels_.size(); ++i) {
        kernels_[i] += scoring.weight(level) * overlaps_[i];
      }
      hopeless = level < scoring.depth() && Hopeless(level, self, best.least());
    }
    if (!hopeless) {
      ++stats.candidates;
      best.Offer(graphs.external_id(slot), kernels_, vertices);
    }
    if (unchecked >= kPostingsBetweenChecks) {
      stats.postings_read += std::exchange(unchecked, 0);
      KINDRED_RETURN_IF_ERROR(interrupt.Check());
    }
  }
  stats.postings_read += unchecked;
  return absl::OkStatus();
}

}  // namespace kindred
