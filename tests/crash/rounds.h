// What a campaign sets for a test of random faults: how many rounds it takes (few in the normal tests) and
// where its random numbers start; and how such a test tells what it did.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

namespace kindred::test {

inline uint64_t Rounds(const char* variable, uint64_t few) {
  const char* const wanted = std::getenv(variable);
  return wanted != nullptr ? std::stoull(wanted) : few;
}

// KINDRED_SEED=n repeats what went wrong with that seed.
inline uint64_t SeedOr(uint64_t usual) { return Rounds("KINDRED_SEED", usual); }

// One line a test, which scripts/campaign adds up: Tally("power_cuts", "cuts=15 seed=109").
inline void Tally(const std::string& kind, const std::string& counts) {
  std::cout << "tally: " << kind << " " << counts << std::endl;
}

}  // namespace kindred::test
