// An engine under a random history of puts, replaces, deletes, restarts and searches, beside the model.

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/reference_model.h"

namespace kindred::test {
namespace {

constexpr Level kStatefulDepth = 2;
using Kind = Outcome::Kind;

enum class Action { kPut, kDelete, kCommit, kSearch, kSearchById, kRestart };

struct Step {
  Action action = Action::kPut;
  int id = 0;
  WriteMode mode = WriteMode::kUpsert;
  GraphSpec graph;
  Measure measure = Measure::kTanimoto;
  uint32_t depth = 0;
  uint32_t k = 1;
};

void showValue(const Step& step, std::ostream& out) {
  static constexpr const char* kNames[] = {"put", "delete", "commit", "search", "search by id", "restart"};
  out << kNames[static_cast<int>(step.action)] << " id" << step.id << " mode " << static_cast<int>(step.mode)
      << " measure " << static_cast<int>(step.measure) << " depth " << step.depth << " k " << step.k << " ";
  showValue(step.graph, out);
}

rc::Gen<std::vector<Step>> GenHistory() {
  const auto step = rc::gen::build<Step>(
      rc::gen::set(&Step::action, rc::gen::weightedElement<Action>({{10, Action::kPut},
                                                                    {3, Action::kDelete},
                                                                    {4, Action::kCommit},
                                                                    {3, Action::kSearch},
                                                                    {2, Action::kSearchById},
                                                                    {1, Action::kRestart}})),
      rc::gen::set(&Step::id, rc::gen::inRange(0, 8)),
      rc::gen::set(&Step::mode,
                   rc::gen::weightedElement<WriteMode>(
                       {{4, WriteMode::kUpsert}, {1, WriteMode::kInsert}, {1, WriteMode::kReplace}})),
      rc::gen::set(&Step::graph, GenGraph({.vertices_max = 5})),
      rc::gen::set(&Step::measure, rc::gen::element(Measure::kKernel, Measure::kCosine, Measure::kTanimoto)),
      rc::gen::set(&Step::depth, rc::gen::inRange<uint32_t>(0, kStatefulDepth + 1u)),
      rc::gen::set(&Step::k, rc::gen::inRange<uint32_t>(1, 11)));
  return rc::gen::scale(0.4, rc::gen::container<std::vector<Step>>(step));  // Up to 40 steps.
}

std::string IdOf(const Step& step) { return "id" + std::to_string(step.id); }

// Runs a history against an engine and the model, and compares all that can be seen.
class History {
 public:
  void Run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      switch (step.action) {
        case Action::kPut:
          Queue(PutOf(IdOf(step), ToGraph(step.graph), step.mode), ExpectPut(step));
          break;
        case Action::kDelete:
          Queue(DeleteOf(IdOf(step)), model_.Delete(IdOf(step)) ? Kind::kDeleted : Kind::kRejected);
          break;
        case Action::kCommit:
          Commit();
          break;
        case Action::kSearch:
          Commit();
          CheckSearch(step, ToGraph(step.graph), ToGraph(step.graph));
          break;
        case Action::kSearchById:
          Commit();
          if (model_.contains(IdOf(step))) {
            CheckSearch(step, IdOf(step), model_.graph(IdOf(step)));
          }
          break;
        case Action::kRestart:
          Commit();
          harness_.Restart();
          break;
      }
    }
    Commit();
    RC_ASSERT(harness_.engine().stats().graphs == model_.size());
    harness_.Restart();
    RC_ASSERT(harness_.engine().stats().graphs == model_.size());
    RC_ASSERT(Raw(harness_.Newest()->sequence) == sequence_);
  }

 private:
  Kind ExpectPut(const Step& step) {
    const bool exists = model_.contains(IdOf(step));
    if ((exists && step.mode == WriteMode::kInsert) || (!exists && step.mode == WriteMode::kReplace)) {
      return Kind::kRejected;
    }
    model_.Put(IdOf(step), ToGraph(step.graph));
    return exists ? Kind::kReplaced : Kind::kInserted;
  }

  void Queue(Mutation mutation, Kind expected) {
    mutations_.push_back(std::move(mutation));
    expected_.push_back(expected);
    sequence_ += expected == Kind::kRejected ? 0 : 1;
  }

  // All that was queued, as one request.
  void Commit() {
    const WriteResult result = harness_.Write(std::exchange(mutations_, {}));
    RC_ASSERT(result.status.ok());
    RC_ASSERT(result.outcomes.size() == expected_.size());
    for (size_t i = 0; i < expected_.size(); ++i) {
      RC_ASSERT(static_cast<int>(result.outcomes[i].kind) == static_cast<int>(expected_[i]));
    }
    expected_.clear();
    RC_ASSERT(Raw(result.sequence) == sequence_);
  }

  void CheckSearch(const Step& step, decltype(SearchRequest::query) query, const Graph& graph) {
    SearchRequest request = Ask(std::move(query), step.k, step.measure);
    request.depth = step.depth;
    request.min_sequence = CommitSequence{sequence_};
    const std::vector<Hit> expected = model_.Search(graph, {step.measure, step.depth, {}, step.k, {}});
    for (const SearchMode mode : {SearchMode::kPruned, SearchMode::kExhaustive}) {
      request.mode = mode;
      RC_ASSERT(harness_.Hits(request) == expected);
    }
  }

  EngineHarness harness_{OptionsOf(2, kStatefulDepth)};
  ReferenceModel model_{kStatefulDepth};
  std::vector<Mutation> mutations_;
  std::vector<Kind> expected_;
  uint64_t sequence_ = 0;
};

RC_GTEST_PROP(Stateful, AnEngineBehavesAsTheModelWhateverItsHistory, ()) { History().Run(*GenHistory()); }

}  // namespace
}  // namespace kindred::test
