// Writes that exercise everything a commit may do, the same for the same seed.

#pragma once

#include <cstdint>
#include <vector>

#include "index/engine/mutation.h"

namespace kindred::test {

// So small that a workload fills it several times over.
inline constexpr uint64_t kTinyWriteBufferBytes = 64 << 10;

// What the molecules of a workload state.
inline constexpr const char* kWorkloadScheme = "element,bonds";

// Groups of inserts, replaces and deletes over few ids, with payloads of up to 8 KiB; every 20th has a
// molecule. Each group changes something.
std::vector<std::vector<Mutation>> Workload(uint64_t seed, size_t groups);

}  // namespace kindred::test
