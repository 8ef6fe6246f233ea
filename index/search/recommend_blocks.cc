#include "index/search/recommend_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/search/example_blocks.h"
#include "index/search/net_blocks.h"
#include "index/search/net_bound.h"
#include "index/search/score_bound.h"

namespace kindred {
namespace {

// Groups of the first wave, and how many times more every next one has, up to a limit that bounds the memory.
constexpr size_t kWaveGroupsFirst = 32;
constexpr size_t kWaveGrowth = 4;
constexpr size_t kWaveGroupsMax = 1024;
// The same of the blocks whose rare features are added at a time.
constexpr size_t kBatchBlocksFirst = 32;
constexpr size_t kBatchGrowth = 2;
constexpr size_t kBatchBlocksMax = 512;
// Rows are fetched so many blocks ahead.
constexpr size_t kBlocksAhead = 3;

constexpr double kNoLane = -std::numeric_limits<double>::infinity();

class RecommendBlocks {
 public:
  RecommendBlocks(const SegmentView& view, RecommendExamples& examples, const Interrupt& interrupt,
                  BestRecommended& best, SearchStats& stats)
      : view_(view),
        live_(view),
        index_(view.segment->blocks()),
        query_(examples.query()),
        examples_(examples),
        interrupt_(interrupt),
        best_(best),
        stats_(stats),
        bound_(examples.query()),
        kernels_(examples.size()) {
    for (size_t i = 0; i < examples.size(); ++i) {
      in_blocks_.emplace_back(index_, live_, examples[i].query, examples[i].units);
    }
    if (query_.form == RecommendForm::kWeightedSum && examples.size() > 1) {
      net_.emplace(examples);
      net_blocks_.emplace(index_, examples, *net_);
      if (!net_blocks_->usable()) {
        net_.reset();
      }
    }
  }

  absl::Status Run() {
    std::vector<std::pair<double, uint32_t>> groups;
    KINDRED_RETURN_IF_ERROR(BoundGroups(groups));
    std::ranges::sort(groups, std::greater<>());
    size_t done = 0;
    for (size_t size = kWaveGroupsFirst;; size = std::min(size * kWaveGrowth, kWaveGroupsMax)) {
      std::vector<uint32_t> wave;
      while (wave.size() < size && done < groups.size() && Reaches(groups[done].first, Mutant::kScoreGroup)) {
        wave.push_back(groups[done++].second);
      }
      if (wave.empty()) {
        return absl::OkStatus();
      }
      std::ranges::sort(wave);
      KINDRED_RETURN_IF_ERROR(ScoreGroups(wave));
    }
  }

 private:
  // What the score of a block, by place, can be.
  using Promise = std::pair<double, uint32_t>;

  const BoundedSixteens& bounds() const { return in_blocks_.front().bounds(); }

  bool Reaches(double bound, Mutant mutant) const {
    return bound - 1e-6 * TooTight(mutant) * std::abs(bound) >= best_.least();
  }

  // All that show a graph, with the score each can reach.
  absl::Status BoundGroups(std::vector<std::pair<double, uint32_t>>& groups) {
    for (ExampleBlocks& example : in_blocks_) {
      KINDRED_RETURN_IF_ERROR(example.BoundGroups(interrupt_, stats_));
    }
    const BoundedSixteens& bounds = in_blocks_.front().group_bounds();
    for (size_t word = 0; word < bounds.words().size(); ++word) {
      bounds.ForEachIn(word, [&](uint32_t place) {
        const uint32_t group = bounds.number(place);
        if (live_.InGroup(group)) {
          bound_.Set([&](size_t i) { return in_blocks_[i].GroupReach(place); });
          groups.emplace_back(bound_.Whole(), group);
        }
      });
    }
    return absl::OkStatus();
  }

  absl::Status ScoreGroups(const std::vector<uint32_t>& groups) {
    for (ExampleBlocks& example : in_blocks_) {
      KINDRED_RETURN_IF_ERROR(example.BoundBlocks(groups, interrupt_, stats_));
    }
    if (net_) {
      KINDRED_RETURN_IF_ERROR(net_blocks_->Bound(groups, interrupt_, stats_));
    }
    FillReaches();
    std::vector<Promise> blocks = PromisingBlocks();
    if (net_) {
      KINDRED_RETURN_IF_ERROR(KeepByGraphs(blocks));
    }
    std::ranges::sort(blocks, std::greater<>());
    size_t done = 0;
    for (size_t size = kBatchBlocksFirst;; size = std::min(size * kBatchGrowth, kBatchBlocksMax)) {
      std::vector<uint32_t> batch;
      while (batch.size() < size && done < blocks.size() &&
             Reaches(blocks[done].first, Mutant::kScoreBlock)) {
        batch.push_back(blocks[done++].second);
      }
      if (batch.empty()) {
        return absl::OkStatus();
      }
      KINDRED_RETURN_IF_ERROR(ScoreBlocks(batch));
      best_.Settle();
    }
  }

  // What each bounded block can have of each example.
  void FillReaches() {
    const size_t count = in_blocks_.size();
    reaches_.resize(bounds().words().size() * kGroupBlocks * count);
    for (size_t e = 0; e < count; ++e) {
      in_blocks_[e].FillReaches(reaches_.data() + e, count);
    }
  }
  const double* ReachesOf(uint32_t place) const { return reaches_.data() + place * in_blocks_.size(); }
  void SetBound(uint32_t place) {
    bound_.Set([reaches = ReachesOf(place)](size_t e) { return reaches[e]; });
  }

  // Of the bounded blocks those whose score can reach the best, with what it can be; in their order.
  std::vector<Promise> PromisingBlocks() {
    std::vector<Promise> blocks;
    for (size_t word = 0; word < bounds().words().size(); ++word) {
      bounds().ForEachIn(word, [&](uint32_t place) {
        if (!live_.InBlock(bounds().number(place))) {
          return;
        }
        SetBound(place);
        double most = bound_.Whole();
        if (net_ && Reaches(most, Mutant::kScoreBlock)) {
          most = std::min(most, NetMost(net_blocks_->MostOfBlock(place), place));
        }
        if (Reaches(most, Mutant::kScoreBlock)) {
          blocks.emplace_back(most, place);
        }
      });
    }
    return blocks;
  }

  double NetMost(double net, uint32_t place) const {
    const uint32_t block = bounds().number(place);
    return net_->Most(net, {index_.smallest()[block], index_.largest()[block], ReachesOf(place)});
  }

  // [NetBound] Keeps those of which a graph may, by the net weights of its own features.
  absl::Status KeepByGraphs(std::vector<Promise>& blocks) {
    size_t kept = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      KINDRED_RETURN_IF_ERROR(CheckNowAndThen());
      if (i + kBlocksAhead < blocks.size()) {
        Prefetch(bounds().number(blocks[i + kBlocksAhead].second));
      }
      const auto [most, place] = blocks[i];
      const uint32_t block = bounds().number(place);
      const NetBlocks::Sums sums = net_blocks_->OfGraphs(place, block, stats_);
      const int16_t best = *std::ranges::max_element(sums);
      const double by_graphs = std::min(most, NetMost(net_blocks_->Units(best), place));
      if (by_graphs >= best_.least()) {
        blocks[kept++] = {by_graphs, place};
      }
    }
    blocks.resize(kept);
    return absl::OkStatus();
  }

  absl::Status CheckNowAndThen() {
    if (stats_.postings_read - postings_checked_ < kPostingsBetweenChecks) {
      return absl::OkStatus();
    }
    postings_checked_ = stats_.postings_read;
    return interrupt_.Check();
  }

  absl::Status ScoreBlocks(const std::vector<uint32_t>& places) {
    for (ExampleBlocks& example : in_blocks_) {
      KINDRED_RETURN_IF_ERROR(example.Begin(places, interrupt_, stats_));
    }
    for (uint32_t i = 0; i < places.size(); ++i) {
      KINDRED_RETURN_IF_ERROR(CheckNowAndThen());
      if (i + kBlocksAhead < places.size()) {
        Prefetch(bounds().number(places[i + kBlocksAhead]));
      }
      ScoreBlock(i, places[i]);
    }
    return absl::OkStatus();
  }

  void Prefetch(uint32_t block) const {
    const size_t row_bytes = index_.row_words() * sizeof(uint64_t);
    constexpr size_t kMaskBytes = 1024;  // Most of what a block of molecules has.
    for (size_t at = 0; at < row_bytes; at += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(index_.row(block)) + at);
    }
    for (size_t at = 0; at < kMaskBytes; at += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(index_.row_masks(block)) + at);
    }
  }

  // The i-th block of the batch.
  void ScoreBlock(uint32_t i, uint32_t place) {
    const double least = best_.least();
    SetBound(place);
    if (!Reaches(bound_.Whole(), Mutant::kScoreBlock)) {
      return;
    }
    ++stats_.blocks_scored;
    const uint32_t first_slot = bounds().number(place) * kBlockGraphs;
    std::array<double, kBlockGraphs> scores{};
    std::array<double, kBlockGraphs> selves{};
    std::array<double, kBlockGraphs> similarities{};
    for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
      scores[lane] = view_.is_live(first_slot + lane) ? query_.NoScore() : kNoLane;
      selves[lane] = examples_.SelfKernel(view_.segment->graphs().vertex_count(first_slot + lane));
    }
    double most = query_.NoScore();
    for (size_t e = 0; e < in_blocks_.size(); ++e) {
      const RecommendQuery::Example& example = query_.examples[e];
      const double need = example.liked ? bound_.Need(most, e, least) : 0;
      if (!in_blocks_[e].Finish(i, place, need, stats_)) {
        return;
      }
      in_blocks_[e].Similarities(i, examples_[e].self_kernel, selves, similarities);
      most = kNoLane;
      for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
        scores[lane] = query_.AddScore(scores[lane], example, similarities[lane]);
        most = std::max(most, scores[lane]);
      }
      if (most == kNoLane || !Reaches(bound_.Rest(most, e + 1), Mutant::kScoreRest)) {
        return;
      }
    }
    for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
      if (scores[lane] != kNoLane && scores[lane] >= best_.least()) {
        Offer(i, lane, first_slot + lane);
      }
    }
  }

  void Offer(uint32_t i, uint32_t lane, uint32_t slot) {
    ++stats_.candidates;
    for (size_t e = 0; e < in_blocks_.size(); ++e) {
      kernels_[e] = in_blocks_[e].Kernel(i, lane);
    }
    const GraphTable& graphs = view_.segment->graphs();
    best_.Offer(graphs.external_id(slot), kernels_, graphs.vertex_count(slot));
  }

  const SegmentView& view_;
  const LiveBlocks live_;
  const BlockIndex& index_;
  const RecommendQuery& query_;
  RecommendExamples& examples_;
  const Interrupt& interrupt_;
  BestRecommended& best_;
  SearchStats& stats_;
  std::deque<ExampleBlocks> in_blocks_;
  ScoreBound bound_;
  std::optional<NetBound> net_;  // Of a weighted sum of several examples.
  std::optional<NetBlocks> net_blocks_;
  std::vector<double> reaches_;    // Of each bounded block to each example.
  std::vector<double> kernels_;    // Of the graph at hand.
  uint64_t postings_checked_ = 0;  // When the interrupt was last looked at.
};

}  // namespace

absl::Status RecommendFromBlocks(const SegmentView& view, RecommendExamples& examples,
                                 const Interrupt& interrupt, BestRecommended& best, SearchStats& stats) {
  if (view.segment->blocks().block_count() == 0) {
    return absl::OkStatus();
  }
  return RecommendBlocks(view, examples, interrupt, best, stats).Run();
}

}  // namespace kindred
