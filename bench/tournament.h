// Who meets whom: every fold is left out once together with every other.
//
// What is trained without the folds a and b serves two choices: that for the test fold a, which is validated
// on b, and that for the test fold b, which is validated on a. So choosing for ten test folds takes 45
// trainings a setting, and not the 90 of nine inner folds each; and neither choice has seen its own test
// fold.

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace kindred::bench {

using FoldPair = std::pair<size_t, size_t>;

// Rounds in which no fold is twice; together they have every pair once. With an odd number of folds one sits
// out in each round.
std::vector<std::vector<FoldPair>> Rounds(size_t folds);

}  // namespace kindred::bench
