// The kernels by definition: every part of a graph written out as text, every pair of parts compared. Shares
// no code with index/ beyond Graph and the names of the kernels.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/base/ids.h"
#include "index/graph/graph.h"
#include "index/kernels/kernel_kind.h"

namespace kindred::test {

// One text a part, as often as the graph has it; equal texts are equal parts.
std::vector<std::string> NaiveParts(KernelKind kind, const Graph& graph, Level depth);

// Of two graphs, given as their parts.
uint64_t NaiveKernel(KernelKind kind, const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace kindred::test
