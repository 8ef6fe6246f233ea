// Work that is the same for many things, on as many threads as the caller has to give.
//
// The index never starts threads for a request of its own accord: whoever calls it hands over a ParallelFor,
// the daemon its executor's, a command one of its own.

#pragma once

#include <cstddef>
#include <functional>

namespace kindred {

// Calls work(i) for every i < count, on any threads, and returns when all are done.
using ParallelFor = std::function<void(size_t count, const std::function<void(size_t)>& work)>;

// On the caller's thread.
void ForEachInTurn(size_t count, const std::function<void(size_t)>& work);

// On so many threads, started for each call. REQUIRES: work does not throw.
ParallelFor ForEachOnThreads(int threads);

}  // namespace kindred
