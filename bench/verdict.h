// What validating says of one cost, after training without two folds.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kindred::bench {

struct Verdict {
  // False where training was given up: too many steps.
  bool solved = false;
  // Costs with the same number have the same solution.
  size_t solution = 0;
  // Of each of the two folds: graphs whose class was found.
  std::array<uint32_t, 2> right{};
};

}  // namespace kindred::bench
