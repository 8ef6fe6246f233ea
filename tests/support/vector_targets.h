// For tests of vector code: every target in turn, and words to run on.

#pragma once

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "hwy/targets.h"
#include "tests/support/graphs.h"

namespace kindred::test {

// Calls `body` on each target, the best first, and leaves the choice as it was.
template <typename Body>
void OnEveryTarget(Body body) {
  struct Restore {
    ~Restore() {
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().DeInit();
    }
  } restore;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    body(hwy::TargetName(target));
    if (::testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

// All ones, all zeros, dense or sparse.
inline std::vector<uint64_t> RandomWords(Rng& rng, size_t size) {
  std::vector<uint64_t> words(size);
  const uint64_t kind = Below(rng, 6);
  for (uint64_t& word : words) {
    word = kind == 0 ? 0 : kind == 1 ? ~uint64_t{0} : kind == 2 ? rng() & rng() & rng() & rng() : rng();
  }
  return words;
}

}  // namespace kindred::test
