// MergeSegments: memory does not jump by more than what is merged. A program of its own, because it counts
// every byte that is allocated.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "bench/generated_molecules.h"
#include "gtest/gtest.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/refinement.h"
#include "index/lists/segment.h"
#include "tests/support/segment_builder.h"

namespace {

std::atomic<size_t> allocated_bytes{0};
std::atomic<size_t> peak_bytes{0};

// Every allocation begins with its size.
constexpr size_t kHeaderBytes = alignof(std::max_align_t);

}  // namespace

void* operator new(size_t size) {
  void* const memory = std::malloc(kHeaderBytes + size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  *static_cast<size_t*>(memory) = size;
  const size_t now = allocated_bytes += size;
  if (now > peak_bytes) {  // One thread allocates much.
    peak_bytes = now;
  }
  return static_cast<char*>(memory) + kHeaderBytes;
}

void operator delete(void* pointer) noexcept {
  if (pointer != nullptr) {
    void* const memory = static_cast<char*>(pointer) - kHeaderBytes;
    allocated_bytes -= *static_cast<size_t*>(memory);
    std::free(memory);
  }
}

void operator delete(void* pointer, size_t /*size*/) noexcept { operator delete(pointer); }

namespace kindred {
namespace {

// So few that no array gets pages of its own (base/memory.h), which are not counted here.
constexpr uint64_t kGraphs = 50'000;

std::vector<SegmentView> Parts(Level depth, const std::vector<uint64_t>& sizes) {
  const auto molecules = bench::GeneratedMolecules(1);
  ColourHierarchy hierarchy;
  std::vector<SegmentView> parts;
  uint64_t id = 0;
  for (const uint64_t size : sizes) {
    test::SegmentBuilder builder;
    for (uint64_t i = 0; i < size; ++i) {
      const StoredRecord record = *molecules->Next();
      VertexColours colours = RefineKnown(hierarchy.view(), record.graph, depth);
      IssueMissing(hierarchy, record.graph, colours);
      builder.Add(GraphId{++id}, record.external_id, Histogram::Of(colours));
    }
    parts.push_back({std::move(builder).Build(Ordering::kBySimilarity), nullptr});
  }
  return parts;
}

// How far memory rises during a merge, as a share of what the parts have.
double RiseOfMerge(const std::vector<SegmentView>& parts) {
  size_t parts_bytes = 0;
  for (const SegmentView& part : parts) {
    parts_bytes += part.segment->memory_bytes();
  }
  const size_t before = allocated_bytes;
  peak_bytes = before;
  const auto merged = MergeSegments(parts, Ordering::kBySimilarity);
  EXPECT_EQ(merged->size(), kGraphs);
  EXPECT_GE(allocated_bytes - before, merged->memory_bytes());  // All was counted.
  EXPECT_LE(allocated_bytes - before, merged->memory_bytes() + 4096);
  return static_cast<double>(peak_bytes - before) / static_cast<double>(parts_bytes);
}

TEST(MergeMemory, OfEqualPartsRisesByNoMoreThanTheyHave) {
  EXPECT_LE(RiseOfMerge(Parts(2, std::vector<uint64_t>(4, kGraphs / 4))), 1.0);
}

TEST(MergeMemory, OfPartsOfEverySizeRisesByNoMoreThanTheyHave) {
  EXPECT_LE(RiseOfMerge(Parts(2, {30'000, 15'000, 3'000, 2'000})), 1.0);
}

// Seven features a graph, most of them in one graph alone: what is counted of each feature while blocks are
// added takes more than merging saves.
TEST(MergeMemory, WithManyRareFeaturesRisesByLittleMore) {
  EXPECT_LE(RiseOfMerge(Parts(3, std::vector<uint64_t>(4, kGraphs / 4))), 1.15);
}

}  // namespace
}  // namespace kindred
