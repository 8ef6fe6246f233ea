// Sums of similarities that do not depend on the order of their terms: as integers of 128 bits.
//
// A similarity up to 1 is taken in units of 2^-60, which loses nothing of one above 2^-8; a kernel in units
// of 2^-30. 2^32 of them fit.

#pragma once

#include <cstdint>

#include "index/histogram/measure.h"

namespace kindred {

// GCC and clang both have it on every 64-bit target; the keyword keeps -Wpedantic quiet.
__extension__ using SimilaritySum = unsigned __int128;

// So many times this similarity.
inline SimilaritySum SimilarityTerm(Measure measure, double similarity, uint64_t times) {
  const double unit = measure == Measure::kKernel ? 0x1p30 : 0x1p60;
  return static_cast<SimilaritySum>(similarity * unit) * times;
}

}  // namespace kindred
