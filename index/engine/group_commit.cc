#include "index/engine/group_commit.h"

#include <algorithm>
#include <utility>

#include "index/base/status.h"

namespace kindred {
namespace {

Outcome Rejected(absl::Status status) { return {Outcome::Kind::kRejected, std::move(status)}; }

// The number of colours after this graph, or an upper bound of it that is under the limit.
uint64_t ColoursAfter(const ColourHierarchy& hierarchy, const Graph& graph, const VertexColours& known,
                      uint64_t colours_max) {
  uint64_t unknown = 0;
  for (Level level = 0; level <= known.depth(); ++level) {
    unknown += static_cast<uint64_t>(std::ranges::count(known.at_level(level), kUnknownColour));
  }
  const uint64_t at_most = hierarchy.colour_count() + unknown;
  return at_most <= colours_max ? at_most : hierarchy.colour_count() + CountMissing(hierarchy, graph, known);
}

}  // namespace

GroupCommit::GroupCommit(Store& store, ColourHierarchy& hierarchy, const Snapshot& before, Durable durable,
                         const Limits& limits)
    : store_(store),
      hierarchy_(hierarchy),
      before_(before),
      limits_(limits),
      durable_(durable),
      batch_(store),
      sequence_(before.sequence) {}

absl::StatusOr<Outcome> GroupCommit::Apply(Mutation mutation, std::optional<VertexColours> known) {
  if (!mutation.record.ok()) {
    return Rejected(mutation.record.status());
  }
  KINDRED_ASSIGN_OR_RETURN(const std::optional<GraphId> existing, FindGraph(mutation.external_id));
  if (!mutation.record->has_value()) {
    return Delete(mutation.external_id, existing);
  }
  return Put(**std::move(mutation.record), mutation.mode, existing, *std::move(known));
}

absl::StatusOr<std::optional<GraphId>> GroupCommit::FindGraph(const std::string& external_id) const {
  if (const auto found = changed_ids_.find(external_id); found != changed_ids_.end()) {
    return found->second;
  }
  return before_.store->FindGraph(external_id);
}

Outcome GroupCommit::Delete(const std::string& external_id, std::optional<GraphId> existing) {
  if (!existing) {
    return Rejected(MakeStatus(absl::StatusCode::kNotFound, "no graph has the id '{}'", external_id));
  }
  sequence_ = CommitSequence{Raw(sequence_) + 1};
  Remove(*existing, external_id);
  changed_ids_[external_id] = std::nullopt;
  return {Outcome::Kind::kDeleted, absl::OkStatus()};
}

Outcome GroupCommit::Put(StoredRecord record, WriteMode mode, std::optional<GraphId> existing,
                         VertexColours known) {
  if (existing && mode == WriteMode::kInsert) {
    return Rejected(
        MakeStatus(absl::StatusCode::kAlreadyExists, "a graph has the id '{}' already", record.external_id));
  }
  if (!existing && mode == WriteMode::kReplace) {
    return Rejected(MakeStatus(absl::StatusCode::kNotFound, "no graph has the id '{}'", record.external_id));
  }
  const uint64_t colours_after = ColoursAfter(hierarchy_, record.graph, known, limits_.colours_max);
  if (colours_after > limits_.colours_max) {
    return Rejected(OverLimit("colours of the index", colours_after, "colours_max", limits_.colours_max));
  }
  sequence_ = CommitSequence{Raw(sequence_) + 1};
  const GraphId id = GraphStoredAt(sequence_);
  IssueMissing(hierarchy_, record.graph, known);
  Histogram histogram = Histogram::Of(known);
  if (existing) {
    Remove(*existing, record.external_id);
  }
  batch_.PutGraph(id, record, histogram);
  changed_ids_[record.external_id] = id;
  stored_.push_back({id, std::move(record.external_id), std::move(histogram)});
  return {existing ? Outcome::Kind::kReplaced : Outcome::Kind::kInserted, absl::OkStatus()};
}

void GroupCommit::Remove(GraphId id, const std::string& external_id) {
  batch_.RemoveGraph(id, external_id);
  if (Raw(id) <= Raw(before_.sequence)) {
    hidden_.push_back(id);
    return;
  }
  const auto own = std::ranges::lower_bound(stored_, id, {}, &Stored::id);
  own->histogram.reset();
}

absl::Status GroupCommit::Commit() {
  if (sequence_ == before_.sequence) {
    return absl::OkStatus();  // Everything was rejected.
  }
  for (; durable_.labels < hierarchy_.label_count(); ++durable_.labels) {
    batch_.AddLabel(LabelId{durable_.labels}, hierarchy_.label(LabelId{durable_.labels}));
  }
  for (; durable_.colours < hierarchy_.colour_count(); ++durable_.colours) {
    batch_.AddColour(ColourId{durable_.colours}, hierarchy_.signature(ColourId{durable_.colours}));
  }
  batch_.SetSequence(sequence_);
  return store_.Commit(batch_);
}

std::vector<GraphId> GroupCommit::TakeHidden() {
  std::ranges::sort(hidden_);
  return std::move(hidden_);
}

std::shared_ptr<const Segment> GroupCommit::BuildSegment() const {
  SegmentBuilder builder;
  for (const Stored& stored : stored_) {
    if (stored.histogram) {
      builder.Add(stored.id, stored.external_id, *stored.histogram);
    }
  }
  return std::move(builder).Build(Ordering::kBySize);
}

}  // namespace kindred
