#include "tests/support/engine_harness.h"

#include <barrier>
#include <future>
#include <map>
#include <stdexcept>
#include <utility>

#include "index/base/check.h"
#include "index/base/status.h"
#include "tests/support/status_matchers.h"

namespace kindred {

void PrintTo(const Hit& hit, std::ostream* out) {
  *out << fmt::format("'{}' K={} similarity={}", hit.id, hit.kernel, hit.similarity);
}

}  // namespace kindred

namespace kindred::test {

EngineOptions OptionsOf(int threads, std::optional<Level> depth) {
  EngineOptions options;
  options.threads = threads;
  options.store.depth = depth;
  return options;
}

SearchRequest Ask(decltype(SearchRequest::query) query, uint32_t k, Measure measure) {
  SearchRequest request;
  request.query = std::move(query);
  request.k = k;
  request.measure = measure;
  return request;
}

Mutation PutOf(const std::string& id, const Graph& graph, WriteMode mode) {
  return {id, std::optional(StoredRecord{id, graph, "", {}}), mode};
}

Mutation DeleteOf(const std::string& id) { return {id, std::nullopt, WriteMode::kUpsert}; }

EngineHarness::EngineHarness(EngineOptions options, Start start) : options_(std::move(options)) {
  if (start == Start::kOpen) {
    Restart();
  }
}

absl::Status EngineHarness::Open() {
  KINDRED_ASSIGN_OR_RETURN(DataDirectory directory, DataDirectory::Open(path()));
  KINDRED_ASSIGN_OR_RETURN(engine_, Engine::Open(std::move(directory), options_));
  return absl::OkStatus();
}

void EngineHarness::Restart() {
  Close();
  if (const absl::Status opened = Open(); !opened.ok()) {
    throw std::runtime_error(opened.ToString());
  }
}

WriteResult EngineHarness::Write(std::vector<Mutation> mutations) {
  std::promise<WriteResult> promise;
  std::future<WriteResult> result = promise.get_future();
  writer().Submit({std::move(mutations), 0, [&](WriteResult done) { promise.set_value(std::move(done)); }});
  return result.get();
}

// Tasks are taken in order: when each thread is in one of these, all before them are done.
void EngineHarness::WaitForPreparation() {
  Executor& executor = engine_->executor();
  const auto all_here = std::make_shared<std::barrier<>>(executor.threads() + 1);
  for (int i = 0; i < executor.threads(); ++i) {
    executor.Submit([all_here] { all_here->arrive_and_wait(); });
  }
  all_here->arrive_and_wait();
}

std::vector<WriteResult> EngineHarness::WriteInOneGroup(std::vector<std::vector<Mutation>> requests) {
  std::promise<void> all_queued;
  std::promise<void> holding;
  writer().Submit({{}, 0, [&](WriteResult) {
                     holding.set_value();
                     all_queued.get_future().wait();
                   }});
  holding.get_future().wait();
  std::vector<std::promise<WriteResult>> promises(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    writer().Submit({std::move(requests[i]), 0,
                     [&promise = promises[i]](WriteResult done) { promise.set_value(std::move(done)); }});
  }
  WaitForPreparation();
  all_queued.set_value();
  std::vector<WriteResult> results;
  for (std::promise<WriteResult>& promise : promises) {
    results.push_back(promise.get_future().get());
  }
  return results;
}

Outcome EngineHarness::Put(const std::string& id, const Graph& graph, WriteMode mode) {
  WriteResult result = Write({PutOf(id, graph, mode)});
  EXPECT_THAT(result.status, IsOk());
  KINDRED_CHECK(result.outcomes.size() == 1);
  return std::move(result.outcomes.front());
}

Outcome EngineHarness::Delete(const std::string& id) {
  WriteResult result = Write({DeleteOf(id)});
  EXPECT_THAT(result.status, IsOk());
  KINDRED_CHECK(result.outcomes.size() == 1);
  return std::move(result.outcomes.front());
}

absl::StatusOr<SearchReply> EngineHarness::Search(const SearchRequest& request) {
  return engine_->Search(request, Interrupt());
}

std::vector<Hit> EngineHarness::Hits(const SearchRequest& request) {
  return Must(Search(request)).answer.hits;
}

std::shared_ptr<const Snapshot> EngineHarness::Newest() { return Must(engine_->snapshot()); }

StoreContents ReadContents(const StoreView& view) {
  StoreContents contents;
  contents.sequence = Raw(Must(view.sequence()));
  EXPECT_THAT(view.ForEachLabel([&](LabelId id, std::string_view label) {
    EXPECT_EQ(Raw(id), contents.labels.size());
    contents.labels.emplace_back(label);
    return absl::OkStatus();
  }),
              IsOk());
  EXPECT_THAT(view.ForEachColour([&](ColourId id, std::string_view signature) {
    EXPECT_EQ(Raw(id), contents.colours.size());
    contents.colours.emplace_back(signature);
    return absl::OkStatus();
  }),
              IsOk());
  std::map<uint64_t, StoreContents::StoredGraph> graphs;
  const GraphId end{UINT64_MAX};
  EXPECT_THAT(view.ForEachRecord(GraphId{0}, end,
                                 [&](GraphId id, const StoredRecord& record) {
                                   graphs[Raw(id)].record = EncodeRecord(record);
                                   return absl::OkStatus();
                                 }),
              IsOk());
  EXPECT_THAT(view.ForEachHistogram(GraphId{0}, end,
                                    [&](GraphId id, const StoredHistogram& stored) {
                                      graphs[Raw(id)].histogram =
                                          EncodeHistogram(stored.external_id, stored.histogram);
                                      return absl::OkStatus();
                                    }),
              IsOk());
  for (auto& [id, graph] : graphs) {
    graph.id = id;
    contents.graphs.push_back(std::move(graph));
  }
  return contents;
}

void PrintTo(const StoreContents& contents, std::ostream* out) {
  *out << fmt::format("sequence {}, {} labels, {} colours, {} graphs:", contents.sequence,
                      contents.labels.size(), contents.colours.size(), contents.graphs.size());
  for (const StoreContents::StoredGraph& graph : contents.graphs) {
    *out << fmt::format(" {}({} + {} bytes)", graph.id, graph.record.size(), graph.histogram.size());
  }
}

}  // namespace kindred::test
