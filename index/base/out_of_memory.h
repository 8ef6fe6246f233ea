// What becomes of work that gets no memory.
//
// A read that changes nothing, on one thread, is given up: what it held is freed, and its caller is told.
// Everything else ends the process at once, as a kill would: an index that could not finish a change is worth
// less than one that starts again with everything that was acknowledged. docs/operating.md says what an
// operator sees.
//
// Threads: OrOutOfMemory from any.

#pragma once

#include <new>
#include <type_traits>

#include "absl/status/status.h"

namespace kindred {

// `work` returns a status, or something that can be made of one.
template <typename Work>
std::invoke_result_t<Work> OrOutOfMemory(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory: the daemon got no more from the system");
  }
}

}  // namespace kindred
