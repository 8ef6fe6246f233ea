// What a process holds of the system, as Linux tells: memory, descriptors, threads; and the size of a
// directory.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace kindred::test {

struct ProcessFigures {
  uint64_t resident_bytes = 0;
  // Without those of files: RocksDB keeps its tables open, and their number goes up and down.
  uint64_t descriptors = 0;
  uint64_t threads = 0;

  friend bool operator==(const ProcessFigures&, const ProcessFigures&) = default;
};

ProcessFigures ReadFigures(pid_t pid);

uint64_t BytesIn(const std::string& directory);

}  // namespace kindred::test
