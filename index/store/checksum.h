// The one checksum of what kindred itself writes to disk: SipHash-1-3 under a fixed key.
//
// It finds damage, it is no defence against an attacker. RocksDB checks its own files by itself.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "highwayhash/c_bindings.h"

namespace kindred {

inline uint64_t Checksum(std::string_view bytes) {
  static constexpr std::array<uint64_t, 2> kKey{0x6b696e6472656421, 0x736f6c6964697479};
  return SipHash13C(kKey.data(), bytes.data(), bytes.size());
}

}  // namespace kindred
