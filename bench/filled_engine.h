// An engine of a benchmark, and how it gets its graphs.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/generated_molecules.h"
#include "index/engine/engine.h"

namespace kindred::bench {

// REQUIRES: the directory can be used.
std::unique_ptr<Engine> OpenEngine(const std::string& data_dir);

// Stores the next graphs of the source until there are `size` or no more, waits until all are inverted and
// merged, and prints what that took.
void Fill(Engine& engine, MoleculeSource& source, uint32_t size);

}  // namespace kindred::bench
