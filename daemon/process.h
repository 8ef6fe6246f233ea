// What the daemon asks of, and knows about, its own process.

#pragma once

#include <cstdint>

namespace kindred::daemon {

// The resident set; 0 where /proc does not tell.
uint64_t ResidentBytes();

// Raises the soft limit of open files to the hard one: running out of them stops gRPC 1.51 from
// accepting connections for good.
void RaiseFileLimit();

}  // namespace kindred::daemon
