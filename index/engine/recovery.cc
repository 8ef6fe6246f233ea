#include "index/engine/recovery.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "index/base/status.h"
#include "index/engine/part_rows.h"
#include "index/histogram/packed.h"
#include "index/lists/segment.h"

namespace kindred {
namespace {

constexpr uint64_t kGraphsBetweenReports = 50'000;
constexpr uint64_t kPartIdsMax = 1 << 16;
constexpr Level kReclaimed = UINT8_MAX;  // In the place of the level of such a colour.

class Recovery {
 public:
  Recovery(const Store& store, ColourHierarchy& hierarchy, IdIndex& ids, Executor& executor,
           const RecoveryReporter& report)
      : view_(store.view()),
        totals_(store.totals()),
        tagged_(store.tagged()),
        hierarchy_(hierarchy),
        ids_(ids),
        executor_(executor),
        report_(report),
        worn_(totals_.colours) {}

  absl::StatusOr<std::shared_ptr<const Snapshot>> Run() {
    KINDRED_ASSIGN_OR_RETURN(const CommitSequence sequence, view_->sequence());
    // GraphIds are 1..sequence.
    const uint64_t ids = Raw(sequence) + 1;
    const auto threads = static_cast<uint64_t>(executor_.threads());
    const uint64_t parts = std::max(threads, (ids + kPartIdsMax - 1) / kPartIdsMax);
    const auto begin = [&](size_t part) { return GraphId{ids * part / parts}; };

    // Colours are restored one after the other, which takes a while; meanwhile there is enough to do that
    // does not need them. Graphs stay plain at first: the merger inverts them while searches are answered.
    KINDRED_ASSIGN_OR_RETURN(const std::vector<Check> checks, PlanChecks());
    ids_.MakeRoom(totals_.graphs.count, 0, nullptr);
    std::vector<SegmentView> segments(parts);
    KINDRED_RETURN_IF_ERROR(InParallel(1 + parts + checks.size(), [&](size_t i) {
      if (i == 0) {
        return RestoreHierarchy();
      }
      return i <= parts ? RestoreGraphs(begin(i - 1), begin(i), segments[i - 1]) : checks[i - 1 - parts]();
    }));
    if (!ColoursFit()) {
      for (const SegmentView& view : segments) {
        KINDRED_RETURN_IF_ERROR(CheckColours(*view.segment));
      }
    }
    KINDRED_RETURN_IF_ERROR(CheckSet(records_, "graphs"));
    KINDRED_RETURN_IF_ERROR(CheckNothingBeyond(sequence));
    KINDRED_RETURN_IF_ERROR(CheckSet(histograms_, "histograms"));
    progress_.done = true;
    Report(0);
    std::erase_if(segments, [](const SegmentView& view) { return view.segment->size() == 0; });
    auto snapshot =
        std::make_shared<const Snapshot>(Snapshot{sequence, std::move(segments), view_, ids_.view()});
    KINDRED_RETURN_IF_ERROR(CheckIds(*snapshot));
    return snapshot;
  }

 private:
  using Check = std::function<absl::Status()>;

  // Of `graphs` searches need the tags alone, but what is damaged or missing there must not come out later.
  absl::StatusOr<std::vector<Check>> PlanChecks() {
    std::vector<Check> checks;
    bool graphs_in_tables = !tagged_;
    if (graphs_in_tables) {
      KINDRED_ASSIGN_OR_RETURN(graphs_in_tables, PlanTableChecks(schema::Family::kGraphs, checks));
    }
    read_records_ = !graphs_in_tables;
    if (graphs_in_tables) {
      records_ = totals_.graphs;
    }
    for (const schema::Family family : {schema::Family::kMeta, schema::Family::kSources}) {
      checks.emplace_back([this, family] { return view_->CheckReadable(family); });
    }
    return checks;
  }

  // Whether its tables tell that a family has as many rows as there are graphs. Each was committed together
  // with the others of its graph, so that what is whole, and as much, is the same.
  absl::StatusOr<bool> PlanTableChecks(schema::Family family, std::vector<Check>& checks) {
    KINDRED_ASSIGN_OR_RETURN(FamilyTables tables, view_->Tables(family));
    if (tables.row_count != totals_.graphs.count) {
      return false;
    }
    for (std::string& path : tables.paths) {
      checks.emplace_back([this, path = std::move(path)] { return view_->CheckTable(path); });
    }
    return true;
  }

  absl::Status AddSet(const absl::StatusOr<GraphSet>& found, GraphSet& set) {
    KINDRED_RETURN_IF_ERROR(found.status());
    const std::scoped_lock lock(mutex_);
    set.Add(*found);
    return absl::OkStatus();
  }

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
        levels_.push_back(signature.empty() ? kReclaimed : SignatureLevel(signature));
      }
      return status;
    }));
    KINDRED_RETURN_IF_ERROR(CheckCounts());
    const std::scoped_lock lock(mutex_);
    progress_.colours = hierarchy_.colour_count();
    ReportLocked();
    return absl::OkStatus();
  }

  absl::Status RestoreGraphs(GraphId begin, GraphId end, SegmentView& segment) {
    PartRows rows = TakeRows();
    std::vector<TagsOfGraph> tags;
    if (read_records_) {
      KINDRED_RETURN_IF_ERROR(AddSet(view_->GraphsWithRecord(begin, end,
                                                             [&](GraphId id, Tags some) {
                                                               tags.push_back({id, std::move(some)});
                                                             }),
                                     records_));
    }
    GraphSet restored;
    uint64_t unreported = 0;
    KINDRED_RETURN_IF_ERROR(
        view_->ForEachEncodedHistogram(begin, end, worn_, [&](GraphId id, const EncodedHistogram& stored) {
          rows.Add(id, stored);
          restored.Add(id);
          if (++unreported == kGraphsBetweenReports) {
            Report(std::exchange(unreported, 0));
          }
          return absl::OkStatus();
        }));
    if (unreported > 0) {
      Report(unreported);
    }
    segment.segment = rows.BuildSegment(tags);
    const std::scoped_lock lock(mutex_);
    histograms_.Add(restored);
    if (histograms_.count <= totals_.graphs.count) {  // Else there is no room, and the start fails.
      rows.PutIds(ids_, alike_);
    }
    rows.Clear();
    idle_rows_.push_back(std::move(rows));
    return absl::OkStatus();
  }

  // Whether graphs wear colours there are, each at its level.
  bool ColoursFit() const {
    bool fit = !worn_.beyond() && levels_.size() == totals_.colours;
    for (uint32_t colour = 0; fit && colour < levels_.size(); ++colour) {
      fit = levels_[colour] == kReclaimed ? worn_.Nowhere(colour) : worn_.OnlyAt(levels_[colour], colour);
    }
    return fit;
  }

  // Names the graph that does not.
  absl::Status CheckColours(const Segment& segment) const {
    absl::Status status;
    segment.graphs().ForEach([&](GraphId id, uint32_t slot) {
      ForEachPackedEntry(segment.plain().packed(slot), [&](Level level, uint32_t colour, uint32_t) {
        if (colour >= levels_.size() || levels_[colour] != level) {
          status = DataLoss("graph {}: wears colour {} at level {}, which is missing or of another level",
                            Raw(id), colour, level);
        }
      });
    });
    return status;
  }

  // Those of a part that is done, with their memory, if there are any.
  PartRows TakeRows() {
    const std::scoped_lock lock(mutex_);
    if (idle_rows_.empty()) {
      return {};
    }
    PartRows rows = std::move(idle_rows_.back());
    idle_rows_.pop_back();
    return rows;
  }

  absl::Status CheckSet(const GraphSet& found, std::string_view family) const {
    if (found != totals_.graphs) {
      return DataLoss("store: {} holds {} graphs where the last commit left {}, or others than those", family,
                      found.count, totals_.graphs.count);
    }
    return absl::OkStatus();
  }

  // Two graphs never have the same id.
  absl::Status CheckIds(const Snapshot& snapshot) const {
    for (const auto& [a, b] : alike_) {
      if (snapshot.ExternalIdOf(a) == snapshot.ExternalIdOf(b)) {
        return DataLoss("store: graphs {} and {} both have the id '{}'", Raw(a), Raw(b),
                        *snapshot.ExternalIdOf(a));
      }
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
    const std::scoped_lock lock(mutex_);
    progress_.graphs += graphs;
    ReportLocked();
  }

  // REQUIRES: mutex_ is held.
  void ReportLocked() const {
    if (report_) {
      report_(progress_);
    }
  }

  const std::shared_ptr<const StoreView> view_;
  const Totals totals_;
  const bool tagged_;
  ColourHierarchy& hierarchy_;
  IdIndex& ids_;
  Executor& executor_;
  const RecoveryReporter& report_;
  bool read_records_ = true;  // For their tags, or to count them.
  WornLevels worn_;
  std::vector<Level> levels_;  // Of each colour.
  std::mutex mutex_;           // Guards what follows, and ids_.
  RecoveryProgress progress_;
  GraphSet records_;
  std::vector<std::pair<GraphId, GraphId>> alike_;  // Their ids have the same hash.
  GraphSet histograms_;
  std::vector<PartRows> idle_rows_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Snapshot>> Recover(const Store& store, ColourHierarchy& hierarchy,
                                                        IdIndex& ids, Executor& executor,
                                                        const RecoveryReporter& report) {
  return Recovery(store, hierarchy, ids, executor, report).Run();
}

}  // namespace kindred
