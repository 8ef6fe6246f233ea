// Puts that have to be novel, plain puts and deletes from several clients at once: replayed in commit order
// against novelty by definition.

#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/novelty_model.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

constexpr Level kNoveltyDepth = 2;
using Kind = Outcome::Kind;

// One request as it was sent, and what became of it.
struct Sent {
  struct Item {
    std::string id;
    std::optional<Graph> graph;  // Nothing: a delete.
    WriteMode mode = WriteMode::kUpsert;
    std::string kind;  // The value of its one tag; empty: it has none.
  };
  std::vector<Item> items;
  std::optional<NoveltyParts> rule;
  WriteResult result;
};

// Graphs that are alike: small ones of few labels, regular ones that refinement cannot tell apart, and all of
// them renumbered.
Graph RandomAlike(Rng& rng, uint32_t labels) {
  static const std::vector<Graph> regular = {UniformCycle(6),
                                             DisjointUnion({UniformCycle(3), UniformCycle(3)}),
                                             UniformCycle(7),
                                             DisjointUnion({UniformCycle(3), UniformCycle(4)}),
                                             Uniform(6, MoebiusLadder(6)),
                                             Hypercube(3),
                                             Uniform(8, MoebiusLadder(8)),
                                             Uniform(2, {}),
                                             Uniform(1, {})};
  switch (Below(rng, 3)) {
    case 0:
      return Shuffled(rng, regular[Below(rng, regular.size())]);
    case 1:
      return RandomGraph(rng, {.vertices_max = 3, .vertex_labels = labels, .edge_labels = 1});
    default:
      return RandomGraph(rng,
                         {.vertices_min = 4, .vertices_max = 6, .vertex_labels = labels, .edge_labels = 2});
  }
}

// Filters, and what they mean for the value of the tag "kind".
struct KindFilter {
  std::string text;
  bool (*counts)(const std::string& kind);
};
const std::vector<KindFilter>& Filters() {
  static const std::vector<KindFilter> filters{
      {"", [](const std::string&) { return true; }},
      {"kind = a", [](const std::string& kind) { return kind == "a"; }},
      {"kind != a", [](const std::string& kind) { return kind != "a"; }},
      {"not exists kind", [](const std::string& kind) { return kind.empty(); }},
  };
  return filters;
}

bool Counts(const std::string& filter, const std::string& kind) {
  return std::ranges::find(Filters(), filter, &KindFilter::text)->counts(kind);
}

NoveltyParts RandomRule(Rng& rng) {
  NoveltyParts rule;
  rule.measure = static_cast<Measure>(Below(rng, 3));
  const double share = static_cast<double>(1 + Below(rng, 10)) / 10;
  rule.min_similarity = rule.measure == Measure::kKernel ? 20 * share : share;
  if (Below(rng, 3) == 0) {
    rule.depth = static_cast<uint32_t>(Below(rng, kNoveltyDepth + 1u));
  }
  if (Below(rng, 3) == 0) {
    for (uint32_t level = 0; level <= rule.depth.value_or(kNoveltyDepth); ++level) {
      rule.weights.push_back(static_cast<double>(Below(rng, 3)));
    }
    rule.weights.back() += Below(rng, 2) == 0 ? 1 : 0.5;
  }
  rule.filter = Filters()[Below(rng, 2) * Below(rng, Filters().size())].text;
  rule.isomorphic = Below(rng, 2) == 0;
  return rule;
}

Mutation ToPut(const Sent::Item& item) {
  Mutation put = PutOf(item.id, *item.graph, item.mode);
  if (!item.kind.empty()) {
    (**put.record).tags = {{"kind", item.kind}};
  }
  return put;
}

// New labels keep coming, so that records bring colours nobody knows, several at once the same.
Sent RandomRequest(Rng& rng, uint32_t labels) {
  Sent sent;
  if (Below(rng, 3) != 0) {
    sent.rule = RandomRule(rng);
  }
  for (uint64_t left = 1 + Below(rng, 60); left > 0; --left) {
    Sent::Item item{"id" + std::to_string(Below(rng, 60)), std::nullopt,
                    static_cast<WriteMode>(Below(rng, 3)), ""};
    if (Below(rng, 4) != 0) {
      item.graph = RandomAlike(rng, labels);
      item.kind = std::vector<std::string>{"", "a", "b"}[Below(rng, 3)];
    }
    sent.items.push_back(std::move(item));
  }
  return sent;
}

// Sends requests from several threads, and keeps them in the order of their commits.
class Clients {
 public:
  explicit Clients(EngineHarness& harness) : harness_(harness) {}

  void Run(uint64_t seed, int threads, int requests, uint32_t labels) {
    std::vector<std::jthread> clients;
    for (int i = 0; i < threads; ++i) {
      clients.emplace_back([this, seed, i, requests, labels] {
        Rng rng(seed + static_cast<uint64_t>(i) * 1'000);
        for (int r = 0; r < requests; ++r) {
          Submit(RandomRequest(rng, labels + static_cast<uint32_t>(r) / 4));
        }
      });
    }
    clients.clear();
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return open_ == 0; });
  }

  const std::vector<Sent>& committed() const { return committed_; }

 private:
  void Submit(Sent sent) {
    WriteRequest request;
    for (const Sent::Item& item : sent.items) {
      request.mutations.push_back(item.graph ? ToPut(item) : DeleteOf(item.id));
    }
    if (sent.rule) {
      request.novelty =
          std::make_shared<const NoveltyRule>(Must(MakeNoveltyRule(*sent.rule, kNoveltyDepth, Limits())));
    }
    // The writer calls this in the order of its commits.
    request.done = [this, sent = std::make_shared<Sent>(std::move(sent))](WriteResult result) {
      sent->result = std::move(result);
      const std::scoped_lock lock(mutex_);
      committed_.push_back(std::move(*sent));
      --open_;
      all_done_.notify_all();
    };
    {
      const std::scoped_lock lock(mutex_);
      ++open_;
    }
    harness_.writer().Submit(std::move(request));
  }

  EngineHarness& harness_;
  std::mutex mutex_;
  std::condition_variable all_done_;
  int open_ = 0;
  std::vector<Sent> committed_;
};

// What of the requests must have become, one by one.
class Replay {
 public:
  void Check(const Sent& sent) {
    ASSERT_THAT(sent.result.status, IsOk());
    ASSERT_EQ(sent.result.outcomes.size(), sent.items.size());
    for (size_t i = 0; i < sent.items.size(); ++i) {
      CheckItem(sent.items[i], sent.rule, sent.result.outcomes[i]);
    }
    EXPECT_EQ(Raw(sent.result.sequence), sequence_);
  }

  // The puts and deletes that did something.
  const std::vector<Mutation>& applied() const { return applied_; }
  std::map<Identity, int> identities;
  size_t size() const { return model_.size(); }

 private:
  void CheckItem(const Sent::Item& item, const std::optional<NoveltyParts>& rule, const Outcome& outcome) {
    const bool exists = model_.contains(item.id);
    if (!item.graph) {
      Expect(outcome, exists ? Kind::kDeleted : Kind::kRejected, DeleteOf(item.id));
      model_.Delete(item.id);
      return;
    }
    if (rule) {
      const auto counts = [&](const std::string& id) { return Counts(rule->filter, kinds_.at(id)); };
      if (const auto closest = ClosestByDefinition(model_, kNoveltyDepth, *item.graph, *rule, counts)) {
        ASSERT_EQ(outcome.kind, Kind::kNotNovel) << "closest is " << closest->id;
        EXPECT_EQ(*outcome.closest, *closest);
        EXPECT_EQ(outcome.external_id, item.id);
        ++identities[closest->identity];
        return;
      }
    }
    EXPECT_EQ(outcome.closest, nullptr);
    const bool refused = exists ? item.mode == WriteMode::kInsert : item.mode == WriteMode::kReplace;
    Expect(outcome, refused ? Kind::kRejected : (exists ? Kind::kReplaced : Kind::kInserted),
           ToPut({item.id, item.graph, WriteMode::kUpsert, item.kind}));
    if (!refused) {
      model_.Put(item.id, *item.graph);
      kinds_[item.id] = item.kind;
    }
  }

  void Expect(const Outcome& outcome, Kind kind, Mutation mutation) {
    ASSERT_EQ(outcome.kind, kind);
    if (kind != Kind::kRejected) {
      ++sequence_;
      applied_.push_back(std::move(mutation));
    }
  }

  ReferenceModel model_{kNoveltyDepth};
  std::map<std::string, std::string> kinds_;
  uint64_t sequence_ = 0;
  std::vector<Mutation> applied_;
};

TEST(Novelty, IsDecidedInCommitOrderWhateverRunsAtOnce) {
  for (const uint64_t seed : {3u, 17u, 92u}) {
    SCOPED_TRACE(seed);
    EngineHarness harness(OptionsOf(2, kNoveltyDepth));
    Replay replay;
    for (uint32_t phase = 0; phase < 3; ++phase) {
      Clients clients(harness);
      clients.Run(seed * 10 + phase, 3, 8, 1 + phase);
      for (const Sent& sent : clients.committed()) {
        replay.Check(sent);
        if (HasFatalFailure()) {
          return;
        }
      }
      ASSERT_EQ(harness.engine().stats().graphs, replay.size());
      if (phase == 0) {
        harness.writer().merger().Settle();
      } else {
        harness.Restart();
      }
    }
    for (const Identity identity : {Identity::kDifferent, Identity::kEqualHistogram, Identity::kIsomorphic}) {
      EXPECT_GT(replay.identities[identity], 10) << static_cast<int>(identity);
    }
    // What is stored, colours included, is what plain puts of the novel ones alone would have left.
    EngineHarness plain(OptionsOf(1, kNoveltyDepth));
    plain.Write(replay.applied());
    EXPECT_EQ(ReadContents(*harness.Newest()->store), ReadContents(*plain.Newest()->store));
    EXPECT_EQ(harness.engine().stats().colours, plain.engine().stats().colours);
  }
}

}  // namespace
}  // namespace kindred::test
