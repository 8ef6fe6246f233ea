#include "index/engine/recovery.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/lists/segment.h"

namespace kindred {
namespace {

constexpr uint64_t kGraphsBetweenReports = 50'000;
constexpr uint64_t kPartIdsMax = 1 << 16;

class Recovery {
 public:
  Recovery(const Store& store, ColourHierarchy& hierarchy, IdFilter& ids, Executor& executor,
           const RecoveryReporter& report)
      : view_(store.view()),
        totals_(store.totals()),
        hierarchy_(hierarchy),
        ids_(ids),
        executor_(executor),
        report_(report) {}

  absl::StatusOr<std::shared_ptr<const Snapshot>> Run() {
    KINDRED_ASSIGN_OR_RETURN(const CommitSequence sequence, view_->sequence());
    // GraphIds are 1..sequence.
    const uint64_t ids = Raw(sequence) + 1;
    const auto threads = static_cast<uint64_t>(executor_.threads());
    const uint64_t parts = std::max(threads, (ids + kPartIdsMax - 1) / kPartIdsMax);
    const auto begin = [&](size_t part) { return GraphId{ids * part / parts}; };

    // Colours are restored one after the other, which takes a while; meanwhile there is enough to check that
    // does not need them.
    std::vector<Records> records(parts);
    KINDRED_RETURN_IF_ERROR(InParallel(parts + 2, [&](size_t i) {
      if (i < 2) {
        return i == 0 ? RestoreHierarchy() : CheckTheRest();
      }
      return CheckRecords(begin(i - 2), begin(i - 1), records[i - 2]);
    }));
    // Graphs stay plain at first: the merger inverts them while searches are answered.
    std::vector<SegmentView> segments(parts);
    KINDRED_RETURN_IF_ERROR(InParallel(parts, [&](size_t part) {
      return RestoreGraphs(begin(part), begin(part + 1), records[part], segments[part]);
    }));
    KINDRED_RETURN_IF_ERROR(CheckNothingBeyond(sequence));
    KINDRED_RETURN_IF_ERROR(CheckSet(histograms_, "histograms"));
    progress_.done = true;
    Report(0);
    std::erase_if(segments, [](const SegmentView& view) { return view.segment->size() == 0; });
    return std::make_shared<const Snapshot>(Snapshot{sequence, std::move(segments), view_});
  }

 private:
  // What the records of some graphs are needed for.
  struct Records {
    GraphSet graphs;
    std::vector<std::pair<GraphId, Tags>> tags;  // Of those that have some.
  };

  // The first failure, if there is any, of work(0), ..., work(count - 1).
  absl::Status InParallel(size_t count, const std::function<absl::Status(size_t)>& work) {
    std::vector<absl::Status> statuses(count);
    executor_.ParallelFor(count, [&](size_t i) { statuses[i] = work(i); });
    for (const absl::Status& status : statuses) {
      KINDRED_RETURN_IF_ERROR(status);
    }
    return absl::OkStatus();
  }

  absl::Status RestoreHierarchy() {
    KINDRED_RETURN_IF_ERROR(view_->ForEachLabel(
        [&](LabelId id, std::string_view label) { return hierarchy_.RestoreLabel(id, label); }));
    levels_.reserve(totals_.colours);
    KINDRED_RETURN_IF_ERROR(view_->ForEachColour([&](ColourId id, std::string_view signature) {
      const absl::Status status = hierarchy_.RestoreColour(id, signature);
      if (status.ok()) {
        levels_.push_back(hierarchy_.level(id));
      }
      return status;
    }));
    KINDRED_RETURN_IF_ERROR(CheckCounts());
    const std::scoped_lock lock(report_mutex_);
    progress_.colours = hierarchy_.colour_count();
    ReportLocked();
    return absl::OkStatus();
  }

  // Searches do not read `graphs` and `ids`, but what is damaged there must not come out later.
  absl::Status CheckRecords(GraphId begin, GraphId end, Records& records) const {
    KINDRED_ASSIGN_OR_RETURN(records.graphs, view_->GraphsWithRecord(begin, end, [&](GraphId id, Tags tags) {
      records.tags.emplace_back(id, std::move(tags));
    }));
    return absl::OkStatus();
  }

  absl::Status RestoreGraphs(GraphId begin, GraphId end, Records& records, SegmentView& segment) {
    PlainSegmentBuilder builder;
    GraphSet restored;
    auto tags = records.tags.begin();
    uint64_t unreported = 0;
    KINDRED_RETURN_IF_ERROR(
        view_->ForEachEncodedHistogram(begin, end, levels_, [&](GraphId id, const EncodedHistogram& stored) {
          builder.Add(id, stored.external_id, stored.vertex_count, stored.packed);
          restored.Add(id);
          // Records and histograms are of the same graphs, or the start fails below.
          if (tags != records.tags.end() && tags->first == id) {
            builder.AddTags(tags++->second);
          }
          if (++unreported == kGraphsBetweenReports) {
            Report(std::exchange(unreported, 0));
          }
          return absl::OkStatus();
        }));
    if (unreported > 0) {
      Report(unreported);
    }
    segment.segment = std::move(builder).Build();
    records.tags = {};
    if (records.graphs != restored) {
      return DataLoss("store: of the graphs {} to {}, {} have a record and {} a histogram, or others have",
                      Raw(begin), Raw(end) - 1, records.graphs.count, restored.count);
    }
    const std::scoped_lock lock(report_mutex_);
    histograms_.Add(restored);
    return absl::OkStatus();
  }

  absl::Status CheckTheRest() {
    for (const schema::Family family : {schema::Family::kMeta, schema::Family::kSources}) {
      KINDRED_RETURN_IF_ERROR(view_->CheckReadable(family));
    }
    KINDRED_ASSIGN_OR_RETURN(const GraphSet ids,
                             view_->GraphsWithId([&](std::string_view id) { ids_.Add(id); }));
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

  absl::Status CheckNothingBeyond(CommitSequence sequence) const {
    return view_->ForEachHistogram(
        GraphId{Raw(sequence) + 1}, GraphId{UINT64_MAX}, [&](GraphId id, const StoredHistogram&) {
          return DataLoss("store: graph {} lies beyond the last commit, {}", Raw(id), Raw(sequence));
        });
  }

  void Report(uint64_t graphs) {
    const std::scoped_lock lock(report_mutex_);
    progress_.graphs += graphs;
    ReportLocked();
  }

  // REQUIRES: report_mutex_ is held.
  void ReportLocked() const {
    if (report_) {
      report_(progress_);
    }
  }

  const std::shared_ptr<const StoreView> view_;
  const Totals totals_;
  ColourHierarchy& hierarchy_;
  IdFilter& ids_;
  Executor& executor_;
  const RecoveryReporter& report_;
  std::vector<Level> levels_;  // Of each colour: quicker to look at than the hierarchy.
  std::mutex report_mutex_;
  RecoveryProgress progress_;
  GraphSet histograms_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Snapshot>> Recover(const Store& store, ColourHierarchy& hierarchy,
                                                        IdFilter& ids, Executor& executor,
                                                        const RecoveryReporter& report) {
  return Recovery(store, hierarchy, ids, executor, report).Run();
}

}  // namespace kindred
