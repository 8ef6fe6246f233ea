// For tests/mutation alone: a build of the search in which one bound is too tight by one, whichever is asked
// for, so that a test can show that it would be noticed. In the product there is no mutant, and all of this
// is the constant 0.

#pragma once

#include <cstdint>

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
  // Of recommendations:
  kReachBound,       // A group, a block or a graph has one unit less.
  kScoreGroup,       // What a group has to reach,
  kScoreBlock,       // what a block has, and
  kScoreRest,        // what a block has of which some examples are known, is a millionth too strict.
  kScoreNeed,        // What one example has to give is a millionth too strict.
  kNetWeight,        // The net weight of a feature is one unit less.
  kNetChord,         // A similarity does not leave its line upwards,
  kNetTangent,       // nor downwards.
  kNetUneven,        // All examples have one size.
  kScorePlain,       // A plain graph shares one vertex less at deeper levels.
  kWindowBound,      // Of standing queries: the smallest graph that may match,
  kShareBound,       // what a query shares with those it is not found by,
  kVerticesMost,     // the largest graph it is found by,
  kKernelLeast,      // what a graph needs to be similar to any query at all, and
  kFirstSharedLeft,  // what is left of either when the first shared colour is met.
  // Those of docs/pairs.md.
  kPrefixBound,   // A graph reaches graphs of one vertex less,
  kPartnerBound,  // and of one more.
  kSketchBound,   // Sketches may differ by one less.
  kFirstShared    // The first shared feature is taken for an earlier one.
};

#ifdef KINDRED_MUTANTS
extern Mutant present_mutant;
inline uint32_t TooTight(Mutant bound) { return bound == present_mutant ? 1 : 0; }
#else
constexpr uint32_t TooTight(Mutant /*bound*/) { return 0; }
#endif

}  // namespace kindred
