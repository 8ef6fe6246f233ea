// Weisfeiler-Lehman refinement: the colour of every vertex of a graph at levels 0..depth.
//
// In two forms. Known-only (RefineKnown) looks colours up and grows nothing; a colour never seen, and
// every colour that depends on it, is kUnknownColour. Growing (IssueMissing) turns the unknown ones of
// such a result into new colours; it visits level by level, vertex by vertex, so that the ids depend on
// the order of the graphs alone, not on when RefineKnown ran. A third, RefinePair, is for two graphs that are
// compared with nothing but each other: their colours are a matter between them.
//
// Cost: O((V + E log degree) * depth) expected.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/base/ids.h"
#include "index/graph/graph.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/signature_writer.h"

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

// Equal colours, in one graph or across the two, are equal signatures, whether a hierarchy has ever seen them
// or not. The ids have no meaning beyond this pair.
struct PairColours {
  VertexColours a;
  VertexColours b;
};

// What a known-only refinement stopped at: once one of these is issued, refining again finds more. Nothing
// else makes a difference, since a signature that can be written never changes.
struct MissingColours {
  struct AtVertex {
    uint32_t vertex = 0;
    Level level = 0;  // The first at which the vertex has no colour.
    std::string signature;
  };
  std::vector<std::string> labels;
  std::vector<AtVertex> vertices;  // Those whose signature at that level names only what is known.
};

// Refines graph after graph with the same buffers: it allocates for the first ones and for larger ones.
//
// Threads: one at a time; different ones beside each other and beside a growing writer.
class Refiner {
 public:
  VertexColours RefineKnown(const ColourHierarchy::View& known, const Graph& graph, Level depth);

  // Of the colours that are unknown looks up those that have become known since. Issues none.
  void FindMissing(const ColourHierarchy::View& known, const Graph& graph, VertexColours& colours);

  // Writer only. Afterwards no colour is unknown.
  void IssueMissing(ColourHierarchy& hierarchy, const Graph& graph, VertexColours& colours);

  // How many colours IssueMissing would issue now. Changes nothing.
  uint64_t CountMissing(const ColourHierarchy& hierarchy, const Graph& graph, VertexColours colours);

  // Of a RefineKnown result. What is issued between the two calls is told as missing, or is not.
  MissingColours ListMissing(const ColourHierarchy::View& known, const Graph& graph,
                             const VertexColours& colours);

  PairColours RefinePair(const Graph& a, const Graph& b, Level depth);

 private:
  // Leaves in labels_ the index-wide ids of the labels the graph uses; those it only lists stay untried.
  template <typename Resolve>
  void ResolveLabels(const Graph& graph, Resolve resolve);
  void FindLabelColours(const ColourHierarchy::View& known, const Graph& graph, std::span<ColourId> colours);
  template <typename InternLabel, typename InternColour>
  void AssignMissing(const Graph& graph, VertexColours& colours, InternLabel intern_label,
                     InternColour intern_colour);

  std::vector<LabelId> labels_;
  std::vector<ColourId> label_colours_;  // Of level 0, a label each.
  SignatureWriter writer_;
  // Of one level, what is looked up: the signatures, whose they are, and what was found.
  std::vector<std::string_view> signatures_;
  std::vector<uint32_t> vertices_;
  std::vector<ColourId> found_;
};

// Once, with buffers of their own.
VertexColours RefineKnown(const ColourHierarchy::View& known, const Graph& graph, Level depth);
uint64_t CountMissing(const ColourHierarchy& hierarchy, const Graph& graph, VertexColours colours);
void IssueMissing(ColourHierarchy& hierarchy, const Graph& graph, VertexColours& colours);
PairColours RefinePair(const Graph& a, const Graph& b, Level depth);

}  // namespace kindred
