// The index as the daemon sees it: writes, snapshots, searches, recovery.
//
// Threads: everything from any thread. Writes are queued and answered by callback; reads run on the
//          caller's thread (the daemon runs them on executor()) and never wait for the writer.

#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/engine/commit_report.h"
#include "index/engine/executor.h"
#include "index/engine/filter_lists.h"
#include "index/engine/hit_fields.h"
#include "index/engine/kernel_matrix.h"
#include "index/engine/mutation.h"
#include "index/engine/recovery.h"
#include "index/engine/snapshot.h"
#include "index/engine/writer.h"
#include "index/filter/filter.h"
#include "index/search/exhaustive.h"
#include "index/search/searcher.h"
#include "index/store/backup_directory.h"
#include "index/store/data_directory.h"
#include "index/store/store_options.h"
#include "index/store/store_stats.h"

namespace kindred {

enum class SearchMode { kPruned, kExhaustive };

struct SearchRequest {
  // The external id of a stored graph, or a graph.
  std::variant<std::string, Graph> query;
  uint32_t k = kNeighboursDefault;
  Measure measure = Measure::kTanimoto;
  std::optional<double> min_similarity;
  std::optional<uint32_t> depth;
  std::vector<double> weights;
  SearchMode mode = SearchMode::kPruned;
  CommitSequence min_sequence{};
  uint32_t threads = 1;
  // How a molecule became the graph of the query; empty: not said.
  std::string molecule_scheme;
  // Only graphs that match are hits, and none of those excluded; k counts these alone.
  Filter filter{};
  std::vector<std::string> excluded{};
  // Only hits that come after this one, as it came in the answer before.
  std::optional<Hit> after{};
  WantedFields fields = WantedFields::kNone;
};

struct SearchReply {
  Answer answer;
  CommitSequence sequence{};
  std::vector<HitFields> fields{};  // One a hit if some were wanted, else none.
};

struct EngineStats {
  uint64_t graphs = 0;
  Level depth = 0;
  CommitSequence sequence{};
  uint64_t labels = 0;
  std::vector<uint64_t> colours;  // A level each.
  uint64_t postings = 0;
  uint64_t segments = 0;
  uint64_t memory_bytes = 0;  // Segments, lists of filters, hierarchy, index of ids.
  uint64_t segment_bytes = 0;
  uint64_t disk_bytes = 0;
  std::string vector_target;
  uint64_t merges = 0;
  uint64_t merging = 0;
  std::string molecule_scheme;  // Empty: none yet.
  uint64_t graphs_merged = 0;   // Graphs of all segments that merges made.
  uint64_t watches = 0;
  uint64_t waiting_tasks = 0;  // For a thread of the executor.
  Writer::Waiting waiting_writes;
  FilterLists::Stats filter_lists;
  StoreStats store;
};

struct EngineOptions {
  StoreOptions store;
  int threads = 1;
  Limits limits;
  // Backups go below it (engine/backup.h); empty: none are made.
  std::string backup_dir;
  RecoveryReporter report_recovery;
  CommitReporter report_commit = nullptr;
};

// The histograms of a snapshot as they are stored, of graphs whose stored tags match: shares nothing with
// segments and their masks. `snapshot` must outlive it.
absl::StatusOr<HistogramSource> HistogramsIn(const Snapshot& snapshot, const Filter& filter,
                                             const Interrupt& interrupt);

class Engine {
 public:
  // Opens or creates the store and brings the index into memory; takes as long as that takes.
  static absl::StatusOr<std::unique_ptr<Engine>> Open(DataDirectory directory, const EngineOptions& options);

  Executor& executor() const { return *executor_; }
  Writer& writer() { return *writer_; }
  const ColourHierarchy& hierarchy() const { return hierarchy_; }
  const Limits& limits() const { return limits_; }
  const std::string& backup_dir() const { return backup_dir_; }
  absl::StatusOr<BackupDirectory> OpenBackups(const std::string& path) const;
  Level depth() const { return store_->depth(); }

  // For what looks after it (engine/compact.h).
  Store& store() { return *store_; }
  // Whether a compaction is under way.
  std::atomic<bool>& compacting() { return compacting_; }

  // Those who wait for the next commit.
  CommitListeners& commits() const { return published_->commits(); }
  // How many watches there are (engine/watch.h).
  std::atomic<uint64_t>& watches() const { return watches_; }

  // The newest, if it is at least `min_sequence`; else FAILED_PRECONDITION.
  absl::StatusOr<std::shared_ptr<const Snapshot>> snapshot(CommitSequence min_sequence = {}) const;

  // For what searches with a filter.
  FilterLists& filter_lists() const { return *filter_lists_; }

  // Tells the merger that someone searches (engine/merger.h).
  void NoteSearch() const { writer_->merger().NoteSearch(); }

  absl::StatusOr<SearchReply> Search(const SearchRequest& request, const Interrupt& interrupt) const;
  EngineStats stats() const;

 private:
  Engine(std::unique_ptr<Store> store, const EngineOptions& options);

  absl::StatusOr<Histogram> QueryHistogram(const Snapshot& snapshot, const SearchRequest& request) const;

  const Limits limits_;
  const std::string backup_dir_;
  mutable std::atomic<uint64_t> watches_{0};
  std::atomic<bool> compacting_{false};
  // Destroyed from the bottom up: first the writer, then what it works on.
  const std::unique_ptr<Store> store_;
  ColourHierarchy hierarchy_;
  IdIndex ids_;
  std::unique_ptr<PublishedSnapshot> published_;
  std::unique_ptr<Executor> executor_;
  const std::unique_ptr<FilterLists> filter_lists_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace kindred
