// The whole API against a model that is nothing but maps and loops: random operations by several clients, on
// a real daemon that is stopped, killed and hurried. A slice of `scripts/campaign model`.
//
// KINDRED_SEED, KINDRED_MODEL_STEPS and KINDRED_MODEL_IDS say which, how many and over how many ids. A
// failure prints the last steps; the same three repeat it, all but the moment of a kill or a cancellation.

#include <iostream>

#include "gtest/gtest.h"
#include "tests/crash/rounds.h"
#include "tests/model/session.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

constexpr size_t kStepsShown = 100;

TEST(Model, TheDaemonBehavesAsTheModelWhateverItsHistory) {
  const uint64_t seed = SeedOr(1'117);
  const uint64_t steps = Rounds("KINDRED_MODEL_STEPS", 400);
  const uint64_t ids = Rounds("KINDRED_MODEL_IDS", 90);
  std::cout << "seed " << seed << ", " << steps << " steps, " << ids << " ids" << std::endl;
  const TempDir dir;
  Session session(dir.Sub("d"), ids);
  std::vector<std::string> told;
  for (uint64_t step = 0; step < steps && !HasFailure(); ++step) {
    told.push_back(session.Step(seed * 1'000'003 + step));
  }
  if (!HasFailure()) {
    session.End();
  }
  if (HasFailure()) {
    std::cout << "failed at step " << told.size() - 1 << " of seed " << seed << "; the steps up to it:\n";
    for (size_t i = told.size() - std::min(told.size(), kStepsShown); i < told.size(); ++i) {
      std::cout << "  " << i << ": " << told[i] << "\n";
    }
    std::cout << "Repeat with: KINDRED_SEED=" << seed << " KINDRED_MODEL_STEPS=" << told.size()
              << " KINDRED_MODEL_IDS=" << ids << "\n";
  }
  Tally("model", "steps=" + std::to_string(told.size()));
}

}  // namespace
}  // namespace kindred::test
