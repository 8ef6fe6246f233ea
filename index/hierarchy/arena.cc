#include "index/hierarchy/arena.h"

#include <algorithm>
#include <cstdint>

#include "index/base/memory.h"

namespace kindred {
namespace {

constexpr size_t kSmallBlockBytes = 1 << 18;

}  // namespace

Arena::~Arena() {
  for (const std::span<char> block : blocks_) {
    LargeAllocator<char>().deallocate(block.data(), block.size());
  }
}

char* Arena::Allocate(size_t bytes, size_t alignment) {
  const auto padding = [&] { return -reinterpret_cast<uintptr_t>(left_.data()) & (alignment - 1); };
  if (padding() + bytes > left_.size()) {
    AddBlock(bytes);  // Aligned for anything.
  }
  char* const piece = left_.data() + padding();
  left_ = left_.subspan(padding() + bytes);
  return piece;
}

void Arena::AddBlock(size_t bytes) {
  const size_t usual = memory_bytes() < kLargeArrayBytes ? kSmallBlockBytes : kLargeArrayBytes;
  const size_t size = std::max(bytes, usual);
  left_ = {LargeAllocator<char>().allocate(size), size};
  blocks_.push_back(left_);
  memory_bytes_.fetch_add(size, std::memory_order_relaxed);
}

}  // namespace kindred
