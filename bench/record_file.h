// Molecules as the client sends them, all in memory: reading SMILES takes longer than storing graphs, and is
// not what is measured.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::bench {

class Records {
 public:
  // At most so many. With a `cache` (a path, or empty) what was read before is not parsed again.
  Records(MoleculeSource& source, uint64_t count_max, const std::string& cache);

  size_t size() const { return bytes_.size(); }
  v1::Record at(size_t i) const;

 private:
  bool Load(const std::string& cache, uint64_t count_max);

  std::vector<std::string> bytes_;  // Serialised.
};

}  // namespace kindred::bench
