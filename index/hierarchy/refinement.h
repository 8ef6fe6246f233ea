// Weisfeiler-Lehman refinement: the colour of every vertex of a graph at levels 0..depth.
//
// In two forms. Known-only (RefineKnown) looks colours up and grows nothing; a colour never seen, and
// every colour that depends on it, is kUnknownColour. Growing (IssueMissing) turns the unknown ones of
// such a result into new colours; it visits level by level, vertex by vertex, so that the ids depend on
// the order of the graphs alone, not on when RefineKnown ran.
//
// Cost: O((V + E log degree) * depth) expected.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/base/ids.h"
#include "index/graph/graph.h"
#include "index/hierarchy/colour_hierarchy.h"

namespace kindred {

class VertexColours {
 public:
  VertexColours(uint32_t vertex_count, Level depth)
      : vertex_count_(vertex_count),
        depth_(depth),
        colours_(size_t{vertex_count} * (depth + 1u), kUnknownColour) {}

  Level depth() const { return depth_; }
  uint32_t vertex_count() const { return vertex_count_; }
  std::span<const ColourId> at_level(Level level) const {
    return std::span(colours_).subspan(size_t{level} * vertex_count_, vertex_count_);
  }
  std::span<ColourId> at_level(Level level) {
    return std::span(colours_).subspan(size_t{level} * vertex_count_, vertex_count_);
  }

 private:
  uint32_t vertex_count_;
  Level depth_;
  std::vector<ColourId> colours_;  // Level by level.
};

// Safe beside a growing writer.
VertexColours RefineKnown(const ColourHierarchy::View& known, const Graph& graph, Level depth);

// How many colours IssueMissing would issue now. Changes nothing.
uint64_t CountMissing(const ColourHierarchy& hierarchy, const Graph& graph, VertexColours colours);

// Writer only. Afterwards no colour is unknown.
void IssueMissing(ColourHierarchy& hierarchy, const Graph& graph, VertexColours& colours);

}  // namespace kindred
