// Where a benchmark's graphs come from, and a generator for when there is no file of real ones.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "index/store/codec.h"

namespace kindred::bench {

class MoleculeSource {
 public:
  virtual ~MoleculeSource() = default;
  // The next molecule; nothing at the end. Records that cannot be read are left out.
  virtual std::optional<StoredRecord> Next() = 0;
};

// Endless graphs that look like drugs to an index: carbon chains and rings of 6, other elements here and
// there, families of near-copies, sizes about 26. The same for the same seed.
std::unique_ptr<MoleculeSource> GeneratedMolecules(uint64_t seed);

}  // namespace kindred::bench
