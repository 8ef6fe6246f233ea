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
constexpr size_t kBlocksAhead = 2;

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
        reaches_(examples.size()),
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
    const std::vector<std::pair<double, uint32_t>> blocks = PromisingBlocks();
    size_t done = 0;
    for (size_t size = kBatchBlocksFirst;; size = std::min(size * kBatchGrowth, kBatchBlocksMax)) {
      std::vector<uint32_t> batch;
      for (; batch.size() < size && done < blocks.size(); ++done) {
        if (!Reaches(blocks[done].first, Mutant::kScoreBlock)) {
          done = blocks.size();  // Those behind it do not, either.
          break;
        }
        if (done + kBlocksAhead < blocks.size()) {
          Prefetch(in_blocks_.front().bounds().number(blocks[done + kBlocksAhead].second));
        }
        KINDRED_RETURN_IF_ERROR(CheckNowAndThen());
        if (!net_ || NetReaches(blocks[done].second)) {
          batch.push_back(blocks[done].second);
        }
      }
      if (batch.empty()) {
        return absl::OkStatus();
      }
      KINDRED_RETURN_IF_ERROR(ScoreBlocks(batch));
      best_.Settle();
    }
  }

  // Of the bounded blocks, by place, those whose score can reach the best, with what it can be: the highest
  // first.
  std::vector<std::pair<double, uint32_t>> PromisingBlocks() {
    std::vector<std::pair<double, uint32_t>> blocks;
    const BoundedSixteens& bounds = in_blocks_.front().bounds();
    for (size_t word = 0; word < bounds.words().size(); ++word) {
      bounds.ForEachIn(word, [&](uint32_t place) {
        if (!live_.InBlock(bounds.number(place))) {
          return;
        }
        bound_.Set([&](size_t i) { return in_blocks_[i].BlockReach(place); });
        double most = bound_.Whole();
        if (net_ && Reaches(most, Mutant::kScoreBlock)) {
          most = std::min(most, net_->Most(net_blocks_->MostOfBlock(place), NetBlockAt(place)));
        }
        if (Reaches(most, Mutant::kScoreBlock)) {
          blocks.emplace_back(most, place);
        }
      });
    }
    std::ranges::sort(blocks, std::greater<>());
    return blocks;
  }

  NetBound::Block NetBlockAt(uint32_t place) {
    for (size_t e = 0; e < in_blocks_.size(); ++e) {
      reaches_[e] = in_blocks_[e].BlockReach(place);
    }
    const uint32_t block = in_blocks_.front().bounds().number(place);
    return {index_.smallest()[block], index_.largest()[block], reaches_.data()};
  }

  // [NetBound] Whether one of its graphs may, by the net weights of its own features.
  bool NetReaches(uint32_t place) {
    const uint32_t block = in_blocks_.front().bounds().number(place);
    const NetBlocks::Sums sums = net_blocks_->OfGraphs(place, block, stats_);
    std::optional<int16_t> most;
    for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
      if (view_.is_live(block * kBlockGraphs + lane)) {
        most = std::max(most.value_or(sums[lane]), sums[lane]);
      }
    }
    return most && net_->Most(net_blocks_->Units(*most), NetBlockAt(place)) >= best_.least();
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
    const BoundedSixteens& bounds = in_blocks_.front().bounds();
    for (uint32_t i = 0; i < places.size(); ++i) {
      KINDRED_RETURN_IF_ERROR(CheckNowAndThen());
      if (i + kBlocksAhead < places.size()) {
        Prefetch(bounds.number(places[i + kBlocksAhead]));
      }
      ScoreBlock(i, places[i]);
    }
    return absl::OkStatus();
  }

  void Prefetch(uint32_t block) const {
    constexpr size_t kBytes = 512;
    for (size_t at = 0; at < kBytes; at += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(index_.row(block)) + at);
      __builtin_prefetch(reinterpret_cast<const char*>(index_.row_masks(block)) + at);
    }
  }

  // The i-th block of the batch.
  void ScoreBlock(uint32_t i, uint32_t place) {
    const double least = best_.least();
    bound_.Set([&](size_t e) { return in_blocks_[e].BlockReach(place); });
    if (!Reaches(bound_.Whole(), Mutant::kScoreBlock)) {
      return;
    }
    ++stats_.blocks_scored;
    const uint32_t first_slot = in_blocks_.front().bounds().number(place) * kBlockGraphs;
    std::array<double, kBlockGraphs> scores{};
    std::array<double, kBlockGraphs> selves{};
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
      most = kNoLane;
      for (uint32_t lane = 0; lane < kBlockGraphs; ++lane) {
        const double similarity = query_.scoring.SimilarityOf(in_blocks_[e].Kernel(i, lane),
                                                              examples_[e].self_kernel, selves[lane]);
        scores[lane] = query_.AddScore(scores[lane], example, similarity);
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
  std::vector<double> reaches_;    // Of the block at hand.
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
