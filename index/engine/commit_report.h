// What one commit of the writer did and how long it took, for whoever counts.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "index/engine/mutation.h"

namespace kindred {

struct CommitReport {
  bool ok = true;         // False: nothing of the group is stored.
  uint64_t requests = 0;  // Put together into this commit.
  // What became of their writes.
  uint64_t inserted = 0;
  uint64_t replaced = 0;
  uint64_t deleted = 0;
  uint64_t rejected = 0;
  uint64_t not_novel = 0;
  std::chrono::nanoseconds took{};          // From the first write applied until all are published.
  std::chrono::nanoseconds storing_took{};  // Of that, writing and syncing.

  uint64_t writes() const { return inserted + replaced + deleted + rejected + not_novel; }
};

// Called on the writer's thread after each commit, before its requests are answered. Must not block.
using CommitReporter = std::function<void(const CommitReport&)>;

inline CommitReport ReportOf(const absl::Status& status, const std::vector<WriteResult>& results,
                             std::chrono::nanoseconds took, std::chrono::nanoseconds storing_took) {
  CommitReport report{status.ok(), results.size()};
  report.took = took;
  report.storing_took = storing_took;
  for (const WriteResult& result : results) {
    for (const Outcome& outcome : result.outcomes) {
      switch (outcome.kind) {
        case Outcome::Kind::kInserted:
          ++report.inserted;
          break;
        case Outcome::Kind::kReplaced:
          ++report.replaced;
          break;
        case Outcome::Kind::kDeleted:
          ++report.deleted;
          break;
        case Outcome::Kind::kRejected:
          ++report.rejected;
          break;
        case Outcome::Kind::kNotNovel:
          ++report.not_novel;
          break;
      }
    }
  }
  return report;
}

}  // namespace kindred
