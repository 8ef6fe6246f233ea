// Writes the signatures of a graph's vertices, as EncodeSignature would, many one after the other into one
// buffer that keeps its memory from graph to graph.
//
// Threads: one at a time.
// Cost: O(degree log degree) a signature, without an allocation once the buffer is large enough.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/base/ids.h"
#include "index/graph/graph.h"

namespace kindred {

// Stands for a label no stored graph uses.
inline constexpr LabelId kUnknownLabel{UINT32_MAX};

class SignatureWriter {
 public:
  // What was written before is gone; there is room for a signature of every vertex of `graph`.
  void Clear(const Graph& graph);

  // A level-0 signature. Valid until the next Clear, as below.
  std::string_view WriteLabel(LabelId label);

  // The signature of a vertex at a level above 0, or nothing when it names an unknown label or colour.
  // `labels` are those of the graph, `above` the colours of its vertices one level up. REQUIRES: no vertex is
  // written twice without a Clear.
  std::optional<std::string_view> Write(const Graph& graph, std::span<const LabelId> labels,
                                        std::span<const ColourId> above, Level level, uint32_t vertex) {
    char* const begin = at_;
    char* const end = WriteAt(begin, graph.neighbours(vertex), labels, above, level, above[vertex]);
    if (end == nullptr) {
      return std::nullopt;
    }
    at_ = end;
    return std::string_view(begin, static_cast<size_t>(end - begin));
  }

 private:
  // The end of what it wrote, or null.
  char* WriteAt(char* at, std::span<const Graph::Neighbour> neighbours, std::span<const LabelId> labels,
                std::span<const ColourId> above, Level level, ColourId parent);

  std::vector<char> buffer_;
  char* at_ = nullptr;          // The end of what is written.
  std::vector<uint64_t> arms_;  // Of a vertex with many neighbours.
};

}  // namespace kindred
