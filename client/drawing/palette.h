// The colours of a depth: from a pale yellow for labels alone to a blue for the deepest level.
//
// Each is darker than the one before, so that they can be told apart without seeing hues, and even the
// darkest leaves black lines and letters readable.
//
// Threads: free functions without state.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kindred::drawing {

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;

  friend bool operator==(const Colour&, const Colour&) = default;
};

// Of a pair that agrees at `levels` levels, 1 to levels_all. Of few levels the ends are used: deepest is
// always blue.
inline Colour DepthColour(uint32_t levels, uint32_t levels_all) {
  static constexpr std::array<Colour, 4> kStops{
      {{1.00, 0.95, 0.62}, {0.70, 0.89, 0.68}, {0.40, 0.76, 0.77}, {0.30, 0.62, 0.88}}};
  const double share = levels_all <= 1 ? 1.0 : static_cast<double>(levels - 1) / (levels_all - 1);
  const double place = share * (kStops.size() - 1);
  const auto before = std::min(static_cast<size_t>(place), kStops.size() - 2);
  const double rest = place - static_cast<double>(before);
  const Colour& low = kStops[before];
  const Colour& high = kStops[before + 1];
  return {std::lerp(low.red, high.red, rest), std::lerp(low.green, high.green, rest),
          std::lerp(low.blue, high.blue, rest)};
}

}  // namespace kindred::drawing
