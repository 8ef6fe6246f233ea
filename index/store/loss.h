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

}  // namespace kindred
