#include "index/engine/watch.h"

#include <cmath>
#include <utility>

#include "index/base/molecule_scheme.h"
#include "index/base/status.h"

namespace kindred {
namespace {

// A part is closed after the commit with which it reaches so many bytes, and within a commit only when it
// reaches the second: few parts are, so that hardly a client ever sees the matches of one graph in two
// pieces.
constexpr uint64_t kPartBytes = 64 << 10;
constexpr uint64_t kPartBytesMax = 1 << 20;

// Of one match beside its strings.
constexpr uint64_t kMatchBytes = 64;

// Entries of histograms and postings read, of one part: a millisecond or two.
constexpr uint64_t kPartWork = 1 << 16;
// What a graph costs beside its entries, and comparing it with a query, in entries.
constexpr uint64_t kGraphWork = 16;
constexpr uint64_t kScoreWork = 64;

absl::Status CheckSimilarity(double least, Measure measure) {
  const bool bounded = measure != Measure::kKernel;
  if (!(least > 0) || !std::isfinite(least) || (bounded && least > 1)) {
    return InvalidArgument("min_similarity: {} is not {}", least,
                           bounded ? "above 0 and at most 1" : "a number above 0");
  }
  return absl::OkStatus();
}

uint64_t BytesOf(const WatchMatch::Of& graph) {
  uint64_t bytes = kMatchBytes + graph.id.size() + graph.payload.size();
  for (const auto& [key, value] : graph.tags) {
    bytes += key.size() + value.size() + 8;
  }
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Watch>> Watch::Create(const Engine& engine, WatchRequest request) {
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring,
                           Scoring::Create(request.measure, engine.depth(), request.depth, request.weights));
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> newest, engine.snapshot());
  const CommitSequence position = request.after.value_or(newest->sequence);
  if (position > newest->sequence) {
    return MakeStatus(absl::StatusCode::kOutOfRange, "after_sequence: {} is beyond the last commit, {}",
                      Raw(position), Raw(newest->sequence));
  }
  std::unique_ptr<Watch> watch(new Watch(engine, std::move(request), std::move(scoring), position));
  KINDRED_RETURN_IF_ERROR(watch->CheckScheme(*newest));
  if (const uint64_t watches = engine.watches(); watches > engine.limits().watches_max) {
    return OverLimit("concurrent watches", watches, "watches_max", engine.limits().watches_max);
  }
  return watch;
}

Watch::Watch(const Engine& engine, WatchRequest request, Scoring scoring, CommitSequence position)
    : engine_(engine),
      request_(std::move(request)),
      queries_(engine.hierarchy(), std::move(scoring)),
      position_(position) {
  ++engine_.watches();
}

Watch::~Watch() { --engine_.watches(); }

absl::Status Watch::CheckScheme(const Snapshot& snapshot) const {
  return CheckSameScheme(request_.molecule_scheme, snapshot.store->molecule_scheme());
}

absl::Status Watch::AddQuery(const std::string& name, std::variant<std::string, Graph> graph,
                             double min_similarity) {
  KINDRED_RETURN_IF_ERROR(CheckSimilarity(min_similarity, request_.measure));
  if (const auto* const id = std::get_if<std::string>(&graph)) {
    KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> newest, engine_.snapshot());
    const std::optional<GraphId> found = newest->FindGraph(*id);
    if (!found) {
      return MakeStatus(absl::StatusCode::kNotFound, "graph.id: no graph has the id '{}'", *id);
    }
    KINDRED_ASSIGN_OR_RETURN(StoredRecord record, newest->store->ReadRecord(*found));
    graph = std::move(record.graph);
  }
  Graph& asked = std::get<Graph>(graph);
  vertices_ += asked.vertex_count();
  if (vertices_ > engine_.limits().watch_vertices_max) {
    return OverLimit("graph: vertices of the queries up to this one", vertices_, "watch_vertices_max",
                     engine_.limits().watch_vertices_max);
  }
  queries_.Add(std::move(asked), min_similarity);
  names_.push_back(name);
  return absl::OkStatus();
}

absl::StatusOr<WatchPart> Watch::Next(const Interrupt& interrupt) {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> newest, engine_.snapshot());
  KINDRED_RETURN_IF_ERROR(CheckScheme(*newest));
  WatchPart part;
  part_bytes_ = 0;
  GiveOut(part);
  const bool learned = LearnColours(*newest);
  if (learned && given_ == found_.size() && position_ < learned_) {
    KINDRED_RETURN_IF_ERROR(LookAtGraphs(*newest, part));
  }
  const bool all_given = given_ == found_.size();
  part.sequence = all_given ? position_ : CommitSequence{Raw(position_) - 1};
  part.behind = Raw(newest->sequence) - Raw(part.sequence);
  up_to_date_ = part.behind == 0;
  return part;
}

bool Watch::LearnColours(const Snapshot& snapshot) {
  if (!learning_) {
    queries_.NoteIssued();
    learning_ = snapshot.sequence;
  }
  const bool all = queries_.CatchUp();
  if (all) {
    learned_ = *std::exchange(learning_, std::nullopt);
  }
  return all;
}

absl::Status Watch::LookAtGraphs(const Snapshot& snapshot, WatchPart& part) {
  const StandingQueries::Stats before = queries_.stats();
  uint64_t entries = 0;
  bool enough = false;
  const auto look_at = [&](const StoredAfter& graph) -> absl::StatusOr<bool> {
    if (Raw(graph.id) > Raw(learned_)) {
      return false;
    }
    KINDRED_RETURN_IF_ERROR(TakeMatches(snapshot, graph));
    position_ = CommitSequence{Raw(graph.id)};
    GiveOut(part);
    entries += graph.graph.entry_count + kGraphWork;
    const StandingQueries::Stats& now = queries_.stats();
    const uint64_t work =
        entries + now.postings_read - before.postings_read + kScoreWork * (now.scored - before.scored);
    enough = work >= kPartWork || part_bytes_ >= kPartBytes;
    return !enough;
  };
  KINDRED_RETURN_IF_ERROR(ForEachStoredAfter(snapshot, position_, look_at));
  if (!enough) {
    position_ = learned_;
  }
  return absl::OkStatus();
}

absl::Status Watch::TakeMatches(const Snapshot& snapshot, const StoredAfter& graph) {
  found_.clear();
  given_ = 0;
  queries_.Match(graph.graph, found_);
  if (!found_.empty()) {
    KINDRED_ASSIGN_OR_RETURN(found_graph_, Describe(snapshot, graph));
    if (found_graph_ == nullptr) {
      found_.clear();
    }
  }
  return absl::OkStatus();
}

void Watch::GiveOut(WatchPart& part) {
  if (given_ == found_.size()) {
    return;
  }
  const uint64_t bytes = BytesOf(*found_graph_);
  for (; given_ < found_.size() && part_bytes_ < kPartBytesMax; ++given_) {
    const StandingMatch& match = found_[given_];
    part.matches.push_back({position_, found_graph_, match.query, match.kernel, match.similarity});
    part_bytes_ += bytes + names_[match.query].size();
  }
}

absl::StatusOr<std::shared_ptr<const WatchMatch::Of>> Watch::Describe(const Snapshot& snapshot,
                                                                      const StoredAfter& graph) const {
  auto described = std::make_shared<WatchMatch::Of>();
  described->id = graph.external_id;
  // Few graphs match a query, so their tags are read from the store; to keep a mask of all would cost more.
  if (request_.with_payload || request_.with_tags || !request_.filter.matches_all()) {
    KINDRED_ASSIGN_OR_RETURN(StoredRecord record, snapshot.store->ReadRecord(graph.id));
    if (!request_.filter.Matches(record.tags)) {
      return nullptr;
    }
    if (request_.with_payload) {
      described->payload = std::move(record.payload);
    }
    if (request_.with_tags) {
      described->tags = std::move(record.tags);
    }
  }
  return described;
}

}  // namespace kindred
