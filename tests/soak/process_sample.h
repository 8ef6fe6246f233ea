// What a process takes of the machine, by /proc.

#pragma once

#include <sys/types.h>

#include <cstdint>

namespace kindred::test {

struct ProcessSample {
  double resident_mib = 0;
  double descriptors = 0;
  double sockets = 0;  // Of the descriptors.
  double threads = 0;
};

ProcessSample SampleProcess(pid_t pid);

}  // namespace kindred::test
