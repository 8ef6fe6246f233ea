#include "index/engine/recovery.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/engine/segment_stack.h"
#include "index/histogram/packed.h"
#include "index/lists/segment.h"

namespace kindred {
namespace {

constexpr uint64_t kGraphsBetweenReports = 50'000;
constexpr uint64_t kPartIdsMax = kInvertedGraphsMax;

class Recovery {
 public:
  Recovery(const Store& store, ColourHierarchy& hierarchy, const RecoveryReporter& report)
      : view_(store.view()), totals_(store.totals()), hierarchy_(hierarchy), report_(report) {}

  absl::Status RestoreHierarchy() {
    KINDRED_RETURN_IF_ERROR(view_->ForEachLabel(
        [&](LabelId id, std::string_view label) { return hierarchy_.RestoreLabel(id, label); }));
    KINDRED_RETURN_IF_ERROR(view_->ForEachColour(
        [&](ColourId id, std::string_view signature) { return hierarchy_.RestoreColour(id, signature); }));
    progress_.colours = hierarchy_.colour_count();
    Report(0);
    return CheckCounts();
  }

  absl::StatusOr<std::shared_ptr<const Snapshot>> RestoreGraphs(Executor& executor) {
    KINDRED_ASSIGN_OR_RETURN(const CommitSequence sequence, view_->sequence());
    // GraphIds are 1..sequence. Graphs stay plain at first: the merger inverts them while searches are
    // answered.
    const uint64_t ids = Raw(sequence) + 1;
    const auto threads = static_cast<uint64_t>(executor.threads());
    const uint64_t parts = std::max(threads, (ids + kPartIdsMax - 1) / kPartIdsMax);
    std::vector<SegmentView> segments(parts);
    std::vector<absl::Status> statuses(parts + 1);
    executor.ParallelFor(parts + 1, [&](size_t part) {
      if (part == parts) {
        statuses[part] = CheckTheRest();
        return;
      }
      const GraphId begin{ids * part / parts};
      const GraphId end{ids * (part + 1) / parts};
      statuses[part] = RestoreRange(begin, end, segments[part]);
    });
    for (const absl::Status& status : statuses) {
      KINDRED_RETURN_IF_ERROR(status);
    }
    KINDRED_RETURN_IF_ERROR(CheckNothingBeyond(sequence));
    KINDRED_RETURN_IF_ERROR(CheckSet(histograms_, "histograms"));
    progress_.done = true;
    Report(0);
    std::erase_if(segments, [](const SegmentView& view) { return view.segment->size() == 0; });
    return std::make_shared<const Snapshot>(Snapshot{sequence, std::move(segments), view_});
  }

 private:
  absl::Status RestoreRange(GraphId begin, GraphId end, SegmentView& segment) {
    PlainSegmentBuilder builder;
    std::string packed;
    GraphSet restored;
    uint64_t unreported = 0;
    KINDRED_RETURN_IF_ERROR(
        view_->ForEachHistogram(begin, end, [&](GraphId id, const StoredHistogram& stored) {
          packed.clear();
          AppendPacked(packed, stored.histogram);
          builder.Add(id, stored.external_id, stored.histogram.vertex_count(), packed);
          restored.Add(id);
          if (++unreported == kGraphsBetweenReports) {
            Report(std::exchange(unreported, 0));
          }
          return CheckColours(id, stored.histogram);
        }));
    if (unreported > 0) {
      Report(unreported);
    }
    segment.segment = std::move(builder).Build();
    return CheckRecords(begin, end, restored);
  }

  // Searches do not read `graphs` and `ids`, but what is damaged there must not come out later.
  absl::Status CheckRecords(GraphId begin, GraphId end, const GraphSet& restored) {
    KINDRED_ASSIGN_OR_RETURN(const GraphSet records, view_->GraphsWithRecord(begin, end));
    if (records != restored) {
      return DataLoss("store: of the graphs {} to {}, {} have a record and {} a histogram, or others have",
                      Raw(begin), Raw(end) - 1, records.count, restored.count);
    }
    const std::scoped_lock lock(report_mutex_);
    histograms_.Add(restored);
    return absl::OkStatus();
  }

  absl::Status CheckTheRest() const {
    for (const schema::Family family : {schema::Family::kMeta, schema::Family::kSources}) {
      KINDRED_RETURN_IF_ERROR(view_->CheckReadable(family));
    }
    KINDRED_ASSIGN_OR_RETURN(const GraphSet ids, view_->GraphsWithId());
    return CheckSet(ids, "ids");
  }

  absl::Status CheckSet(const GraphSet& found, std::string_view family) const {
    if (found != totals_.graphs) {
      return DataLoss("store: {} holds {} graphs where the last commit left {}, or others than those", family,
                      found.count, totals_.graphs.count);
    }
    return absl::OkStatus();
  }

  absl::Status CheckCounts() const {
    if (hierarchy_.label_count() != totals_.labels || hierarchy_.colour_count() != totals_.colours) {
      return DataLoss("store: holds {} labels and {} colours where the last commit left {} and {}",
                      hierarchy_.label_count(), hierarchy_.colour_count(), totals_.labels, totals_.colours);
    }
    return absl::OkStatus();
  }

  absl::Status CheckColours(GraphId id, const Histogram& histogram) const {
    for (Level level = 0; level <= histogram.depth(); ++level) {
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        if (Raw(entry.colour) >= hierarchy_.colour_count() || hierarchy_.level(entry.colour) != level) {
          return DataLoss("store: graph {} wears colour {} at level {}, which is missing or of another level",
                          Raw(id), Raw(entry.colour), level);
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckNothingBeyond(CommitSequence sequence) const {
    return view_->ForEachHistogram(
        GraphId{Raw(sequence) + 1}, GraphId{UINT64_MAX}, [&](GraphId id, const StoredHistogram&) {
          return DataLoss("store: graph {} lies beyond the last commit, {}", Raw(id), Raw(sequence));
        });
  }

  void Report(uint64_t graphs) {
    const std::scoped_lock lock(report_mutex_);
    progress_.graphs += graphs;
    if (report_) {
      report_(progress_);
    }
  }

  const std::shared_ptr<const StoreView> view_;
  const Totals totals_;
  ColourHierarchy& hierarchy_;
  const RecoveryReporter& report_;
  std::mutex report_mutex_;
  RecoveryProgress progress_;
  GraphSet histograms_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Snapshot>> Recover(const Store& store, ColourHierarchy& hierarchy,
                                                        Executor& executor, const RecoveryReporter& report) {
  Recovery recovery(store, hierarchy, report);
  KINDRED_RETURN_IF_ERROR(recovery.RestoreHierarchy());
  return recovery.RestoreGraphs(executor);
}

}  // namespace kindred
