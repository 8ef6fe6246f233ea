#include "index/engine/group_commit.h"

#include <algorithm>
#include <utility>

#include "index/base/molecule_scheme.h"
#include "index/base/status.h"

namespace kindred {
namespace {

// So many ids ahead of the one that is looked for, the next is asked of the memory.
constexpr size_t kIdsAhead = 8;

Outcome Rejected(std::string external_id, absl::Status status) {
  return {Outcome::Kind::kRejected, std::move(status), std::move(external_id)};
}

absl::Status NoSuchId(const std::string& external_id) {
  return MakeStatus(absl::StatusCode::kNotFound, "no graph has the id '{}'", external_id);
}

// Whether a frame may be the client's next, or be one of those before.
absl::Status CheckFrame(const ClientPosition& position, const FrameOrigin& origin) {
  if (origin.client_sequence == 0) {
    return InvalidArgument("frame.client_sequence: is 0; the first frame is 1");
  }
  if (origin.client_sequence > position.client_sequence + 1) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "frame.client_sequence: is {}, but the next frame of client '{}' is {}",
                      origin.client_sequence, origin.client_id, position.client_sequence + 1);
  }
  if (origin.client_sequence <= position.client_sequence &&
      position.FingerprintOf(origin.client_sequence).value_or(origin.fingerprint) != origin.fingerprint) {
    return MakeStatus(absl::StatusCode::kAborted,
                      "frame.client_sequence: frame {} of client '{}' was stored before, with other content; "
                      "do two clients use this id?",
                      origin.client_sequence, origin.client_id);
  }
  return absl::OkStatus();
}

// The number of colours after this graph, or an upper bound of it that is under the limit. Those that were
// reclaimed do not count.
uint64_t ColoursAfter(const ColourHierarchy& hierarchy, const Graph& graph, const VertexColours& known,
                      uint64_t colours_max) {
  const uint64_t before = hierarchy.colour_count() - hierarchy.reclaimed_count();
  uint64_t unknown = 0;
  for (Level level = 0; level <= known.depth(); ++level) {
    unknown += static_cast<uint64_t>(std::ranges::count(known.at_level(level), kUnknownColour));
  }
  const uint64_t at_most = before + unknown;
  return at_most <= colours_max ? at_most : before + CountMissing(hierarchy, graph, known);
}

}  // namespace

GroupCommit::GroupCommit(Store& store, ColourHierarchy& hierarchy, const Snapshot& before, Durable durable,
                         const Limits& limits, size_t mutations, RecentGraphs* recent)
    : store_(store),
      hierarchy_(hierarchy),
      before_(before),
      limits_(limits),
      durable_(durable),
      recent_(recent),
      batch_(store),
      sequence_(before.sequence),
      graph_count_(store.totals().graphs.count),
      molecule_scheme_(before.store->molecule_scheme()) {
  changed_ids_.reserve(mutations);
  stored_.reserve(mutations);
}

absl::StatusOr<WriteResult> GroupCommit::Apply(PreparedRequest request) {
  WriteResult result;
  ClientPosition* position = nullptr;
  if (request.origin) {
    KINDRED_ASSIGN_OR_RETURN(position, PositionOf(request.origin->client_id));
    result.status = CheckFrame(*position, *request.origin);
    result.repeated = result.status.ok() && request.origin->client_sequence <= position->client_sequence;
  }
  const CommitSequence before = sequence_;
  if (result.status.ok() && !result.repeated) {
    result.outcomes.reserve(request.mutations.size());
    for (size_t i = 0; i < request.mutations.size(); ++i) {
      if (i + kIdsAhead < request.mutations.size()) {
        before_.ids.Prefetch(request.mutations[i + kIdsAhead].external_id);
      }
      KINDRED_ASSIGN_OR_RETURN(Outcome outcome,
                               ApplyMutation(std::move(request.mutations[i]), request.novelty.get()));
      result.outcomes.push_back(std::move(outcome));
    }
    if (position != nullptr) {
      position->Advance(request.origin->fingerprint);
      // A frame that changed nothing else is a commit too: its number must not be lost.
      sequence_ = std::max(sequence_, CommitSequence{Raw(before) + 1});
    }
  }
  result.client_sequence = position != nullptr ? position->client_sequence : 0;
  result.sequence = sequence_;
  return result;
}

absl::StatusOr<ClientPosition*> GroupCommit::PositionOf(const std::string& client_id) {
  auto found = positions_.find(client_id);
  if (found == positions_.end()) {
    KINDRED_ASSIGN_OR_RETURN(ClientPosition stored, before_.store->ReadPosition(client_id));
    found = positions_.emplace(client_id, std::move(stored)).first;
  }
  return &found->second;
}

absl::StatusOr<Outcome> GroupCommit::ApplyMutation(PreparedMutation mutation, const NoveltyRule* novelty) {
  if (!mutation.status.ok()) {
    return Rejected(std::move(mutation.external_id), std::move(mutation.status));
  }
  if (novelty != nullptr && mutation.graph) {
    KINDRED_ASSIGN_OR_RETURN(std::optional<Outcome> unstored, CheckNovelty(mutation, *novelty));
    if (unstored) {
      return *std::move(unstored);
    }
  }
  const std::optional<GraphId> existing = FindGraph(mutation.external_id);
  return mutation.graph ? Put(std::move(mutation), existing)
                        : Delete(std::move(mutation.external_id), existing);
}

std::optional<GraphId> GroupCommit::FindGraph(const std::string& external_id) const {
  const auto found = changed_ids_.find(external_id);
  return found != changed_ids_.end() ? found->second : before_.FindGraph(external_id);
}

absl::StatusOr<StoredRecord> GroupCommit::ReadRecord(GraphId id) const {
  if (Raw(id) <= Raw(before_.sequence)) {
    return before_.store->ReadRecord(id);
  }
  return DecodeRecord(std::ranges::lower_bound(stored_, id, {}, &Stored::id)->record);
}

absl::StatusOr<std::optional<Outcome>> GroupCommit::CheckNovelty(PreparedMutation& mutation,
                                                                 const NoveltyRule& rule) {
  // Graphs of molecules that were made otherwise cannot be compared.
  if (absl::Status scheme = CheckSameScheme(mutation.molecule_scheme, molecule_scheme_); !scheme.ok()) {
    return Rejected(std::move(mutation.external_id), std::move(scheme));
  }
  Histogram& histogram = mutation.speculation->histogram;
  // An unknown colour may have been issued since, for a graph that is compared now.
  auto* const unfinished = std::get_if<PreparedGraph::Unfinished>(&mutation.graph->histogram);
  if (unfinished != nullptr) {
    refiner_.FindMissing(hierarchy_.view(), unfinished->graph, unfinished->colours);
    histogram = Histogram::Of(unfinished->colours);
  }
  const auto graph = [&]() -> absl::StatusOr<Graph> {
    KINDRED_ASSIGN_OR_RETURN(StoredRecord record, DecodeRecord(mutation.graph->record));
    return std::move(record.graph);
  };
  NoveltyCheck check(*recent_, before_, *this, limits_.isomorphism_steps_max);
  KINDRED_ASSIGN_OR_RETURN(std::optional<ClosestGraph> closest,
                           check.FindClosest(rule, {histogram, *mutation.speculation, graph}));
  if (!closest) {
    return std::nullopt;
  }
  return Outcome{Outcome::Kind::kNotNovel, absl::OkStatus(), std::move(mutation.external_id),
                 std::make_shared<const ClosestGraph>(*std::move(closest))};
}

Outcome GroupCommit::Delete(std::string external_id, std::optional<GraphId> existing) {
  if (!existing) {
    absl::Status missing = NoSuchId(external_id);
    return Rejected(std::move(external_id), std::move(missing));
  }
  sequence_ = CommitSequence{Raw(sequence_) + 1};
  Remove(*existing);
  --graph_count_;
  changed_ids_[std::move(external_id)] = std::nullopt;
  return {Outcome::Kind::kDeleted, absl::OkStatus(), ""};
}

Outcome GroupCommit::Put(PreparedMutation mutation, std::optional<GraphId> existing) {
  std::string& external_id = mutation.external_id;
  if (existing && mutation.mode == WriteMode::kInsert) {
    absl::Status there =
        MakeStatus(absl::StatusCode::kAlreadyExists, "a graph has the id '{}' already", external_id);
    return Rejected(std::move(external_id), std::move(there));
  }
  if (!existing && mutation.mode == WriteMode::kReplace) {
    absl::Status missing = NoSuchId(external_id);
    return Rejected(std::move(external_id), std::move(missing));
  }
  if (absl::Status scheme = CheckSameScheme(mutation.molecule_scheme, molecule_scheme_); !scheme.ok()) {
    return Rejected(std::move(external_id), std::move(scheme));
  }
  if (!existing && graph_count_ >= limits_.graphs_max) {
    return Rejected(std::move(external_id),
                    OverLimit("graphs of the index", graph_count_ + 1, "graphs_max", limits_.graphs_max));
  }
  auto* const unfinished = std::get_if<PreparedGraph::Unfinished>(&mutation.graph->histogram);
  absl::StatusOr<std::string> histogram = unfinished != nullptr
                                              ? Finish(external_id, std::move(*unfinished))
                                              : std::get<std::string>(std::move(mutation.graph->histogram));
  if (!histogram.ok()) {
    return Rejected(std::move(external_id), histogram.status());
  }
  sequence_ = CommitSequence{Raw(sequence_) + 1};
  const GraphId id = GraphStoredAt(sequence_);
  if (existing) {
    Remove(*existing);
  }
  if (molecule_scheme_.empty() && !mutation.molecule_scheme.empty()) {
    molecule_scheme_ = std::move(mutation.molecule_scheme);
    batch_.SetMoleculeScheme(molecule_scheme_);
  }
  batch_.PutGraph(id, mutation.graph->record, *histogram, !mutation.graph->tags.empty());
  if (!existing) {
    ++graph_count_;
  }
  changed_ids_[external_id] = id;
  const EncodedHistogram encoded = ReadEncoded(*histogram);
  const auto packed_bytes = static_cast<uint32_t>(encoded.packed.size());
  if (recent_ != nullptr) {
    recent_->Add(id, external_id, encoded.vertex_count, encoded.packed);
  }
  stored_.push_back({id, std::move(external_id), *std::move(histogram), encoded.vertex_count, packed_bytes,
                     std::move(mutation.graph->tags),
                     recent_ != nullptr ? std::move(mutation.graph->record) : ""});
  return {existing ? Outcome::Kind::kReplaced : Outcome::Kind::kInserted, absl::OkStatus(), ""};
}

absl::StatusOr<std::string> GroupCommit::Finish(const std::string& external_id,
                                                PreparedGraph::Unfinished graph) {
  const uint64_t colours_after = ColoursAfter(hierarchy_, graph.graph, graph.colours, limits_.colours_max);
  if (colours_after > limits_.colours_max) {
    return OverLimit("colours of the index", colours_after, "colours_max", limits_.colours_max);
  }
  if (colours_after + hierarchy_.reclaimed_count() > kColourIdsMax) {
    return MakeStatus(
        absl::StatusCode::kResourceExhausted,
        "the index has issued {} colours, of which {} were reclaimed; at most {} can be issued: "
        "export it, and ingest into a new one",
        hierarchy_.colour_count(), hierarchy_.reclaimed_count(), kColourIdsMax);
  }
  refiner_.IssueMissing(hierarchy_, graph.graph, graph.colours);
  return EncodeHistogram(external_id, Histogram::Of(graph.colours));
}

void GroupCommit::Remove(GraphId id) {
  batch_.RemoveGraph(id);
  if (Raw(id) <= Raw(before_.sequence)) {
    hidden_.push_back(id);
    return;
  }
  const auto own = std::ranges::lower_bound(stored_, id, {}, &Stored::id);
  own->histogram.clear();
}

absl::Status GroupCommit::Commit() {
  if (sequence_ == before_.sequence) {
    return absl::OkStatus();  // Everything was rejected or repeated.
  }
  for (; durable_.labels < hierarchy_.label_count(); ++durable_.labels) {
    batch_.AddLabel(LabelId{durable_.labels}, hierarchy_.label(LabelId{durable_.labels}));
  }
  for (; durable_.colours < hierarchy_.colour_count(); ++durable_.colours) {
    batch_.AddColour(ColourId{durable_.colours}, hierarchy_.signature(ColourId{durable_.colours}));
  }
  for (const auto& [client_id, position] : positions_) {
    if (position.client_sequence > 0) {
      batch_.PutPosition(client_id, position);
    }
  }
  batch_.SetSequence(sequence_);
  return store_.Commit(batch_);
}

std::vector<GraphId> GroupCommit::TakeHidden() {
  std::ranges::sort(hidden_);
  return std::move(hidden_);
}

void GroupCommit::PutIds(IdIndex& ids) const {
  ids.MakeRoom(stored_.size(), before_.graph_count(),
               [this](GraphId id) { return before_.ExternalIdOf(id).has_value(); });
  for (const Stored& stored : stored_) {
    if (stored.removed()) {
      continue;
    }
    // A graph of this group that has the same hash has another id.
    ids.Put(stored.external_id, stored.id, [&](GraphId other) {
      return Raw(other) <= Raw(before_.sequence) &&
             before_.ExternalIdOf(other).value_or(stored.external_id) == stored.external_id;
    });
  }
}

std::shared_ptr<const Segment> GroupCommit::BuildSegment() const {
  size_t graphs = 0;
  size_t id_bytes = 0;
  size_t packed_bytes = 0;
  for (const Stored& stored : stored_) {
    if (!stored.removed()) {
      ++graphs;
      id_bytes += GraphTable::IdBytes(stored.external_id);
      packed_bytes += stored.packed_bytes;
    }
  }
  PlainSegmentBuilder builder;
  builder.Reserve(graphs, id_bytes, packed_bytes);
  for (const Stored& stored : stored_) {
    if (!stored.removed()) {
      builder.Add(stored.id, stored.external_id, stored.vertex_count, stored.packed());
      builder.AddTags(stored.tags);
    }
  }
  return std::move(builder).Build();
}

}  // namespace kindred
