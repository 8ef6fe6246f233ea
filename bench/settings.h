// What is chosen from: kernel matrices (by depth, normalized or not) and costs.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fmt/format.h"

namespace kindred::bench {

struct MatrixSetting {
  size_t depth = 0;
  bool normalize = false;
};

// For matrices of the depths 0 to `depths` - 1. Smaller depths than `depth_min` are left out, if there is
// more than one.
inline std::vector<MatrixSetting> MatrixSettings(size_t depths, size_t depth_min) {
  std::vector<MatrixSetting> settings;
  for (size_t depth = depths > 1 ? depth_min : 0; depth < depths; ++depth) {
    settings.push_back({depth, false});
    settings.push_back({depth, true});
  }
  return settings;
}

inline std::string Describe(const MatrixSetting& setting, double cost) {
  return fmt::format("h={} C={:g}{}", setting.depth, cost, setting.normalize ? " normalized" : "");
}

}  // namespace kindred::bench
