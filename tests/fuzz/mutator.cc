#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace kindred::fuzz {
namespace {

// Numbers of many encodings at the edge of what they may be, and what texts are made of.
constexpr std::array<std::string_view, 16> kPieces{std::string_view("\0", 1),
                                                   "\x7f",
                                                   "\x80\x01",
                                                   "\xff\xff\xff\xff\x0f",
                                                   "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                                                   "\xff\xff\xff\xff",
                                                   std::string_view("\0\0\0\0\0\0\0\0", 8),
                                                   "0",
                                                   "-1",
                                                   "4294967296",
                                                   "99999999999999999999",
                                                   "\n",
                                                   "\"",
                                                   "(",
                                                   ",",
                                                   "\xc3"};

}  // namespace

std::string Mutator::Next(const std::vector<std::string>& inputs) {
  std::string bytes = inputs[Below(inputs.size())];
  for (uint64_t changes = 1 + Below(4); changes > 0; --changes) {
    Change(bytes, inputs);
  }
  return bytes;
}

void Mutator::Change(std::string& bytes, const std::vector<std::string>& inputs) {
  const size_t at = Below(bytes.size() + 1);
  const size_t span = Below(bytes.size() - at + 1);
  switch (Below(8)) {
    case 0:
    case 1:
      if (at < bytes.size()) {
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << Below(8)));
      }
      return;
    case 2:
      if (at < bytes.size()) {
        bytes[at] = static_cast<char>(random_());
      }
      return;
    case 3:
      bytes.erase(at, Below(4) == 0 ? span : 1);
      return;
    case 4:
      bytes.insert(at, bytes.substr(at, span));
      return;
    case 5:
      bytes.insert(at, kPieces[Below(kPieces.size())]);
      return;
    case 6:
      bytes.replace(at, std::min<size_t>(span, 4), kPieces[Below(kPieces.size())]);
      return;
    default: {
      const std::string& other = inputs[Below(inputs.size())];
      bytes = bytes.substr(0, at) + other.substr(Below(other.size() + 1));
    }
  }
}

}  // namespace kindred::fuzz
