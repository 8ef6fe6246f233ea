#include "tests/support/workload.h"

#include <string>
#include <utility>

#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"

namespace kindred::test {
namespace {

constexpr uint64_t kIds = 40;
constexpr uint64_t kPayloadBytesMax = 8 << 10;

Mutation RandomPut(Rng& rng) {
  Mutation put = PutOf("g" + std::to_string(Below(rng, kIds)), RandomGraph(rng, {.vertex_labels = 3}));
  std::string& payload = (*put.record)->payload;
  payload.resize(Below(rng, kPayloadBytesMax));
  for (char& byte : payload) {
    byte = static_cast<char>(rng());
  }
  return put;
}

}  // namespace

std::vector<std::vector<Mutation>> Workload(uint64_t seed, size_t groups) {
  Rng rng(seed);
  std::vector<std::vector<Mutation>> workload(groups);
  for (std::vector<Mutation>& group : workload) {
    group.push_back(RandomPut(rng));
    for (uint64_t more = Below(rng, 3); more > 0; --more) {
      group.push_back(Below(rng, 3) == 0 ? DeleteOf("g" + std::to_string(Below(rng, kIds))) : RandomPut(rng));
    }
  }
  return workload;
}

}  // namespace kindred::test
