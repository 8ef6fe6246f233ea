// The inner loop of a join, as vector code for whatever the machine has, chosen when the program runs
// (Highway), with a plain twin that says what it computes.
//
// Threads: pure functions.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "index/pairs/sketch.h"

namespace kindred {

// Graphs side by side, each with what is known of it.
struct CloseColumns {
  const uint16_t* vertices = nullptr;
  const uint16_t* reaches = nullptr;  // PairBounds::Reach.
  const Sketch* sketches = nullptr;
};

// One that is compared with them.
struct CloseProbe {
  uint16_t vertices = 0;
  uint16_t reach = 0;
  Sketch sketch;
};

// How far sketches may be apart: PairBounds::Apart.
struct CloseLimits {
  std::array<uint32_t, kSketchWords> weights{};  // Units of a bit, a word each.
  const double* sums = nullptr;                  // By vertex count: PairBounds::apart_sum,
  const double* products = nullptr;              // and apart_product.
};

// Writes to `out`, which has room for all, the places of those among the first `count` that the probe
// reaches, that reach the probe, and whose sketches are not too far apart; returns how many. REQUIRES: there
// are columns for whole sixteens.
size_t SelectClose(const CloseProbe& probe, const CloseColumns& columns, size_t count,
                   const CloseLimits& limits, uint32_t* out);

namespace plain {

size_t SelectClose(const CloseProbe& probe, const CloseColumns& columns, size_t count,
                   const CloseLimits& limits, uint32_t* out);

}  // namespace plain
}  // namespace kindred
