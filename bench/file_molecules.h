// Molecules from a file.

#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "bench/generated_molecules.h"

namespace kindred::bench {

// Any format kindred reads.
absl::StatusOr<std::unique_ptr<MoleculeSource>> MoleculesFromFile(const std::string& path);

}  // namespace kindred::bench
