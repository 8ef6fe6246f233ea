// How many rounds a test of random faults takes: few in the normal tests, all in a campaign.

#pragma once

#include <cstdlib>
#include <string>

namespace kindred::test {

inline uint64_t Rounds(const char* variable, uint64_t few) {
  const char* const wanted = std::getenv(variable);
  return wanted != nullptr ? std::stoull(wanted) : few;
}

}  // namespace kindred::test
