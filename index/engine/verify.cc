#include "index/engine/verify.h"

#include <algorithm>
#include <utility>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/hierarchy/refinement.h"
#include "index/lists/segment_reader.h"

namespace kindred {

using schema::Family;

namespace {

constexpr uint64_t kRangeIds = 1 << 13;
constexpr uint32_t kListGraphs = 1 << 17;

const char* NameOf(Family family) { return schema::kFamilyNames[static_cast<size_t>(family)]; }

std::string KeyOf(GraphId id) { return std::to_string(Raw(id)); }

// Where a stored histogram and the one of the graph part.
std::string Difference(const Histogram& stored, const Histogram& computed) {
  for (Level level = 0; level <= stored.depth(); ++level) {
    if (!std::ranges::equal(stored.at_level(level), computed.at_level(level))) {
      return fmt::format("is not that of its graph: they differ at level {}", level);
    }
  }
  return fmt::format("is not that of its graph: it has {} vertices, not {}", stored.vertex_count(),
                     computed.vertex_count());
}

std::vector<Histogram::Entry> ByColour(const Histogram& histogram) {
  std::vector<Histogram::Entry> entries(histogram.entries().begin(), histogram.entries().end());
  std::ranges::sort(entries, {}, &Histogram::Entry::colour);
  return entries;
}

}  // namespace

Verifier::Verifier(Snapshot snapshot, Executor& executor)
    : snapshot_(std::move(snapshot)),
      view_(snapshot_.store.get()),
      segments_(snapshot_.segments),
      executor_(executor) {}

bool Verifier::Step() {
  if (!started_) {
    started_ = true;
    AuditMeta();
    AuditHierarchy();
    PlanTasks();
    return true;
  }
  if (next_task_ < tasks_.size()) {
    const size_t first = next_task_;
    const size_t count = std::min(tasks_.size() - first, static_cast<size_t>(executor_.threads()) * 2);
    executor_.ParallelFor(count, [&](size_t task) { tasks_[first + task](); });
    next_task_ += count;
    return true;
  }
  if (std::exchange(ended_, true)) {
    return false;
  }
  AuditIds();
  AuditTotals();
  return true;
}

void Verifier::Find(std::string_view family, std::string key, std::string_view what) {
  const std::scoped_lock lock(mutex_);
  if (++report_.finding_count <= kFindingsMax) {
    report_.findings.push_back({std::string(family), std::move(key), std::string(what)});
  }
}

void Verifier::Find(std::string_view family, std::string key, const absl::Status& status) {
  Find(family, std::move(key), std::string(status.message()));
}

void Verifier::AuditMeta() {
  if (const auto sequence = view_->sequence(); sequence.ok()) {
    report_.sequence = *sequence;
  } else {
    Find("meta", "sequence", sequence.status());
  }
  if (const auto totals = view_->totals(); totals.ok()) {
    totals_ = *totals;
  } else {
    Find("meta", "totals", totals.status());
  }
  if (const auto scheme = view_->ReadMoleculeScheme(); !scheme.ok()) {
    Find("meta", "molecules", scheme.status());
  } else if (*scheme != view_->molecule_scheme()) {
    Find("meta", "molecules", fmt::format("is '{}', in memory '{}'", *scheme, view_->molecule_scheme()));
  }
}

// Ids are dense and each signature names only what came before, so what follows the first fault cannot be
// judged; nor can histograms.
void Verifier::AuditHierarchy() {
  LabelId label{};
  ColourId colour{};
  absl::Status status = view_->ForEachLabel([&](LabelId id, std::string_view bytes) {
    label = id;
    return hierarchy_.RestoreLabel(id, bytes);
  });
  if (!status.ok()) {
    Find("labels", std::to_string(Raw(label)), status);
  }
  hierarchy_intact_ = status.ok();
  if (hierarchy_intact_) {
    status = view_->ForEachColour([&](ColourId id, std::string_view bytes) {
      colour = id;
      return hierarchy_.RestoreColour(id, bytes);
    });
    if (!status.ok()) {
      Find("colours", std::to_string(Raw(colour)), status);
    }
    hierarchy_intact_ = status.ok();
  }
  report_.labels = hierarchy_.label_count();
  report_.colours = hierarchy_.colour_count();
}

void Verifier::PlanTasks() {
  for (uint64_t begin = 0; begin <= Raw(report_.sequence); begin += kRangeIds) {
    const bool last = Raw(report_.sequence) - begin < kRangeIds;
    const GraphId end{last ? UINT64_MAX : begin + kRangeIds};
    tasks_.emplace_back([this, begin, end] { AuditRange(GraphId{begin}, end); });
  }
  for (const SegmentView& view : segments_) {
    for (uint32_t begin = 0; begin < view.live_count(); begin += kListGraphs) {
      const uint32_t end = std::min(view.live_count(), begin + kListGraphs);
      tasks_.emplace_back([this, &view, begin, end] { AuditLists(view, begin, end); });
    }
  }
}

void Verifier::ScanGraphs(Family family, GraphId begin, GraphId end,
                          const std::function<void(GraphId, std::string_view)>& visit) {
  const absl::Status status = view_->ForEachRow(
      family, schema::Key(begin), schema::Key(end), [&](std::string_view key, std::string_view value) {
        if (key.size() == 8) {
          visit(GraphId{Decoder(key).Fixed64()}, value);
        } else {
          Find(NameOf(family), std::string(key), "this key has the wrong length");
        }
        return absl::OkStatus();
      });
  if (!status.ok()) {
    Find(NameOf(family), KeyOf(begin), Annotate(status, "from here on: "));
  }
}

void Verifier::AuditRange(GraphId begin, GraphId end) {
  std::vector<GraphId> stored;
  ScanGraphs(Family::kGraphs, begin, end, [&](GraphId id, std::string_view value) {
    stored.push_back(id);
    AuditGraph(id, value);
  });
  ScanGraphs(Family::kHistograms, begin, end, [&](GraphId id, std::string_view) {
    if (!std::ranges::binary_search(stored, id)) {
      Find("histograms", KeyOf(id), "is of a graph that is not stored");
    }
  });
  const std::scoped_lock lock(mutex_);
  report_.graphs += stored.size();
  for (const GraphId id : stored) {
    found_.Add(id);
  }
}

void Verifier::AuditGraph(GraphId id, std::string_view value) {
  if (Raw(id) > Raw(report_.sequence) || Raw(id) == 0) {
    Find("graphs", KeyOf(id), fmt::format("lies beyond the last commit, {}", Raw(report_.sequence)));
  }
  const auto record = DecodeRecord(value);
  if (!record.ok()) {
    Find("graphs", KeyOf(id), record.status());
    return;
  }
  if (record->is_molecule && view_->molecule_scheme().empty()) {
    Find("graphs", KeyOf(id), "is a molecule, but the store has no molecule scheme");
  }
  AuditTags(id, record->tags);
  AuditId(id, record->external_id);
  AuditHistogram(id, *record);
}

// Whether the lists have those of a stored graph. That they have no others is counted in the end.
void Verifier::AuditTags(GraphId id, const Tags& tags) {
  if (tags.empty()) {
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    tags_ += tags.size();
  }
  for (const SegmentView& view : segments_) {
    const std::optional<uint32_t> slot = view.segment->graphs().Find(id);
    for (const auto& [key, value] : tags) {
      if (slot && !view.segment->tags().Has(key, value, *slot)) {
        Find("lists", KeyOf(id), fmt::format("lacks its tag '{}' = '{}'", key, value));
      }
    }
  }
}

// Of all live graphs.
uint64_t Verifier::CountListedTags() const {
  uint64_t count = 0;
  for (const SegmentView& view : segments_) {
    const TagIndex& tags = view.segment->tags();
    for (uint32_t value = 0; value < tags.value_count(); ++value) {
      tags.ForEachSlot(value, [&](uint32_t slot) { count += view.is_live(slot) ? 1 : 0; });
    }
  }
  return count;
}

// Whether the index of ids knows it. That no other graph has it, too, is looked at in the end.
void Verifier::AuditId(GraphId id, const std::string& external_id) {
  if (!segments_.empty() && snapshot_.FindGraph(external_id) != id) {
    Find("lists", KeyOf(id), fmt::format("is not found by its id '{}'", external_id));
  }
  const std::scoped_lock lock(mutex_);
  ids_.emplace_back(std::hash<std::string>()(external_id), id);
}

void Verifier::AuditHistogram(GraphId id, const StoredRecord& record) {
  const auto stored = view_->ReadHistogram(id);
  if (!stored.ok()) {
    Find("histograms", KeyOf(id), stored.status());
    return;
  }
  if (stored->external_id != record.external_id) {
    Find("histograms", KeyOf(id),
         fmt::format("has the external id '{}', its graph '{}'", stored->external_id, record.external_id));
  }
  if (!hierarchy_intact_) {
    return;
  }
  const Histogram computed = Histogram::Of(RefineKnown(hierarchy_.view(), record.graph, view_->depth()));
  if (stored->histogram != computed) {
    Find("histograms", KeyOf(id), Difference(stored->histogram, computed));
  }
}

void Verifier::AuditLists(const SegmentView& view, uint32_t begin, uint32_t end) {
  uint64_t listed = 0;
  ReadLiveGraphs(view, begin, end, [&](const SegmentGraph& graph) {
    ++listed;
    const auto stored = view_->ReadHistogram(graph.id);
    if (!stored.ok()) {
      Find("lists", KeyOf(graph.id), stored.status());
    } else if (stored->external_id != graph.external_id) {
      Find("lists", KeyOf(graph.id), fmt::format("has another external id than '{}'", stored->external_id));
    } else if (stored->histogram.vertex_count() != graph.vertex_count ||
               ByColour(stored->histogram) != graph.entries) {
      Find("lists", KeyOf(graph.id), "wears other colours than its stored histogram says");
    }
  });
  const std::scoped_lock lock(mutex_);
  report_.listed += listed;
}

// No two graphs have the same.
void Verifier::AuditIds() {
  std::ranges::sort(ids_);
  for (size_t i = 1; i < ids_.size(); ++i) {
    for (size_t j = i; j > 0 && ids_[j - 1].first == ids_[i].first; --j) {
      const auto a = view_->ReadRecord(ids_[j - 1].second);
      const auto b = view_->ReadRecord(ids_[i].second);
      if (a.ok() && b.ok() && a->external_id == b->external_id) {
        Find("graphs", KeyOf(ids_[i].second),
             fmt::format("has the id '{}', as graph {} has", b->external_id, Raw(ids_[j - 1].second)));
        break;
      }
    }
  }
}

void Verifier::AuditTotals() {
  if (found_ != totals_.graphs) {
    Find("meta", "totals",
         fmt::format("{} graphs are stored where the last commit left {}, or others than those", found_.count,
                     totals_.graphs.count));
  }
  if (hierarchy_intact_ && (report_.labels != totals_.labels || report_.colours != totals_.colours)) {
    Find("meta", "totals",
         fmt::format("{} labels and {} colours are stored where the last commit left {} and {}",
                     report_.labels, report_.colours, totals_.labels, totals_.colours));
  }
  if (const uint64_t listed_tags = CountListedTags(); !segments_.empty() && listed_tags != tags_) {
    Find("lists", "", fmt::format("hold {} tags, the store {}", listed_tags, tags_));
  }
  if (!segments_.empty() && report_.listed != found_.count) {
    Find("lists", "", fmt::format("hold {} graphs, the store {}", report_.listed, found_.count));
  }
}

}  // namespace kindred
