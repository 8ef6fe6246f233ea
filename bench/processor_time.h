// What a process has used of the processors: a busy machine stretches the time on the clock, not this.

#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "fmt/format.h"

namespace kindred::bench {

// Of all threads of a process so far; 0 for none.
inline double ProcessorSeconds(uint64_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string word;
  while (file >> word && !word.ends_with(')')) {  // The name.
  }
  for (int i = 0; i < 11; ++i) {
    file >> word;
  }
  double user = 0;
  double system = 0;
  file >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace kindred::bench
