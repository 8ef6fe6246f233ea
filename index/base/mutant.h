// For tests/mutation alone: builds of the search in which one bound is too tight by one, so that a test can
// show that it would be noticed. In the product there is no mutant, and all of this is the constant 0.

#pragma once

#include <cstdint>

#ifndef KINDRED_MUTANT
#define KINDRED_MUTANT kNone
#endif

namespace kindred {

// The bounds of docs/exactness.md.
enum class Mutant {
  kNone,
  kUnary,            // A colour's last feature is not shared.
  kBlockBound,       // What a block needs,
  kGroupBound,       // what a group of them does, and
  kShelfBound,       // what a shelf of those does, is one too strict.
  kUbiquitousBound,  // One of the features taken for granted is not counted.
  kLevelBound,       // A block's largest graph has one vertex less.
  kLevelStep,        // a_l <= a_(l-1) - 1.
  kUnits,            // Scaled weights are one less.
  kSizeBound,
  kNeedBound,
  kRowBound,
  kRestBound,       // Of all shared bits one is not counted, and
  kRestAfterLevel,  // of those that are left after a level.
  kPlainBound,      // What a plain graph needs is one too strict.
  kSharedLeast,     // What one part has is taken for better than it is.
  // Those of docs/pairs.md.
  kPrefixBound,   // A graph reaches graphs of one vertex less,
  kPartnerBound,  // and of one more.
  kSketchBound,   // Sketches may differ by one less.
  kFirstShared    // The first shared feature is taken for an earlier one.
};

constexpr uint32_t TooTight(Mutant bound) { return bound == Mutant::KINDRED_MUTANT ? 1 : 0; }

}  // namespace kindred
