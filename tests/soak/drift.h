// Whether something grows that should not: figures of many rounds of the same work, the later half of them
// against the earlier.
//
// Memory, disk and latency scatter, so that medians are compared, with a tolerance. Descriptors and threads
// of a process at rest are whole numbers that come back to the same value unless some are lost: the least of
// each half is compared, which a connection that closes late does not move, and nothing is tolerated.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kindred::test {

// Second half over first: these many times as much, and these bytes on top, are no drift.
inline constexpr double kMemoryTolerance = 1.10;
inline constexpr double kDiskTolerance = 1.25;
inline constexpr double kLatencyTolerance = 1.50;
inline constexpr double kBytesTolerance = 16 << 20;

// One round, measured when its clients had gone.
struct SoakRound {
  double resident_bytes = 0;
  double disk_bytes = 0;
  double descriptors = 0;
  double threads = 0;
  double search_ms = 0;  // The median.
};

struct DriftRow {
  std::string name;
  double first = 0;
  double second = 0;
  double most = 0;        // The second half may have so much.
  bool is_count = false;  // Descriptors, threads: true of a run of any length.

  bool drifts() const { return second > most; }
};

// REQUIRES: two rounds at least. Those of the warm-up are left out by the caller.
std::vector<DriftRow> CompareHalves(const std::vector<SoakRound>& rounds);

std::string DriftTable(const std::vector<DriftRow>& rows);

}  // namespace kindred::test
