#include "tests/support/stored_graphs.h"

#include <algorithm>
#include <utility>

#include "index/hierarchy/refinement.h"
#include "tests/support/segment_builder.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {
namespace {

Graph MoleculeLike(Rng& rng) {
  const auto size = static_cast<uint32_t>(8 + Below(rng, 33));
  std::vector<std::string> vertices;
  std::vector<EdgeSpec> edges;
  for (uint32_t vertex = 0; vertex < size; ++vertex) {
    const uint64_t kind = Below(rng, 20);
    vertices.emplace_back(kind < 14 ? "C" : kind < 17 ? "N" : kind < 19 ? "O" : "S");
    if (vertex > 0) {
      // Mostly chains, with branches near their end.
      const auto back = static_cast<uint32_t>(1 + Below(rng, 4) / 3 * Below(rng, 3));
      edges.push_back({vertex - std::min(back, vertex), vertex, Below(rng, 8) == 0 ? "=" : "-"});
    }
  }
  return MakeGraph(vertices, edges);
}

}  // namespace

void StoredGraphs::Add(const Graph& graph) {
  VertexColours colours(graph.vertex_count(), depth_);
  IssueMissing(hierarchy_, graph, colours);
  const size_t number = graphs_.size();
  const uint64_t last = graphs_.empty() ? 1000 : Raw(graphs_.back().id);
  graphs_.push_back({GraphId{last + 1 + Below(rng_, 3)},
                     std::string(number % 4 + (number % 50 == 49 ? 200 : 0), 'x') + std::to_string(number),
                     Histogram::Of(colours)});
}

void StoredGraphs::AddTiny(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Add(RandomGraph(rng_));
  }
}

void StoredGraphs::AddMoleculeLike(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    Add(MoleculeLike(rng_));
  }
}

Histogram OneLevelHistogram(const std::vector<Histogram::Entry>& entries) {
  uint32_t vertices = 0;
  for (const Histogram::Entry& entry : entries) {
    vertices += entry.count;
  }
  return Must(Histogram::FromLevels(vertices, {entries}));
}

std::shared_ptr<const Segment> BuildSegment(std::span<const StoredGraph> graphs, Ordering ordering) {
  test::SegmentBuilder builder;
  for (const StoredGraph& graph : graphs) {
    builder.Add(graph.id, graph.external_id, graph.histogram);
  }
  return std::move(builder).Build(ordering);
}

void HideGraph(SegmentView& view, GraphId id) {
  const GraphTable& table = view.segment->graphs();
  auto mask =
      view.live ? std::make_shared<LiveMask>(*view.live) : std::make_shared<LiveMask>(table.slot_count());
  mask->Hide(table.Find(id).value());
  view.live = std::move(mask);
}

}  // namespace kindred::test
