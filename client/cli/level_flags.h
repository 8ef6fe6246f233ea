// The options that say which levels count and how much, the same for every command that compares graphs.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "client/cli/search_text.h"
#include "index/base/status.h"

namespace kindred::cli {

struct LevelFlags {
  std::optional<uint32_t> depth;
  std::string weights;
};

void AddLevelFlags(CLI::App& app, LevelFlags& flags);

// `request` is any message with a depth and weights.
template <typename Request>
absl::Status SetLevels(const LevelFlags& flags, Request& request) {
  if (flags.depth.has_value()) {
    request.set_depth(*flags.depth);
  }
  if (!flags.weights.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const std::vector<double> weights, ParseWeights(flags.weights));
    request.mutable_weights()->Assign(weights.begin(), weights.end());
  }
  return absl::OkStatus();
}

}  // namespace kindred::cli
