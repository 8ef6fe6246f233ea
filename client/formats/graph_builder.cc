#include "client/formats/graph_builder.h"

namespace kindred::formats {

void GraphBuilder::AddVertex(std::string_view label) { graph_.add_vertices(LabelIndex(label)); }

void GraphBuilder::AddEdge(uint32_t a, uint32_t b, std::string_view label) {
  // The list of edge labels stays empty until an edge has one.
  const int edges_before = graph_.edges_size() / 2;
  graph_.add_edges(a);
  graph_.add_edges(b);
  if (label.empty() && graph_.edge_labels_size() == 0) return;
  graph_.mutable_edge_labels()->Resize(edges_before, 0);
  graph_.add_edge_labels(label.empty() ? 0 : LabelIndex(label) + 1);
}

uint32_t GraphBuilder::LabelIndex(std::string_view label) {
  const auto known = label_index_.find(label);
  if (known != label_index_.end()) return known->second;
  const auto index = static_cast<uint32_t>(graph_.labels_size());
  graph_.add_labels(label.data(), label.size());
  label_index_.emplace(label, index);
  return index;
}

}  // namespace kindred::formats
