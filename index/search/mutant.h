// For tests/mutation alone: builds of the search in which one bound is too tight by one, so that a test can
// show that it would be noticed. In the product there is no mutant, and all of this is the constant 0.

#pragma once

#include <cstdint>

#ifndef KINDRED_MUTANT
#define KINDRED_MUTANT kNone
#endif

namespace kindred {

// The bounds of docs/exactness.md.
enum class Mutant { kNone, kBlockBound, kLevelBound, kSizeBound, kNeedBound, kRowBound, kRestBound };

constexpr uint32_t TooTight(Mutant bound) { return bound == Mutant::KINDRED_MUTANT ? 1 : 0; }

}  // namespace kindred
