#include "index/base/memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// jemalloc's, in a program that is linked with it.
extern "C" int mallctl(const char* name, void* old_value, size_t* old_size, void* new_value, size_t new_size)
    __attribute__((weak));

namespace kindred {

void ReturnFreeMemory() {
  if (mallctl != nullptr) {
    constexpr const char* kPurgeAllArenas = "arena.4096.purge";  // MALLCTL_ARENAS_ALL.
    mallctl(kPurgeAllArenas, nullptr, nullptr, nullptr, 0);
    return;
  }
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

namespace {

constexpr size_t kHugePageBytes = 2 << 20;

size_t WholePages(size_t bytes) { return (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes; }

}  // namespace

void* AllocatePages(size_t bytes) {
  // One page more than needed, then what lies before and behind whole huge pages goes back.
  const size_t wanted = WholePages(bytes);
  const size_t mapped = wanted + kHugePageBytes;
  void* const map = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) {
    throw std::bad_alloc();
  }
  char* const begin = static_cast<char*>(map);
  const size_t before =
      (kHugePageBytes - reinterpret_cast<uintptr_t>(begin) % kHugePageBytes) % kHugePageBytes;
  if (before > 0) {
    munmap(begin, before);
  }
  munmap(begin + before + wanted, kHugePageBytes - before);
#ifdef MADV_HUGEPAGE
  madvise(begin + before, wanted, MADV_HUGEPAGE);  // Without it everything works, more slowly.
#endif
  return begin + before;
}

void FreePages(void* pages, size_t bytes) { munmap(pages, WholePages(bytes)); }

}  // namespace kindred
