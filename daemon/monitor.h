// What the daemon counts of its own work: calls, searches, commits. And tells of slow ones.
//
// Threads: any.
// Cost: a search or a commit adds to a handful of counters.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "daemon/call_metrics.h"
#include "daemon/distribution.h"
#include "daemon/metrics_text.h"
#include "daemon/slow_query.h"
#include "index/engine/commit_report.h"

namespace kindred::daemon {

class Monitor {
 public:
  // Searches and other questions that take longer are logged; 0: none.
  explicit Monitor(std::chrono::milliseconds slow_query = {});

  void SetSlowQuery(std::chrono::milliseconds slow_query) { slow_query_ = slow_query; }

  CallMetrics& calls() { return calls_; }

  // A search that was answered, or failed.
  void Count(const SearchSeen& search);
  // Another question.
  void Count(const QuestionSeen& question);
  void Count(const CommitReport& report);
  // Writes that were refused before they came to a commit.
  void CountRejected(uint64_t writes) { writes_.rejected.fetch_add(writes, std::memory_order_relaxed); }

  // Since the start: searches answered, entries they read, writes committed.
  uint64_t searches() const { return search_seconds_.CumulativeCounts().back(); }
  uint64_t postings_read() const { return postings_total_.load(); }
  uint64_t writes() const;

  void WriteTo(MetricsText& text) const;

 private:
  // Counts it if it is slow; whether it is.
  bool IsSlow(std::chrono::nanoseconds took);

  struct Writes {
    std::atomic<uint64_t> inserted{0};
    std::atomic<uint64_t> replaced{0};
    std::atomic<uint64_t> deleted{0};
    std::atomic<uint64_t> rejected{0};
    std::atomic<uint64_t> not_novel{0};
  };

  std::atomic<std::chrono::nanoseconds> slow_query_;
  CallMetrics calls_;

  Distribution search_seconds_;
  Distribution search_postings_;
  Distribution search_candidates_;
  std::atomic<uint64_t> postings_total_{0};
  std::atomic<uint64_t> searches_failed_{0};
  std::atomic<uint64_t> slow_queries_{0};

  Distribution commit_seconds_;
  Distribution commit_storing_seconds_;
  Distribution commit_writes_;
  std::atomic<uint64_t> commits_failed_{0};
  Writes writes_;
};

}  // namespace kindred::daemon
