// Audits everything a store holds against itself: colours, graphs, histograms, ids, counts; and, of a running
// index, its lists and its index of ids against what is stored.
//
// Every histogram is computed anew from its graph, against a hierarchy that is read anew. What is wrong is
// collected, not the first thing only, with the family and the key it was found at.
//
// Threads: one user; the work is spread over the executor.
// Cost: reads and refines every graph once; a hierarchy of its own and 16 bytes a graph in memory.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/engine/executor.h"
#include "index/engine/snapshot.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/store/store_view.h"
#include "index/store/totals.h"

namespace kindred {

struct Finding {
  std::string family;  // A column family, or "lists".
  std::string key;     // As people write it: a number, an external id, a name.
  std::string what;
};

struct VerifyReport {
  CommitSequence sequence{};
  uint64_t labels = 0;
  uint64_t colours = 0;
  uint64_t graphs = 0;            // Checked so far.
  uint64_t listed = 0;            // Of these, in lists.
  uint64_t finding_count = 0;     // All of them;
  std::vector<Finding> findings;  // the first kFindingsMax.
};

inline constexpr size_t kFindingsMax = 1'000;

class Verifier {
 public:
  // Without segments: audits the store alone.
  Verifier(Snapshot snapshot, Executor& executor);

  // Does a part of the work; false when none was left.
  bool Step();

  const VerifyReport& report() const { return report_; }
  uint64_t graphs_expected() const { return totals_.graphs.count; }

 private:
  void Find(std::string_view family, std::string key, std::string_view what);
  void Find(std::string_view family, std::string key, const absl::Status& status);

  void AuditMeta();
  void AuditHierarchy();
  void PlanTasks();
  void AuditRange(GraphId begin, GraphId end);
  void AuditGraph(GraphId id, std::string_view value);
  void AuditTags(GraphId id, const Tags& tags);
  void AuditId(GraphId id, const std::string& external_id);
  void AuditHistogram(GraphId id, const StoredRecord& record);
  void AuditLists(const SegmentView& view, uint32_t begin, uint32_t end);
  void AuditIds();
  void AuditTotals();
  uint64_t CountListedTags() const;
  // Rows whose key is a GraphId.
  void ScanGraphs(schema::Family family, GraphId begin, GraphId end,
                  const std::function<void(GraphId, std::string_view)>& visit);

  const Snapshot snapshot_;
  const StoreView* const view_;
  const std::vector<SegmentView>& segments_;
  Executor& executor_;
  ColourHierarchy hierarchy_;
  bool hierarchy_intact_ = true;
  Totals totals_;
  bool started_ = false;
  bool ended_ = false;
  std::vector<std::function<void()>> tasks_;
  size_t next_task_ = 0;

  std::mutex mutex_;  // Guards what follows.
  VerifyReport report_;
  GraphSet found_;
  std::vector<std::pair<uint64_t, GraphId>> ids_;  // The hash of its external id, of each graph.
  uint64_t tags_ = 0;                              // Of all stored graphs.
};

}  // namespace kindred
