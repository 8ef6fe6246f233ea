#include "index/engine/engine.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"
#include "index/engine/filtered_snapshot.h"
#include "index/lists/block_kernels.h"
#include "index/search/pruned.h"
#include "index/store/loss.h"
#include "index/store/store.h"

namespace kindred {
namespace {

// About as many as postings are read between two looks at an interrupt.
constexpr uint64_t kRecordsBetweenChecks = 256;

absl::Status CheckSearch(const SearchRequest& request, const Limits& limits) {
  if (request.k == 0) {
    return InvalidArgument("k: must be at least 1");
  }
  if (request.k > limits.k_max) {
    return OverLimit("k", request.k, "k_max", limits.k_max);
  }
  if (request.excluded.size() > limits.exclude_max) {
    return OverLimit("exclude_ids", request.excluded.size(), "exclude_max", limits.exclude_max);
  }
  if (!request.min_similarity) {
    return absl::OkStatus();
  }
  const double least = *request.min_similarity;
  const bool bounded = request.measure != Measure::kKernel;
  if (!(least >= 0) || (bounded && least > 1)) {
    return InvalidArgument("min_similarity: {} is not {}", least,
                           bounded ? "between 0 and 1" : "a number of at least 0");
  }
  return absl::OkStatus();
}

// The graphs whose stored tags match; nothing: all. Shares nothing with the masks of segments.
absl::StatusOr<std::optional<absl::flat_hash_set<uint64_t>>> MatchingGraphs(const StoreView& store,
                                                                            const Filter& filter,
                                                                            const Interrupt& interrupt) {
  if (filter.matches_all()) {
    return std::nullopt;
  }
  absl::flat_hash_set<uint64_t> matching;
  uint64_t read = 0;
  KINDRED_RETURN_IF_ERROR(store.ForEachRecord(
      GraphId{0}, GraphId{UINT64_MAX}, [&](GraphId id, const StoredRecord& record) -> absl::Status {
        if (filter.Matches(record.tags)) {
          matching.insert(Raw(id));
        }
        return ++read % kRecordsBetweenChecks == 0 ? interrupt.Check() : absl::OkStatus();
      }));
  return matching;
}

}  // namespace

absl::StatusOr<HistogramSource> HistogramsIn(const Snapshot& snapshot, const Filter& filter,
                                             const Interrupt& interrupt) {
  KINDRED_ASSIGN_OR_RETURN(auto matching, MatchingGraphs(*snapshot.store, filter, interrupt));
  return [&snapshot, matching = std::move(matching)](const HistogramVisitor& visit) {
    return snapshot.store->ForEachHistogram(
        GraphId{0}, GraphId{UINT64_MAX}, [&](GraphId id, const StoredHistogram& stored) {
          return !matching || matching->contains(Raw(id)) ? visit(stored.external_id, stored.histogram)
                                                          : absl::OkStatus();
        });
  };
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::Open(DataDirectory directory, const EngineOptions& options) {
  StoreOptions store_options = options.store;
  store_options.disk_reserve_bytes = options.limits.disk_reserve_bytes;
  store_options.hold_compactions = true;
  KINDRED_ASSIGN_OR_RETURN(std::unique_ptr<Store> store, Store::Open(std::move(directory), store_options));
  std::unique_ptr<Engine> engine(new Engine(std::move(store), options));
  auto recovered =
      Recover(*engine->store_, engine->hierarchy_, engine->ids_, *engine->executor_, options.report_recovery);
  if (!recovered.ok()) {
    return WithWayOut(recovered.status(), engine->store_->path());
  }
  KINDRED_RETURN_IF_ERROR(engine->store_->StartCompactions());
  engine->published_ = std::make_unique<PublishedSnapshot>(*std::move(recovered));
  engine->writer_ =
      std::make_unique<Writer>(*engine->store_, engine->hierarchy_, engine->ids_, *engine->published_,
                               options.threads, engine->limits_, options.report_commit);
  return engine;
}

Engine::Engine(std::unique_ptr<Store> store, const EngineOptions& options)
    : limits_(options.limits),
      backup_dir_(options.backup_dir),
      store_(std::move(store)),
      executor_(std::make_unique<Executor>(options.threads, options.limits.search_queue_max)),
      filter_lists_(std::make_unique<FilterLists>(options.limits.filter_lists_bytes_max)) {}

absl::StatusOr<std::shared_ptr<const Snapshot>> Engine::snapshot(CommitSequence min_sequence) const {
  std::shared_ptr<const Snapshot> newest = published_->get();
  if (newest->sequence < min_sequence) {
    return MakeStatus(absl::StatusCode::kFailedPrecondition,
                      "min_sequence: {} is not committed yet; the index is at {}", Raw(min_sequence),
                      Raw(newest->sequence));
  }
  return newest;
}

absl::StatusOr<Histogram> Engine::QueryHistogram(const Snapshot& snapshot,
                                                 const SearchRequest& request) const {
  if (const Graph* graph = std::get_if<Graph>(&request.query)) {
    return Histogram::Of(RefineKnown(hierarchy_.view(), *graph, depth()));
  }
  const std::string& id = std::get<std::string>(request.query);
  const std::optional<GraphId> found = snapshot.FindGraph(id);
  if (!found) {
    return MakeStatus(absl::StatusCode::kNotFound, "id: no graph has the id '{}'", id);
  }
  KINDRED_ASSIGN_OR_RETURN(StoredHistogram stored, snapshot.store->ReadHistogram(*found));
  return std::move(stored.histogram);
}

absl::StatusOr<SearchReply> Engine::Search(const SearchRequest& request, const Interrupt& interrupt) const {
  KINDRED_RETURN_IF_ERROR(CheckSearch(request, limits_));
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring,
                           Scoring::Create(request.measure, depth(), request.depth, request.weights));
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> seen, snapshot(request.min_sequence));
  KINDRED_RETURN_IF_ERROR(CheckSameScheme(request.molecule_scheme, seen->store->molecule_scheme()));
  KINDRED_ASSIGN_OR_RETURN(Histogram histogram, QueryHistogram(*seen, request));
  Query query{std::move(histogram), std::move(scoring), request.k, request.min_similarity, {},
              request.excluded};
  std::ranges::sort(query.excluded);
  if (request.after) {
    KINDRED_ASSIGN_OR_RETURN(query.after, PlaceOf(*request.after, query.histogram, query.scoring));
  }

  std::shared_ptr<const Snapshot> shown = seen;
  std::unique_ptr<Searcher> searcher;
  if (request.mode == SearchMode::kExhaustive) {
    KINDRED_ASSIGN_OR_RETURN(HistogramSource stored, HistogramsIn(*seen, request.filter, interrupt));
    searcher = std::make_unique<ExhaustiveSearcher>(std::move(stored));
  } else {
    KINDRED_ASSIGN_OR_RETURN(shown, Filtered(seen, request.filter, interrupt, filter_lists_.get()));
    NoteSearch();
    const uint32_t threads = std::min(request.threads, static_cast<uint32_t>(executor_->threads()));
    searcher =
        std::make_unique<PrunedSearcher>(shown->segments, std::max(threads, 1u),
                                         [this](size_t count, const std::function<void(size_t)>& work) {
                                           executor_->ParallelFor(count, work);
                                         });
  }
  KINDRED_ASSIGN_OR_RETURN(Answer answer, searcher->Search(query, interrupt));
  SearchReply reply{std::move(answer), seen->sequence};
  if (request.fields != WantedFields::kNone) {
    KINDRED_ASSIGN_OR_RETURN(reply.fields,
                             ReadHitFields(*seen, reply.answer.hits, request.fields, limits_, interrupt));
  }
  return reply;
}

absl::StatusOr<BackupDirectory> Engine::OpenBackups(const std::string& path) const {
  return store_->OpenBackups(path);
}

EngineStats Engine::stats() const {
  const std::shared_ptr<const Snapshot> seen = published_->get();
  EngineStats stats;
  stats.graphs = seen->graph_count();
  stats.depth = depth();
  stats.sequence = seen->sequence;
  stats.labels = hierarchy_.label_count();
  for (Level level = 0; level <= depth(); ++level) {
    stats.colours.push_back(hierarchy_.colour_count(level));
  }
  stats.segments = seen->segments.size();
  stats.memory_bytes = hierarchy_.memory_bytes() + ids_.memory_bytes();
  for (const SegmentView& view : seen->segments) {
    stats.postings += view.segment->posting_count();
    stats.segment_bytes += view.segment->memory_bytes();
  }
  stats.filter_lists = filter_lists_->stats();
  stats.memory_bytes += stats.segment_bytes + stats.filter_lists.bytes;
  stats.vector_target = VectorTarget();
  const Merger::Stats merger = writer_->merger().stats();
  stats.merges = merger.merges;
  stats.merging = merger.merging;
  stats.molecule_scheme = seen->store->molecule_scheme();
  stats.graphs_merged = merger.graphs_merged;
  stats.watches = watches_.load();
  stats.waiting_tasks = executor_->waiting();
  stats.waiting_writes = writer_->waiting();
  stats.store = store_->stats();
  stats.disk_bytes = stats.store.disk_bytes;
  return stats;
}

}  // namespace kindred
