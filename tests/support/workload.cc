#include "tests/support/workload.h"

#include <string>
#include <utility>

#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

constexpr uint64_t kIds = 40;
constexpr uint64_t kPayloadBytesMax = 8 << 10;
// The first of them in the middle of a short workload, so that the scheme is decided while others are at
// stake.
constexpr size_t kMoleculesEvery = 20;

Mutation RandomPut(Rng& rng) {
  Mutation put = PutOf("g" + std::to_string(Below(rng, kIds)), RandomGraph(rng, {.vertex_labels = 3}));
  std::string& payload = (*put.record)->payload;
  payload.resize(Below(rng, kPayloadBytesMax));
  for (char& byte : payload) {
    byte = static_cast<char>(rng());
  }
  return put;
}

void MakeMolecule(Mutation& put) {
  (*put.record)->is_molecule = true;
  put.molecule_scheme = kWorkloadScheme;
}

}  // namespace

std::vector<std::vector<Mutation>> Workload(uint64_t seed, size_t groups) {
  Rng rng(seed);
  std::vector<std::vector<Mutation>> workload(groups);
  for (size_t g = 0; g < groups; ++g) {
    std::vector<Mutation>& group = workload[g];
    group.push_back(RandomPut(rng));
    for (uint64_t more = Below(rng, 3); more > 0; --more) {
      group.push_back(Below(rng, 3) == 0 ? DeleteOf("g" + std::to_string(Below(rng, kIds))) : RandomPut(rng));
    }
    if (g % kMoleculesEvery == kMoleculesEvery - 1) {
      MakeMolecule(group.front());
    }
  }
  return workload;
}

}  // namespace kindred::test
