// The options that say which pairs are meant, the same for pairs and clusters.

#pragma once

#include <cstdint>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "client/cli/level_flags.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

struct PairFlags {
  double min_similarity = 0;
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  LevelFlags levels;
  std::string filter;
  uint64_t min_sequence = 0;
  uint32_t threads = 0;
  std::string output = "-";
};

void AddPairFlags(CLI::App& app, PairFlags& flags);

absl::StatusOr<v1::PairsRequest> ToRequest(const PairFlags& flags);

}  // namespace kindred::cli
