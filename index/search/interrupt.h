// How often a search looks whether it is still wanted (base/interrupt.h).

#pragma once

#include <cstdint>

#include "index/base/interrupt.h"

namespace kindred {

// How many postings may be read between two checks.
inline constexpr uint64_t kPostingsBetweenChecks = 10'000;

}  // namespace kindred
