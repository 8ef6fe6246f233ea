// Recommendations of an engine with a history: after restarts and merges, and while graphs stream in.

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/engine/recommend.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/recommend_model.h"
#include "tests/support/recommend_modes.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::Below;
using test::EngineHarness;
using test::IsOk;
using test::ModelTaste;
using test::Must;
using test::Rng;
using Example = RecommendRequest::Example;

// Writes of a known history: after commit s, the model of its first s writes tells every answer.
struct KnownWrites {
  std::vector<Mutation> mutations;
  std::vector<std::pair<std::string, std::optional<Graph>>> puts;  // Nothing: a delete.
};

KnownWrites MakeWrites(size_t count, uint64_t seed) {
  Rng rng(seed);
  KnownWrites writes;
  std::set<std::string> ids;
  while (writes.mutations.size() < count) {
    const std::string id = "g" + std::to_string(Below(rng, 150));
    if (ids.contains(id) && Below(rng, 4) == 0) {
      ids.erase(id);
      writes.mutations.push_back(test::DeleteOf(id));
      writes.puts.emplace_back(id, std::nullopt);
    } else {
      ids.insert(id);
      const Graph graph = test::RandomGraph(rng, {.vertices_max = 6, .vertex_labels = 3});
      writes.mutations.push_back(test::PutOf(id, graph));
      writes.puts.emplace_back(id, graph);
    }
  }
  return writes;
}

void Apply(test::RecommendModel& model, const KnownWrites& writes, uint64_t from, uint64_t to) {
  for (; from < to; ++from) {
    const auto& [id, graph] = writes.puts[from];
    graph ? model.Put(id, *graph) : model.Delete(id);
  }
}

struct Question {
  ModelTaste taste;
  RecommendRequest request;
};

// Graphs of their own, so that every snapshot can answer.
Question DrawQuestion(Rng& rng) {
  Question question;
  const bool minimum = Below(rng, 3) == 0;
  const auto draw = [&](std::vector<ModelTaste::Example>& examples, std::vector<Example>& asked,
                        size_t count) {
    for (; count > 0; --count) {
      const Graph graph = test::RandomGraph(rng, {.vertices_max = 6, .vertex_labels = 3});
      const double weight = minimum ? 1 : 0.1 * static_cast<double>(1 + Below(rng, 20));
      examples.push_back({graph, weight});
      asked.push_back({graph, weight});
    }
  };
  draw(question.taste.liked, question.request.liked, 1 + Below(rng, 3));
  draw(question.taste.disliked, question.request.disliked, minimum ? 0 : Below(rng, 3));
  question.taste.form = question.request.form =
      minimum ? RecommendForm::kBestMinimum : RecommendForm::kWeightedSum;
  question.taste.measure = question.request.measure = static_cast<Measure>(Below(rng, 3));
  question.taste.k = question.request.k = static_cast<uint32_t>(1 + Below(rng, 20));
  return question;
}

TEST(RecommendHistory, AnswersAsTheModelDoesAfterEveryRestartAndMerge) {
  constexpr uint64_t kSeed = 41;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  Rng rng(kSeed);
  const KnownWrites writes = MakeWrites(600, kSeed);
  EngineHarness harness(test::OptionsOf(2, 2));
  test::RecommendModel model(2);
  for (size_t at = 0; at < writes.mutations.size(); at += 100) {
    harness.Write({writes.mutations.begin() + static_cast<std::ptrdiff_t>(at),
                   writes.mutations.begin() + static_cast<std::ptrdiff_t>(at + 100)});
    Apply(model, writes, at, at + 100);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 6; ++i) {
        Question question = DrawQuestion(rng);
        for (const SearchMode mode : {SearchMode::kPruned, SearchMode::kExhaustive}) {
          question.request.mode = mode;
          const RecommendReply reply = Must(Recommend(harness.engine(), question.request, Interrupt()));
          EXPECT_EQ(reply.answer.hits, model.Recommend(question.taste));
        }
      }
      // As it came, all inverted, and after a start.
      round == 0 ? harness.writer().merger().Settle() : harness.Restart();
    }
  }
}

TEST(RecommendHistory, EveryAnswerFitsItsSnapshotWhileGraphsStreamIn) {
  constexpr uint64_t kSeed = 43;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  constexpr size_t kWrites = 2'000;
  constexpr size_t kQuestions = 12;
  const KnownWrites writes = MakeWrites(kWrites, kSeed);
  Rng rng(kSeed);
  std::vector<Question> questions;
  for (size_t i = 0; i < kQuestions; ++i) {
    questions.push_back(DrawQuestion(rng));
  }
  EngineHarness harness(test::OptionsOf(2, 2));
  std::atomic<bool> done{false};
  std::mutex mutex;
  std::map<uint64_t, std::map<size_t, std::vector<RecommendHit>>> answers;  // By sequence and question.
  {
    std::vector<std::jthread> readers;
    for (uint64_t reader = 0; reader < 2; ++reader) {
      readers.emplace_back([&, reader] {
        Rng mine(reader);
        while (!done) {
          const size_t q = Below(mine, kQuestions);
          const RecommendReply reply = Must(Recommend(harness.engine(), questions[q].request, Interrupt()));
          const std::scoped_lock lock(mutex);
          answers[Raw(reply.sequence)].insert_or_assign(q, reply.answer.hits);
        }
      });
    }
    for (size_t at = 0; at < kWrites; at += 20) {
      harness.Write({writes.mutations.begin() + static_cast<std::ptrdiff_t>(at),
                     writes.mutations.begin() + static_cast<std::ptrdiff_t>(at + 20)});
    }
    done = true;
  }
  EXPECT_GT(answers.size(), 3u) << "the readers saw too few snapshots to mean anything";
  test::RecommendModel model(2);
  uint64_t applied = 0;
  for (const auto& [sequence, by_question] : answers) {
    Apply(model, writes, applied, sequence);
    applied = sequence;
    for (const auto& [q, hits] : by_question) {
      EXPECT_EQ(hits, model.Recommend(questions[q].taste)) << "question " << q << " at sequence " << sequence;
    }
  }
}

}  // namespace
}  // namespace kindred
