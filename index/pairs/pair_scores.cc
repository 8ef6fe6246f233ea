#include "index/pairs/pair_scores.h"

#include <algorithm>
#include <array>
#include <utility>

#include "index/base/mutant.h"
#include "index/base/status.h"
#include "index/pairs/overlaps.h"

namespace kindred {
namespace {

// Whatever memory there is: fewer would read the lists for next to nothing, and more would take long.
constexpr size_t kCandidatesMin = 1 << 12;
constexpr size_t kCandidatesMax = 1 << 18;

// A task that scores.
constexpr size_t kTaskCandidates = 1 << 12;

// When so many candidates were met, of so many graphs, all are read.
constexpr uint64_t kGraphsPerCandidate = 4;

}  // namespace

PairScores::PairScores(const PairParts& parts, const PrefixLists& lists, const Scoring& scoring,
                       double min_similarity, std::vector<uint32_t> numbers, uint64_t memory_max)
    : parts_(parts),
      lists_(lists),
      scoring_(scoring),
      min_similarity_(min_similarity),
      numbers_(std::move(numbers)) {
  uint64_t bytes = 0;
  uint64_t largest = 1;
  for (const uint32_t number : numbers_) {
    const uint64_t graph = ForwardGraphs::Bytes(parts, parts.vertex_count(number));
    bytes += graph;
    largest = std::max(largest, graph);
  }
  all_fit_ = bytes <= memory_max;
  // Twice what an average graph takes, as most candidates are of that size.
  const uint64_t average = numbers_.empty() ? 1 : bytes / numbers_.size() + 1;
  candidates_max_ = all_fit_ ? kCandidatesMax
                             : std::clamp<size_t>(memory_max / (2 * std::min(2 * average, largest)),
                                                  kCandidatesMin, kCandidatesMax);
}

absl::Status PairScores::Decide(std::vector<PairCandidate>& candidates, const ParallelFor& parallel_for,
                                const Interrupt& interrupt, std::vector<ScoredPair>& pairs) {
  std::ranges::sort(candidates);
  const auto same = [](const PairCandidate& a, const PairCandidate& b) { return a.a == b.a && a.b == b.b; };
  // Keeps the first rank. Not std::ranges::unique: clang 14 cannot read that of GCC 12.
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
  scored_ += candidates.size();
  std::unique_ptr<const ForwardGraphs> some;
  if (all_ == nullptr && all_fit_ && scored_ * kGraphsPerCandidate >= numbers_.size()) {
    all_ = std::make_unique<ForwardGraphs>(parts_, numbers_, parallel_for);
  }
  if (all_ == nullptr) {
    std::vector<uint32_t> wanted;
    for (const PairCandidate& candidate : candidates) {
      wanted.push_back(candidate.a);
      wanted.push_back(candidate.b);
    }
    some = std::make_unique<ForwardGraphs>(parts_, wanted, parallel_for);
  }
  const ForwardGraphs& graphs = all_ != nullptr ? *all_ : *some;
  const size_t tasks = (candidates.size() + kTaskCandidates - 1) / kTaskCandidates;
  std::vector<std::vector<ScoredPair>> found(tasks);
  parallel_for(tasks, [&](size_t task) {
    const size_t begin = task * kTaskCandidates;
    const size_t size = std::min(kTaskCandidates, candidates.size() - begin);
    if (interrupt.Check().ok()) {
      ScoreSome(std::span(candidates).subspan(begin, size), graphs, found[task]);
    }
  });
  for (const auto& some_found : found) {
    pairs.insert(pairs.end(), some_found.begin(), some_found.end());
  }
  return interrupt.Check();
}

void PairScores::ScoreSome(std::span<const PairCandidate> candidates, const ForwardGraphs& graphs,
                           std::vector<ScoredPair>& pairs) const {
  ForwardLists a;
  ForwardLists b;
  uint32_t last = UINT32_MAX;
  for (const PairCandidate& candidate : candidates) {
    if (candidate.a != last) {
      last = candidate.a;
      a.Clear();
      graphs.AddTo(a, last);
    }
    b.Clear();
    graphs.AddTo(b, candidate.b);
    ScoreOne(candidate, a.graph(0), b.graph(0), pairs);
  }
}

void PairScores::ScoreOne(const PairCandidate& candidate, std::span<const FeatureRun> a,
                          std::span<const FeatureRun> b, std::vector<ScoredPair>& pairs) const {
  // Of the features of one colour that both have, the last is the rarest.
  uint32_t first_rank = UINT32_MAX;
  const auto overlaps = SharedRuns(parts_.features(), a, b, [&](uint32_t first, uint32_t count) {
    first_rank = std::min(first_rank, lists_.rank(first + count - 1));
  });
  if (candidate.rank != first_rank + TooTight(Mutant::kFirstShared)) {
    return;  // It stood in an earlier list.
  }
  const uint32_t vertices = parts_.vertex_count(candidate.a);
  const Score score{scoring_.Kernel(overlaps), parts_.vertex_count(candidate.b)};
  const double similarity = scoring_.Similarity(score, vertices);
  if (similarity >= min_similarity_) {
    pairs.push_back({candidate.a, candidate.b, score.kernel, similarity});
  }
}

}  // namespace kindred
