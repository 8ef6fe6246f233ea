#include "tests/fuzz/target.h"

namespace kindred::fuzz {

std::vector<Target> AllTargets() {
  std::vector<Target> all;
  for (const auto* part : {&StoreTargets(), &QueryTargets(), &FormatTargets(), &DaemonTargets()}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  return all;
}

}  // namespace kindred::fuzz
