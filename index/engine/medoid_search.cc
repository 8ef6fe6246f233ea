#include "index/engine/medoid_search.h"

#include <algorithm>
#include <utility>

#include "index/base/status.h"
#include "index/pairs/forward_graphs.h"
#include "index/pairs/overlaps.h"

namespace kindred {

MedoidSearch::MedoidSearch(const PairSearch& search, std::vector<GraphKind> kinds)
    : search_(search), kinds_(std::move(kinds)), sums_(kinds_.size()) {}

absl::Status MedoidSearch::Read(const ParallelFor& parallel_for) {
  std::vector<uint32_t> numbers;
  bool all_of_blocks = true;
  for (const GraphKind& kind : kinds_) {
    numbers.push_back(kind.number);
    all_of_blocks = all_of_blocks && !std::ranges::binary_search(search_.outsize(), kind.number);
  }
  if (all_of_blocks) {
    const ForwardGraphs graphs(search_.parts(), numbers, parallel_for);
    for (const uint32_t number : numbers) {
      graphs.AddTo(runs_, number);
    }
    return absl::OkStatus();
  }
  const StoreView& store = *search_.snapshot().store;
  for (const uint32_t number : numbers) {
    const std::string_view id = search_.parts().external_id(number);
    const std::optional<GraphId> found = search_.snapshot().FindGraph(id);
    if (!found) {
      return DataLoss("lists: the graph '{}' was found, but is not there", id);
    }
    KINDRED_ASSIGN_OR_RETURN(StoredHistogram stored, store.ReadHistogram(*found));
    histograms_.push_back(std::move(stored.histogram));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> MedoidSearch::Step(uint64_t comparisons, const ParallelFor& parallel_for,
                                        const Interrupt& interrupt) {
  constexpr size_t kTasks = 16;
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (!read_) {
    KINDRED_RETURN_IF_ERROR(Read(parallel_for));
    read_ = true;
  }
  // Row i is compared with i others.
  std::vector<size_t> ends;
  uint64_t compared = 0;
  const uint64_t task_comparisons = comparisons / kTasks + 1;
  size_t row = next_row_;
  for (uint64_t of_task = 0; row < kinds_.size() && compared < comparisons; ++row) {
    of_task += row;
    compared += row;
    if (of_task >= task_comparisons) {
      ends.push_back(row + 1);
      of_task = 0;
    }
  }
  if (ends.empty() || ends.back() != row) {
    ends.push_back(row);
  }
  std::vector<std::vector<SimilaritySum>> sums(ends.size());
  parallel_for(ends.size(), [&](size_t task) {
    if (interrupt.Check().ok()) {
      Compare(task == 0 ? next_row_ : ends[task - 1], ends[task], sums[task]);
    }
  });
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  for (const auto& of_task : sums) {
    for (size_t i = 0; i < of_task.size(); ++i) {
      sums_[i] += of_task[i];
    }
  }
  next_row_ = row;
  return next_row_ < kinds_.size();
}

void MedoidSearch::Compare(size_t begin, size_t end, std::vector<SimilaritySum>& sums) const {
  const Measure measure = search_.scoring().measure();
  sums.resize(end);
  for (size_t i = begin; i < end; ++i) {
    sums[i] += SimilarityTerm(measure, Similarity(i, i), kinds_[i].count - 1);
    for (size_t j = 0; j < i; ++j) {
      const double similarity = Similarity(i, j);
      sums[i] += SimilarityTerm(measure, similarity, kinds_[j].count);
      sums[j] += SimilarityTerm(measure, similarity, kinds_[i].count);
    }
  }
}

double MedoidSearch::Similarity(size_t i, size_t j) const {
  const Scoring& scoring = search_.scoring();
  const PairParts& parts = search_.parts();
  const double kernel =
      histograms_.empty()
          ? scoring.Kernel(SharedRuns(parts.features(), runs_.graph(static_cast<uint32_t>(i)),
                                      runs_.graph(static_cast<uint32_t>(j)), [](uint32_t, uint32_t) {}))
          : scoring.Kernel(LevelOverlaps(histograms_[i], histograms_[j]));
  return scoring.Similarity({kernel, parts.vertex_count(kinds_[j].number)},
                            parts.vertex_count(kinds_[i].number));
}

}  // namespace kindred
