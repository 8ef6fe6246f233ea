// The kernels of the paper (Kriege, Giscard, Wilson, NIPS 2016), and what each is made of: which parts of a
// graph are counted, and how the counts of two graphs are put together. docs/kernels.md has the formulas.

#pragma once

#include <array>
#include <cstddef>

namespace kindred {

enum class KernelKind { kWlOa, kVOa, kEOa, kWl, kV, kE, kGl, kSp };

// What is counted in a graph.
enum class PartKind { kColour, kEdge, kGraphlet, kPath };

// What becomes of two counts of one part: the smaller (an optimal assignment) or the product (a convolution).
enum class Combination { kMinimum, kProduct };

struct KernelTraits {
  KernelKind kind;
  const char* word;  // As on the command line.
  const char* name;  // As in the paper.
  PartKind part;
  Combination combination;
  bool has_depth;  // Else level 0 alone counts, where there are levels at all.
};

inline constexpr std::array kKernels{
    KernelTraits{KernelKind::kWlOa, "wloa", "WL-OA", PartKind::kColour, Combination::kMinimum, true},
    KernelTraits{KernelKind::kVOa, "voa", "V-OA", PartKind::kColour, Combination::kMinimum, false},
    KernelTraits{KernelKind::kEOa, "eoa", "E-OA", PartKind::kEdge, Combination::kMinimum, false},
    KernelTraits{KernelKind::kWl, "wl", "WL", PartKind::kColour, Combination::kProduct, true},
    KernelTraits{KernelKind::kV, "v", "V", PartKind::kColour, Combination::kProduct, false},
    KernelTraits{KernelKind::kE, "e", "E", PartKind::kEdge, Combination::kProduct, false},
    KernelTraits{KernelKind::kGl, "gl", "GL", PartKind::kGraphlet, Combination::kProduct, false},
    KernelTraits{KernelKind::kSp, "sp", "SP", PartKind::kPath, Combination::kProduct, false},
};

constexpr const KernelTraits& TraitsOf(KernelKind kind) { return kKernels[static_cast<size_t>(kind)]; }

}  // namespace kindred
