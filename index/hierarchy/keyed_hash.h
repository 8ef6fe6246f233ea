// A fast keyed hash of short strings: it locates, and decides nothing.
//
// Both factors of every product hold a secret of the key, so that who does not know the key can choose no
// strings that collide: neither a factor of 0, which would swallow the other, nor a difference that cancels.
// That is no proof as SipHash has one, and need not be: what collides costs time, never a wrong answer. For
// the 8 to 20 bytes of a molecule's signature it takes a fraction of what SipHash-1-3 takes. Of the libraries
// at hand Abseil's hash is as fast, but has no key for more than 16 bytes.
//
// The values are of this process and this machine: never stored, and nothing is ordered by them.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace kindred {

namespace keyed_hash {

template <typename Word>
Word Load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// All 128 bits of the product, folded together.
inline uint64_t Fold(uint64_t a, uint64_t b) {
  __extension__ using uint128 = unsigned __int128;
  const uint128 product = uint128{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace keyed_hash

inline uint64_t KeyedHash(const std::array<uint64_t, 2>& key, std::string_view bytes) {
  using keyed_hash::Fold;
  using keyed_hash::Load;
  const char* at = bytes.data();
  size_t left = bytes.size();
  uint64_t hash = key[0] ^ left;
  for (; left > 16; at += 16, left -= 16) {
    hash = Fold(Load<uint64_t>(at) ^ hash, Load<uint64_t>(at + 8) ^ key[1]);
  }
  // The rest from both its ends, which overlap: with the length they tell it whole. The last word is rotated,
  // since the same word in both factors would make pairs of strings collide.
  uint64_t first = 0;
  uint64_t last = 0;
  if (left >= 8) {
    first = Load<uint64_t>(at);
    last = std::rotl(Load<uint64_t>(at + left - 8), 32);
  } else if (left >= 4) {
    first = uint64_t{Load<uint32_t>(at)} << 32 | Load<uint32_t>(at + left - 4);
  } else if (left > 0) {
    first = uint64_t{Load<uint8_t>(at)} << 16 | uint64_t{Load<uint8_t>(at + left / 2)} << 8 |
            Load<uint8_t>(at + left - 1);
  }
  hash = Fold(first ^ hash, last ^ key[1]);
  return Fold(hash ^ key[1], key[0]);
}

}  // namespace kindred
