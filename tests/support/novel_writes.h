// Puts that have to be novel, into an EngineHarness.

#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {

inline std::shared_ptr<const NoveltyRule> RuleOf(const NoveltyParts& parts, Level depth) {
  return std::make_shared<const NoveltyRule>(Must(MakeNoveltyRule(parts, depth, Limits())));
}

// A request that has been submitted; what it gives is there once it is committed.
inline std::future<WriteResult> SubmitNovel(EngineHarness& harness, const NoveltyParts& rule,
                                            std::vector<Mutation> mutations) {
  const auto promise = std::make_shared<std::promise<WriteResult>>();
  WriteRequest request;
  request.mutations = std::move(mutations);
  request.novelty = RuleOf(rule, harness.engine().depth());
  request.done = [promise](WriteResult result) { promise->set_value(std::move(result)); };
  harness.writer().Submit(std::move(request));
  return promise->get_future();
}

inline WriteResult WriteNovel(EngineHarness& harness, const NoveltyParts& rule,
                              std::vector<Mutation> mutations) {
  return SubmitNovel(harness, rule, std::move(mutations)).get();
}

inline Outcome PutNovel(EngineHarness& harness, const NoveltyParts& rule, Mutation put) {
  std::vector<Mutation> mutations;
  mutations.push_back(std::move(put));
  return WriteNovel(harness, rule, std::move(mutations)).outcomes.at(0);
}

// Keeps the writer from committing until it goes; what is submitted meanwhile is prepared, for the index as
// it is.
class HeldWriter {
 public:
  explicit HeldWriter(EngineHarness& harness) {
    std::promise<void> holding;
    harness.writer().Submit({{}, 0, [&holding, released = released_.get_future().share()](WriteResult) {
                               holding.set_value();
                               released.wait();
                             }});
    holding.get_future().wait();
  }
  ~HeldWriter() { released_.set_value(); }
  HeldWriter(const HeldWriter&) = delete;
  HeldWriter& operator=(const HeldWriter&) = delete;

 private:
  std::promise<void> released_;
};

}  // namespace kindred::test
