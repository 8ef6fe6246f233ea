// Watchers beside writers that insert, replace and delete, through kills of the daemon: what each message
// tells is exactly what the snapshot it was made from has of the commits it covers, and the messages cover
// all of them once.

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "client/client.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/integration/watch_call.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using Random = std::mt19937_64;

// What the watch was to be told of, by a search of the daemon that reads everything (the oracle): which
// graphs match a query is the same whenever they are stored, so each distinct graph is asked about once, in
// an index of its own.
class Oracle {
 public:
  Oracle(const std::string& dir, v1::WatchRequest request)
      : daemon_(dir), stub_(daemon_.NewStub()), request_(std::move(request)) {}

  // The names of the queries it matches, with the similarity.
  const std::vector<std::pair<std::string, double>>& Matches(const v1::Graph& graph) {
    const auto [at, is_new] = known_.try_emplace(graph.SerializeAsString());
    if (is_new) {
      PutOne(*stub_, RecordMessage("graph", graph));
      for (const v1::WatchRequest::Query& query : request_.queries()) {
        v1::SearchRequest search;
        *search.mutable_graph() = query.graph().graph();
        search.set_min_similarity(query.min_similarity());
        search.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
        v1::SearchResponse answer;
        EXPECT_TRUE(stub_->Search(NewContext().get(), search, &answer).ok());
        for (const v1::Hit& hit : answer.hits()) {
          at->second.emplace_back(query.name(), hit.similarity());
        }
      }
    }
    return at->second;
  }

 private:
  DaemonProcess daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
  v1::WatchRequest request_;
  std::map<std::string, std::vector<std::pair<std::string, double>>> known_;
};

struct Write {
  std::string id;
  std::optional<v1::Graph> graph;  // Nothing: a delete.
};

class WatchHistory : public ::testing::Test {
 protected:
  static constexpr int kIds = 60;

  WatchHistory() {
    std::cout << "seed " << kSeed << "\n";
    Random rng(kSeed);
    for (int i = 0; i < 40; ++i) {
      pool_.push_back(RandomTreeMessage(rng, 8));
    }
    for (int i = 0; i < 30; ++i) {
      AddQuery(request_, "q" + std::to_string(i),
               i % 2 == 0 ? pool_[static_cast<size_t>(i)] : RandomTreeMessage(rng, 8),
               static_cast<double>(2 + rng() % 9) / 10);
    }
    request_.set_after_sequence(0);
  }

  Write RandomWrite(Random& rng) const {
    Write write{"g" + std::to_string(rng() % kIds), std::nullopt};
    if (rng() % 4 != 0) {
      write.graph = pool_[rng() % pool_.size()];
    }
    return write;
  }

  // Its commit; 0 when there was none; nothing when it is not known.
  static std::optional<uint64_t> Send(v1::Index::Stub& stub, const Write& write) {
    grpc::ClientContext context;  // Fails at once when the daemon is gone.
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    if (write.graph) {
      v1::PutRequest request;
      *request.add_records() = RecordMessage(write.id, *write.graph);
      v1::PutResponse response;
      return stub.Put(&context, request, &response).ok() ? std::optional(response.sequence()) : std::nullopt;
    }
    v1::DeleteRequest request;
    request.add_ids(write.id);
    v1::DeleteResponse response;
    if (!stub.Delete(&context, request, &response).ok()) {
      return std::nullopt;
    }
    return response.outcomes(0).kind() == v1::Outcome::DELETED ? response.sequence() : 0;
  }

  void Note(uint64_t sequence, const Write& write) {
    const std::scoped_lock lock(mutex_);
    EXPECT_TRUE(history_.emplace(sequence, write).second) << "two writes of one commit " << sequence;
  }

  // Some writers at once; every write is answered.
  void WriteConcurrently(const DaemonProcess& daemon, uint64_t round, int writes) {
    std::vector<std::jthread> writers;
    for (uint64_t w = 0; w < 3; ++w) {
      writers.emplace_back([&, w] {
        Random rng(kSeed * 1000 + round * 10 + w);
        const auto stub = daemon.NewStub();
        for (int i = 0; i < writes; ++i) {
          const Write write = RandomWrite(rng);
          const auto sequence = Send(*stub, write);
          ASSERT_TRUE(sequence.has_value());
          if (*sequence > 0) {
            Note(*sequence, write);
          }
        }
      });
    }
  }

  // One writer until the daemon is killed under it; gives the write that was not answered.
  Write WriteUntilKilled(DaemonProcess& daemon, uint64_t round) {
    std::atomic<int> answered{0};
    Write last;
    std::jthread writer([&] {
      Random rng(kSeed * 7777 + round);
      const auto stub = daemon.NewStub();
      while (true) {
        last = RandomWrite(rng);
        const auto sequence = Send(*stub, last);
        if (!sequence) {
          return;
        }
        ++answered;
        if (*sequence > 0) {
          Note(*sequence, last);
        }
      }
    });
    while (answered < 20) {
      std::this_thread::yield();
    }
    daemon.Stop(SIGKILL);
    writer.join();
    return last;
  }

  uint64_t LastCommit() const { return history_.empty() ? 0 : history_.rbegin()->first; }

  // What the messages of a watch must have had: `messages` follow one another from commit 0 on.
  void Check(const std::vector<v1::WatchResponse>& messages, Oracle& oracle) {
    // The commit that removed what a commit stored.
    std::map<uint64_t, uint64_t> removed_at;
    std::map<std::string, uint64_t> live;
    for (const auto& [sequence, write] : history_) {
      if (const auto at = live.find(write.id); at != live.end()) {
        removed_at[at->second] = sequence;
        live.erase(at);
      }
      if (write.graph) {
        live[write.id] = sequence;
      }
    }
    uint64_t position = 0;
    size_t told = 0;
    for (const v1::WatchResponse& message : messages) {
      ASSERT_GE(message.sequence(), position);
      std::string expected;
      std::string actual;
      for (auto at = history_.upper_bound(position); at != history_.end() && at->first <= message.sequence();
           ++at) {
        const auto removed = removed_at.find(at->first);
        const bool gone =
            removed != removed_at.end() && removed->second <= message.sequence() + message.behind();
        if (!at->second.graph || gone) {
          continue;
        }
        for (const auto& [query, similarity] : oracle.Matches(*at->second.graph)) {
          expected += Line(at->first, at->second.id, query, similarity);
        }
      }
      for (const auto& match : message.matches()) {
        actual += Line(match.sequence(), match.id(), match.query(), match.similarity());
        ++told;
      }
      ASSERT_EQ(actual, expected) << "between " << position << " and " << message.sequence() << ", of "
                                  << message.sequence() + message.behind();
      position = message.sequence();
    }
    EXPECT_EQ(position, LastCommit());
    EXPECT_GT(told, 100u) << "too few matches to mean anything";
  }

  static std::string Line(uint64_t sequence, const std::string& id, const std::string& query,
                          double similarity) {
    return std::to_string(sequence) + " " + id + " " + query + " " + std::to_string(similarity) + "\n";
  }

  static constexpr uint64_t kSeed = 20;
  const TempDir dir_;
  std::vector<v1::Graph> pool_;
  v1::WatchRequest request_;
  std::mutex mutex_;
  std::map<uint64_t, Write> history_;  // By commit.
};

// Follows the daemon until it has seen `last`, through losses; `breaks` now and then drops its connection and
// starts anew from its position.
std::vector<v1::WatchResponse> Follow(const std::string& address, v1::WatchRequest request, bool breaks,
                                      const std::atomic<uint64_t>& last) {
  std::vector<v1::WatchResponse> messages;
  Random rng(breaks ? 5 : 6);
  const auto client = *client::Client::Create(address);
  uint64_t position = 0;
  while (position < last) {
    request.set_after_sequence(position);
    auto watch = client->Watch(request);
    if (!watch.ok()) {
      EXPECT_TRUE(absl::IsUnavailable(watch.status())) << watch.status();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    for (uint64_t left = breaks ? rng() % 20 : UINT64_MAX; left > 0 && position < last;) {
      auto message = (*watch)->Next(std::chrono::milliseconds(50));
      if (!message.ok()) {
        ADD_FAILURE() << message.status();
        return messages;
      }
      if (message->has_value()) {
        messages.push_back(**std::move(message));
        position = messages.back().sequence();
        --left;
      }
    }
  }
  return messages;
}

TEST_F(WatchHistory, IsToldExactlyOnceInOrderThroughKillsAndReconnects) {
  auto daemon = std::make_unique<DaemonProcess>(dir_.Sub("d"));
  const std::string address = daemon->address();
  std::atomic<uint64_t> last{UINT64_MAX};
  std::vector<v1::WatchResponse> messages[2];
  {
    std::vector<std::jthread> watchers;
    for (const int breaks : {0, 1}) {
      watchers.emplace_back([&, breaks] { messages[breaks] = Follow(address, request_, breaks == 1, last); });
    }
    // A test that fails in between must not wait for watchers that wait for it.
    const std::shared_ptr<void> let_go(nullptr, [&](void*) {
      uint64_t not_set = UINT64_MAX;
      last.compare_exchange_strong(not_set, 0);
    });
    for (uint64_t round = 0; round < 4; ++round) {
      WriteConcurrently(*daemon, round, 150);
      const Write unanswered = WriteUntilKilled(*daemon, round);
      daemon = std::make_unique<DaemonProcess>(dir_.Sub("d"), std::vector<std::string>{"--listen", address});
      v1::StatsResponse stats;
      ASSERT_TRUE(daemon->NewStub()->Stats(NewContext().get(), {}, &stats).ok());
      if (stats.sequence() != LastCommit()) {  // It was stored all the same.
        ASSERT_EQ(stats.sequence(), LastCommit() + 1);
        Note(stats.sequence(), unanswered);
      }
    }
    WriteConcurrently(*daemon, 99, 100);
    last = LastCommit();
  }
  Oracle oracle(dir_.Sub("oracle"), request_);
  Check(messages[0], oracle);
  Check(messages[1], oracle);
}

}  // namespace
}  // namespace kindred::test
