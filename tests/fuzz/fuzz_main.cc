// libFuzzer's way in, one program a target: KINDRED_FUZZ_TARGET is its name.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "tests/fuzz/target.h"

namespace kindred::fuzz {
namespace {

const Target& Chosen() {
  static const std::vector<Target> targets = AllTargets();
  for (const Target& target : targets) {
    if (std::string_view(target.name) == KINDRED_FUZZ_TARGET) {
      return target;
    }
  }
  std::cerr << "there is no target " << KINDRED_FUZZ_TARGET << "\n";
  std::abort();
}

}  // namespace
}  // namespace kindred::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const kindred::fuzz::Target& target = kindred::fuzz::Chosen();
  target.run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
