// How much a store holds, written with every commit: what recovery finds must add up to it.
//
// A digest of a set of graphs is the sum of the checksums of their ids, so that it is kept up to date by a
// commit that knows only its own, and does not depend on the order in which a scan meets them. Two different
// sets have the same count and digest with a probability of 2^-64.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/base/ids.h"

namespace kindred {

struct GraphSet {
  uint64_t count = 0;
  uint64_t digest = 0;

  void Add(GraphId id);
  void Remove(GraphId id);
  void Add(const GraphSet& disjoint);

  friend bool operator==(const GraphSet&, const GraphSet&) = default;
};

struct Totals {
  GraphSet graphs;
  uint32_t labels = 0;
  uint32_t colours = 0;

  friend bool operator==(const Totals&, const Totals&) = default;
};

std::string EncodeTotals(const Totals& totals);
absl::StatusOr<Totals> DecodeTotals(std::string_view bytes);

}  // namespace kindred
