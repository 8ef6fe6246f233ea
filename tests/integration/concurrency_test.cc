// A thousand searches while graphs stream in: each answer is right for the snapshot it names.

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

// The stream's history is known: commit n puts graph n. So the answer at sequence s is the exhaustive one
// over the first s graphs, which a second daemon, filled to exactly s, gives in both modes.
TEST(Concurrency, EveryAnswerFitsItsSnapshot) {
  constexpr uint64_t kGraphs = 4000;
  constexpr int kThreads = 8;
  constexpr int kSearchesEach = 130;
  std::mt19937_64 rng(3);
  std::vector<v1::Record> records;
  for (uint64_t i = 0; i < kGraphs; ++i) {
    // Every third write replaces an earlier graph.
    const uint64_t name = i % 3 == 2 ? rng() % i : i;
    records.push_back(RecordMessage("g" + std::to_string(name), RandomTreeMessage(rng)));
  }
  std::vector<v1::SearchRequest> queries(20);
  for (size_t q = 0; q < queries.size(); ++q) {
    *queries[q].mutable_graph() = RandomTreeMessage(rng);
    queries[q].set_k(static_cast<uint32_t>(1 + rng() % 30));
    queries[q].set_measure(static_cast<v1::Measure>(1 + q % 3));
  }

  const TempDir dir;
  std::mutex mutex;
  std::map<uint64_t, std::map<size_t, std::string>> answers;  // sequence -> query -> answer
  std::atomic<int> searches{0};
  {
    DaemonProcess daemon(dir.Sub("live"));
    std::jthread writer([&] {
      const auto stub = daemon.NewStub();
      const auto context = NewContext(300);
      const auto stream = stub->Ingest(context.get());
      v1::IngestRequest request;
      request.mutable_open();
      stream->Write(request);
      uint64_t frame = 0;
      for (uint64_t i = 0; i < kGraphs; i += 5) {
        request.mutable_frame()->Clear();
        request.mutable_frame()->set_client_sequence(++frame);
        for (uint64_t j = i; j < std::min(kGraphs, i + 5); ++j) {
          *request.mutable_frame()->add_items()->mutable_put() = records[j];
        }
        ASSERT_TRUE(stream->Write(request));
        if (frame % 20 == 0) {  // So that there are many commits, however quick each is.
          for (v1::IngestResponse response; response.ack().client_sequence() < frame;) {
            ASSERT_TRUE(stream->Read(&response));
          }
        }
      }
      stream->WritesDone();
      for (v1::IngestResponse response; stream->Read(&response);) {
        EXPECT_EQ(response.ack().rejected_size(), 0);
      }
      EXPECT_TRUE(stream->Finish().ok());
    });
    std::vector<std::jthread> readers;
    for (int t = 0; t < kThreads; ++t) {
      readers.emplace_back([&, t] {
        const auto stub = daemon.NewStub();
        std::mt19937_64 mine(static_cast<uint64_t>(t));
        for (int i = 0; i < kSearchesEach; ++i) {
          const size_t q = mine() % queries.size();
          v1::SearchResponse response;
          const grpc::Status status = stub->Search(NewContext().get(), queries[q], &response);
          ASSERT_TRUE(status.ok()) << status.error_message();
          ++searches;
          const uint64_t sequence = response.sequence();
          response.clear_stats();
          const std::scoped_lock lock(mutex);
          const auto [at, added] = answers[sequence].emplace(q, response.DebugString());
          EXPECT_EQ(at->second, response.DebugString()) << "two answers at sequence " << sequence;
        }
      });
    }
  }
  EXPECT_GE(searches, 1000);
  EXPECT_GT(answers.size(), 3) << "the searches saw too few snapshots to mean anything";

  // Replay the same history in steps and ask again at every sequence that was seen.
  DaemonProcess replay(dir.Sub("replay"));
  const auto stub = replay.NewStub();
  uint64_t put = 0;
  for (const auto& [sequence, by_query] : answers) {
    v1::PutRequest request;
    for (; put < sequence; ++put) {
      *request.add_records() = records[put];
    }
    if (request.records_size() > 0) {
      v1::PutResponse response;
      ASSERT_TRUE(stub->Put(NewContext().get(), request, &response).ok());
      ASSERT_EQ(response.sequence(), sequence);
    }
    for (const auto& [q, answer] : by_query) {
      v1::SearchRequest query = queries[q];
      query.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
      v1::SearchResponse response;
      ASSERT_TRUE(stub->Search(NewContext().get(), query, &response).ok());
      response.clear_stats();
      EXPECT_EQ(response.DebugString(), answer) << "query " << q << " at sequence " << sequence;
    }
  }
}

}  // namespace
}  // namespace kindred::test
