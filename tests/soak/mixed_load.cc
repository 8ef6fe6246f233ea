#include "tests/soak/mixed_load.h"

#include <algorithm>
#include <thread>

#include "gtest/gtest.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/integration/watch_call.h"

namespace kindred::test {
namespace {

constexpr size_t kSoakGraphs = 1'500;
constexpr uint64_t kSoakIds = 2'000;
constexpr uint32_t kSoakVertices = 20;
constexpr int kSearchThreads = 2;
constexpr int kSearchesAConnection = 25;

void ExpectOk(const grpc::Status& status, const char* call) {
  EXPECT_TRUE(status.ok()) << call << ": " << status.error_message();
}

std::string RandomId(std::mt19937_64& rng) { return "g" + std::to_string(rng() % kSoakIds); }

}  // namespace

MixedLoad::MixedLoad(const DaemonProcess& daemon, uint64_t seed) : daemon_(daemon), rng_(seed) {
  v1::PutRequest put;
  for (size_t i = 0; i < kSoakGraphs; ++i) {
    graphs_.push_back(RandomTreeMessage(rng_, kSoakVertices));
    *put.add_records() = RecordMessage("g" + std::to_string(i), graphs_.back());
  }
  v1::PutResponse response;
  ExpectOk(Connect()->Put(NewContext().get(), put, &response), "Put");
}

std::unique_ptr<v1::Index::Stub> MixedLoad::Connect() {
  ++counts_.connections;
  return daemon_.NewStub();
}

v1::Record MixedLoad::RandomRecord(std::mt19937_64& rng) const {
  v1::Record record = RecordMessage(RandomId(rng), graphs_[rng() % graphs_.size()]);
  record.set_payload(std::string(rng() % 500, 'p'));
  return record;
}

double MixedLoad::Round(std::chrono::milliseconds length) {
  const Clock::time_point end = Clock::now() + length;
  std::vector<std::vector<double>> latencies(kSearchThreads);
  {
    std::vector<std::jthread> clients;
    clients.emplace_back([&, seed = rng_()] { Write(seed, end); });
    clients.emplace_back([&, seed = rng_()] { Watch(seed, end); });
    for (std::vector<double>& own : latencies) {
      clients.emplace_back([&, seed = rng_()] { Search(seed, end, own); });
    }
    clients.emplace_back([&] { Pairs(end); });
    clients.emplace_back([&] { LookAfter(); });
  }
  std::vector<double> all;
  for (const std::vector<double>& own : latencies) {
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::nth_element(all, all.begin() + static_cast<ptrdiff_t>(all.size() / 2));
  return all[all.size() / 2];
}

void MixedLoad::Write(uint64_t seed, Clock::time_point end) {
  std::mt19937_64 rng(seed);
  while (Clock::now() < end) {
    const auto stub = Connect();
    for (int call = 0; call < 10; ++call) {
      v1::PutRequest put;
      for (int i = 0; i < 20; ++i) {
        *put.add_records() = RandomRecord(rng);
      }
      v1::PutResponse stored;
      ExpectOk(stub->Put(NewContext().get(), put, &stored), "Put");
      v1::DeleteRequest removal;
      for (int i = 0; i < 5; ++i) {
        removal.add_ids(RandomId(rng));
      }
      v1::DeleteResponse removed;
      ExpectOk(stub->Delete(NewContext().get(), removal, &removed), "Delete");
      counts_.writes += 25;
    }
    Stream(rng);
  }
}

// A stream of its own: puts, and deletes of ids that may not be there.
void MixedLoad::Stream(std::mt19937_64& rng) {
  std::vector<v1::IngestRequest> frames(10);
  for (size_t f = 0; f < frames.size(); ++f) {
    v1::IngestFrame& frame = *frames[f].mutable_frame();
    frame.set_client_sequence(f + 1);
    for (int i = 0; i < 20; ++i) {
      if (rng() % 5 == 0) {
        frame.add_items()->set_delete_id(RandomId(rng));
      } else {
        *frame.add_items()->mutable_put() = RandomRecord(rng);
      }
    }
  }
  ++counts_.connections;
  ExpectOk(RunIngest(daemon_, {}, frames).status, "Ingest");
  counts_.writes += 20 * frames.size();
}

void MixedLoad::Search(uint64_t seed, Clock::time_point end, std::vector<double>& latencies) {
  std::mt19937_64 rng(seed);
  do {
    const auto stub = Connect();
    for (int i = 0; i < kSearchesAConnection; ++i) {
      v1::SearchRequest request;
      *request.mutable_graph() = graphs_[rng() % graphs_.size()];
      v1::SearchResponse response;
      const Clock::time_point start = Clock::now();
      ExpectOk(stub->Search(NewContext().get(), request, &response), "Search");
      latencies.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
      ++counts_.searches;
    }
  } while (Clock::now() < end);
}

void MixedLoad::Watch(uint64_t seed, Clock::time_point end) {
  std::mt19937_64 rng(seed);
  v1::WatchRequest request;
  for (int i = 0; i < 3; ++i) {
    AddQuery(request, "q" + std::to_string(i), graphs_[rng() % graphs_.size()], 0.8);
  }
  const auto stub = Connect();
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + (end - Clock::now()));
  const auto reader = stub->Watch(&context, request);
  for (v1::WatchResponse message; reader->Read(&message);) {
    counts_.watched += static_cast<uint64_t>(message.matches_size());
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

void MixedLoad::Pairs(Clock::time_point end) {
  do {
    const auto stub = Connect();
    const auto context = NewContext();
    v1::PairsRequest request;
    request.set_min_similarity(0.9);
    request.set_threads(1);
    const auto reader = stub->Pairs(context.get(), request);
    for (v1::PairsResponse message; reader->Read(&message);) {
      counts_.pairs += static_cast<uint64_t>(message.pairs_size());
    }
    ExpectOk(reader->Finish(), "Pairs");
  } while (Clock::now() < end);
}

// A backup, then a compaction: both beside everything else.
void MixedLoad::LookAfter() {
  ++counts_.connections;
  const auto admin = v1::Admin::NewStub(daemon_.NewChannel());
  {
    const auto context = NewContext();
    v1::BackupRequest request;
    request.set_directory(kSoakBackups);
    request.set_keep(2);
    const auto reader = admin->Backup(context.get(), request);
    for (v1::BackupResponse message; reader->Read(&message);) {
      counts_.backups += message.done() ? 1 : 0;
    }
    ExpectOk(reader->Finish(), "Backup");
  }
  const auto context = NewContext();
  const auto reader = admin->Compact(context.get(), {});
  for (v1::CompactResponse message; reader->Read(&message);) {
    counts_.compactions += message.done() ? 1 : 0;
  }
  ExpectOk(reader->Finish(), "Compact");
}

void MixedLoad::CompareOne(v1::Index::Stub& stub, v1::SearchRequest request) {
  v1::SearchResponse pruned;
  ExpectOk(stub.Search(NewContext().get(), request, &pruned), "Search");
  request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
  v1::SearchResponse exhaustive;
  ExpectOk(stub.Search(NewContext().get(), request, &exhaustive), "Search");
  pruned.clear_stats();
  exhaustive.clear_stats();
  EXPECT_EQ(pruned.DebugString(), exhaustive.DebugString());
  ++counts_.compared;
}

void MixedLoad::CompareModes() {
  const auto stub = Connect();
  for (int i = 0; i < 5; ++i) {
    v1::SearchRequest request;
    *request.mutable_graph() = graphs_[rng_() % graphs_.size()];
    request.set_k(20);
    CompareOne(*stub, request);
  }
}

}  // namespace kindred::test
