// Compares a store with its witness: is everything there that was acknowledged?

#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "index/store/witness.h"

namespace kindred {

// Nothing: all is there. Else what is wrong, in words that name the witness's file and both sequences.
std::optional<std::string> FindLoss(const std::string& witness_path,
                                    const absl::StatusOr<std::optional<Witness::Claim>>& claim,
                                    const Witness::Claim& store);

// What was found damaged in a data directory (DATA_LOSS), with the way out; another status as it is.
absl::Status WithWayOut(const absl::Status& status, const std::string& directory);

}  // namespace kindred
