// The clock benchmarks measure with.

#pragma once

#include <chrono>

namespace kindred::bench {

using Clock = std::chrono::steady_clock;

inline double Seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace kindred::bench
