// Memory: what large arrays are made of, and what the allocator keeps back after much was freed.

#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace kindred {

// After a large piece of work: hands free memory back.
void ReturnFreeMemory();

// Arrays of at least so many bytes get pages of their own: huge ones, if the system lets them be had for the
// asking. A search jumps about in arrays of tens of megabytes, and on small pages it would spend most of its
// time on finding out where they are (measured: bench/README.md).
inline constexpr size_t kLargeArrayBytes = 4 << 20;

// Throws std::bad_alloc, as operator new does.
void* AllocatePages(size_t bytes);
void FreePages(void* pages, size_t bytes);

template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert.

  T* allocate(size_t size) {
    if (size > std::numeric_limits<size_t>::max() / sizeof(T) || size * sizeof(T) < kLargeArrayBytes) {
      return std::allocator<T>().allocate(size);
    }
    return static_cast<T*>(AllocatePages(size * sizeof(T)));
  }
  void deallocate(T* array, size_t size) {
    if (size * sizeof(T) < kLargeArrayBytes) {
      std::allocator<T>().deallocate(array, size);
    } else {
      FreePages(array, size * sizeof(T));
    }
  }
  friend bool operator==(const LargeAllocator&, const LargeAllocator&) { return true; }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

// For bytes: a vector with an allocator of its own copies them one by one.
using LargeString = std::basic_string<char, std::char_traits<char>, LargeAllocator<char>>;

}  // namespace kindred
