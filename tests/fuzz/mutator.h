// Changes bytes at random, as a fuzzer does: flips, cuts, repeats, numbers at the edge of their type, and
// parts of other inputs. The same seed gives the same changes on every machine.
//
// Threads: one caller at a time.

#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace kindred::fuzz {

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  // One of `inputs`, changed one to four times. REQUIRES: there is one.
  std::string Next(const std::vector<std::string>& inputs);

 private:
  uint64_t Below(uint64_t n) { return random_() % n; }
  void Change(std::string& bytes, const std::vector<std::string>& inputs);

  std::mt19937_64 random_;
};

}  // namespace kindred::fuzz
