#include "daemon/monitor.h"

#include <array>

#include "daemon/log.h"

namespace kindred::daemon {
namespace {

constexpr std::array kShortSeconds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                   0.05,   0.1,     0.25,   0.5,   1.0,    2.5,   5.0,  10.0};
constexpr std::array kAmounts{1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
// Up to what the writer takes in one commit.
constexpr std::array kCommitWrites{1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 8192.0};

double Seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

Monitor::Monitor(std::chrono::milliseconds slow_query)
    : slow_query_(slow_query),
      search_seconds_(kShortSeconds),
      search_postings_(kAmounts),
      search_candidates_(kAmounts),
      commit_seconds_(kShortSeconds),
      commit_storing_seconds_(kShortSeconds),
      commit_writes_(kCommitWrites) {}

void Monitor::Count(const SearchSeen& search) {
  if (search.answer.ok()) {
    const v1::SearchStats& stats = search.answer->stats();
    search_seconds_.Observe(Seconds(search.took));
    search_postings_.Observe(static_cast<double>(stats.postings_read()));
    search_candidates_.Observe(static_cast<double>(stats.candidates()));
    postings_total_.fetch_add(stats.postings_read(), std::memory_order_relaxed);
  } else {
    searches_failed_.fetch_add(1, std::memory_order_relaxed);
  }
  if (IsSlow(search.took)) {
    LogEvent(spdlog::level::warn, "slow query", SlowQueryFields(search));
  }
}

void Monitor::Count(const QuestionSeen& question) {
  if (IsSlow(question.took)) {
    LogEvent(spdlog::level::warn, "slow query", SlowQueryFields(question));
  }
}

bool Monitor::IsSlow(std::chrono::nanoseconds took) {
  const auto slow = slow_query_.load();
  if (slow.count() == 0 || took < slow) {
    return false;
  }
  slow_queries_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Monitor::Count(const CommitReport& report) {
  if (!report.ok) {
    commits_failed_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  commit_seconds_.Observe(Seconds(report.took));
  commit_storing_seconds_.Observe(Seconds(report.storing_took));
  commit_writes_.Observe(static_cast<double>(report.writes()));
  writes_.inserted.fetch_add(report.inserted, std::memory_order_relaxed);
  writes_.replaced.fetch_add(report.replaced, std::memory_order_relaxed);
  writes_.deleted.fetch_add(report.deleted, std::memory_order_relaxed);
  writes_.rejected.fetch_add(report.rejected, std::memory_order_relaxed);
  writes_.not_novel.fetch_add(report.not_novel, std::memory_order_relaxed);
}

uint64_t Monitor::writes() const {
  return writes_.inserted.load() + writes_.replaced.load() + writes_.deleted.load();
}

void Monitor::WriteTo(MetricsText& text) const {
  calls_.WriteTo(text);

  text.Histogram("kindred_search_seconds", "Time that searches took in the index, without the network.",
                 search_seconds_);
  text.Histogram("kindred_search_postings_read",
                 "Entries of inverted lists, or of histograms, that searches read.", search_postings_);
  text.Histogram("kindred_search_candidates", "Graphs that searches scored exactly.", search_candidates_);
  text.Counter("kindred_searches_failed_total", "Searches that ended with an error.",
               searches_failed_.load());
  text.Counter("kindred_slow_queries_total",
               "Searches and other questions that took longer than slow-query-ms; 0 if that is off.",
               slow_queries_.load());

  text.Histogram("kindred_commit_seconds", "From the first write of a commit applied until all are visible.",
                 commit_seconds_);
  text.Histogram("kindred_commit_storing_seconds",
                 "Of a commit, what writing and syncing the log and the witness took.",
                 commit_storing_seconds_);
  text.Histogram("kindred_commit_writes", "Writes of a commit.", commit_writes_);
  text.Counter("kindred_commits_failed_total", "Commits of which nothing was stored.",
               commits_failed_.load());
  text.Family("kindred_writes_total", MetricsText::Type::kCounter, "Writes by what became of them.");
  text.Add({{"outcome", "inserted"}}, writes_.inserted.load());
  text.Add({{"outcome", "replaced"}}, writes_.replaced.load());
  text.Add({{"outcome", "deleted"}}, writes_.deleted.load());
  text.Add({{"outcome", "rejected"}}, writes_.rejected.load());
  text.Add({{"outcome", "not_novel"}}, writes_.not_novel.load());
}

}  // namespace kindred::daemon
