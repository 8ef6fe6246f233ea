// Whole files of the store, in memory: the witness, and the end of a table.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kindred::fuzz {

void RunWitness(std::string_view bytes);
std::vector<std::string> WitnessSeeds();

// The bytes are a table of RocksDB's. What passes has to be safe to hand to RocksDB, which ends the process
// over some damage.
void RunTableEnd(std::string_view bytes);
std::vector<std::string> TableEndSeeds();

}  // namespace kindred::fuzz
