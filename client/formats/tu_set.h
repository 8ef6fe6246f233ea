// A TU data set in memory: the files of tu_files.h, read as numbers and checked against each other.
//
// When the files as a whole disagree (a line that is no number, lengths that do not fit, a vertex that does
// not exist), there is no set. What is wrong with one graph (a self-loop, an edge to another graph, vertices
// that do not stand together, labels that contradict each other) spoils that graph alone.
//
// Threads: immutable once parsed.
// Memory: the text of the files, and about 30 bytes for each vertex and for each line of NAME_A.txt.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/formats/tu_files.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::formats {

class TuSet {
 public:
  static absl::StatusOr<std::unique_ptr<const TuSet>> Parse(TuFiles files);

  const std::string& name() const { return files_.name; }
  size_t graph_count() const { return ranges_.size(); }

  // The graph numbered `g` from 0, its edges in ascending order. The two directions of an edge, which
  // normally both stand in the file, give one edge.
  absl::StatusOr<v1::Graph> Graph(size_t g, bool edge_labels) const;

  // Its class; nothing when the set has no graph labels.
  std::optional<std::string_view> Class(size_t g) const;

 private:
  // Vertices and graphs are counted from 0 in here, and from 1 in the files and in messages.
  struct Edge {
    uint32_t a = 0;
    uint32_t b = 0;
  };
  struct VertexRange {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  using Labels = std::optional<std::vector<std::string_view>>;

  explicit TuSet(TuFiles files) : files_(std::move(files)) {}

  absl::Status ParseFiles();
  absl::Status ParseIndicator();
  absl::Status ParseEdges();
  absl::StatusOr<Labels> ParseLabels(const std::optional<std::string>& text, std::string_view file,
                                     std::optional<size_t> count) const;
  void FindRanges();
  void SortEdgesByGraph();
  // Keeps the first reason for each graph.
  void Spoil(uint32_t g, std::string reason) { spoilt_.emplace(g, std::move(reason)); }
  std::string_view EdgeLabel(uint32_t line) const;

  const TuFiles files_;
  std::vector<uint32_t> graph_of_vertex_;
  std::vector<Edge> edges_;
  Labels graph_labels_;
  Labels node_labels_;
  Labels edge_labels_;

  std::vector<VertexRange> ranges_;
  // Lines of NAME_A.txt: those of graph g are edge_lines_[edge_begins_[g]] up to edge_begins_[g + 1].
  std::vector<uint32_t> edge_lines_;
  std::vector<size_t> edge_begins_;
  std::map<uint32_t, std::string> spoilt_;
};

}  // namespace kindred::formats
