#include "client/formats/tu_set.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "client/formats/graph_builder.h"
#include "client/formats/record_check.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Calls take(line) for each line, without the white space around it; take returns what is wrong with it, or
// an empty string. Blank lines at the end of the file are no lines.
template <typename Take>
absl::Status ForEachLine(std::string_view text, const std::string& file, const Take& take) {
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  for (uint64_t number = 1; !text.empty(); ++number) {
    const size_t line_bytes = text.find('\n');
    const std::string problem = take(Trimmed(text.substr(0, line_bytes)));
    if (!problem.empty()) {
      return absl::InvalidArgumentError(fmt::format("{}, line {}: {}", file, number, problem));
    }
    text = line_bytes == std::string_view::npos ? std::string_view() : text.substr(line_bytes + 1);
  }
  return absl::OkStatus();
}

// A number counted from 1 in the text, as one counted from 0.
bool ParseOrdinal(std::string_view text, uint32_t& value) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end && value-- != 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const TuSet>> TuSet::Parse(TuFiles files) {
  std::unique_ptr<TuSet> set(new TuSet(std::move(files)));
  const absl::Status parsed = set->ParseFiles();
  if (!parsed.ok()) return parsed;
  set->FindRanges();
  set->SortEdgesByGraph();
  return std::unique_ptr<const TuSet>(std::move(set));
}

absl::Status TuSet::ParseFiles() {
  absl::StatusOr<Labels> graph_labels = ParseLabels(files_.graph_labels, "_graph_labels.txt", std::nullopt);
  if (!graph_labels.ok()) return graph_labels.status();
  graph_labels_ = *std::move(graph_labels);
  if (const absl::Status status = ParseIndicator(); !status.ok()) return status;
  if (const absl::Status status = ParseEdges(); !status.ok()) return status;
  absl::StatusOr<Labels> node_labels =
      ParseLabels(files_.node_labels, "_node_labels.txt", graph_of_vertex_.size());
  if (!node_labels.ok()) return node_labels.status();
  node_labels_ = *std::move(node_labels);
  absl::StatusOr<Labels> edge_labels = ParseLabels(files_.edge_labels, "_edge_labels.txt", edges_.size());
  if (!edge_labels.ok()) return edge_labels.status();
  edge_labels_ = *std::move(edge_labels);
  return absl::OkStatus();
}

absl::StatusOr<TuSet::Labels> TuSet::ParseLabels(const std::optional<std::string>& text,
                                                 std::string_view ending, std::optional<size_t> count) const {
  if (!text.has_value()) return Labels();
  const std::string file = fmt::format("{}{}", name(), ending);
  std::vector<std::string_view> labels;
  const absl::Status parsed = ForEachLine(*text, file, [&](std::string_view line) -> std::string {
    labels.push_back(line);
    if (line.empty()) return "is empty";
    return IsUtf8(line) ? "" : "is not UTF-8";
  });
  if (!parsed.ok()) return parsed;
  if (count.has_value() && labels.size() != *count) {
    return absl::InvalidArgumentError(
        fmt::format("{} has {} lines; by the other files it must have {}", file, labels.size(), *count));
  }
  return Labels(std::move(labels));
}

absl::Status TuSet::ParseIndicator() {
  uint32_t graphs = 0;
  const std::string file = name() + "_graph_indicator.txt";
  const absl::Status parsed = ForEachLine(files_.indicator, file, [&](std::string_view line) -> std::string {
    uint32_t graph = 0;
    if (!ParseOrdinal(line, graph)) return "is not the number of a graph";
    if (graph_labels_.has_value() && graph >= graph_labels_->size()) {
      return fmt::format("graph {} has no line in {}_graph_labels.txt", graph + 1, name());
    }
    graph_of_vertex_.push_back(graph);
    graphs = std::max(graphs, graph + 1);
    return "";
  });
  if (!parsed.ok()) return parsed;
  // Bounds what a lying number can make us allocate.
  if (graphs > graph_of_vertex_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} names graph {}, but has only {} vertices", file, graphs, graph_of_vertex_.size()));
  }
  ranges_.resize(graph_labels_.has_value() ? graph_labels_->size() : graphs);
  return absl::OkStatus();
}

absl::Status TuSet::ParseEdges() {
  const size_t vertices = graph_of_vertex_.size();
  return ForEachLine(files_.edges, name() + "_A.txt", [&](std::string_view line) -> std::string {
    const size_t comma = line.find(',');
    Edge edge;
    if (comma == std::string_view::npos || !ParseOrdinal(Trimmed(line.substr(0, comma)), edge.a) ||
        !ParseOrdinal(Trimmed(line.substr(comma + 1)), edge.b)) {
      return "is not 'vertex, vertex'";
    }
    if (std::max(edge.a, edge.b) >= vertices) {
      return fmt::format("{} is not a vertex (the set has {})", std::max(edge.a, edge.b) + 1, vertices);
    }
    edges_.push_back(edge);
    return "";
  });
}

void TuSet::FindRanges() {
  uint32_t last_graph = 0;
  for (uint32_t v = 0; v < graph_of_vertex_.size(); ++v) {
    const uint32_t g = graph_of_vertex_[v];
    VertexRange& range = ranges_[g];
    if (range.count == 0) range.first = v;
    if (v != range.first + range.count) {
      Spoil(g, fmt::format("vertex {} stands apart from the others of its graph", v + 1));
    }
    if (g < last_graph) {
      Spoil(g, fmt::format("vertex {} stands behind one of graph {}", v + 1, last_graph + 1));
    }
    last_graph = std::max(last_graph, g);
    ++range.count;
  }
  for (uint32_t g = 0; g < ranges_.size(); ++g) {
    if (ranges_[g].count == 0) Spoil(g, "has no vertices");
  }
}

void TuSet::SortEdgesByGraph() {
  edge_begins_.assign(ranges_.size() + 1, 0);
  for (uint32_t line = 0; line < edges_.size(); ++line) {
    const auto [a, b] = edges_[line];
    const uint32_t g = graph_of_vertex_[a];
    const uint32_t other = graph_of_vertex_[b];
    ++edge_begins_[g + 1];
    if (a == b) {
      Spoil(g, fmt::format("{}_A.txt, line {}: joins vertex {} to itself", name(), line + 1, a + 1));
    }
    if (g == other) continue;
    const std::string reason =
        fmt::format("{}_A.txt, line {}: joins vertex {} of graph {} to vertex {} of graph {}", name(),
                    line + 1, a + 1, g + 1, b + 1, other + 1);
    Spoil(g, reason);
    Spoil(other, reason);
  }
  for (size_t g = 0; g < ranges_.size(); ++g) edge_begins_[g + 1] += edge_begins_[g];
  std::vector<size_t> next = edge_begins_;
  edge_lines_.resize(edges_.size());
  for (uint32_t line = 0; line < edges_.size(); ++line) {
    edge_lines_[next[graph_of_vertex_[edges_[line].a]]++] = line;
  }
}

absl::StatusOr<v1::Graph> TuSet::Graph(size_t g, bool edge_labels) const {
  const auto spoilt = spoilt_.find(static_cast<uint32_t>(g));
  if (spoilt != spoilt_.end()) return absl::InvalidArgumentError(spoilt->second);
  GraphBuilder graph;
  const VertexRange range = ranges_[g];
  for (uint32_t v = range.first; v < range.first + range.count; ++v) {
    graph.AddVertex(node_labels_.has_value() ? (*node_labels_)[v] : std::string_view());
  }
  // (smaller vertex, larger vertex, line)
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> edges;
  for (size_t i = edge_begins_[g]; i < edge_begins_[g + 1]; ++i) {
    const auto [a, b] = edges_[edge_lines_[i]];
    edges.emplace_back(std::min(a, b) - range.first, std::max(a, b) - range.first, edge_lines_[i]);
  }
  std::sort(edges.begin(), edges.end());
  for (size_t i = 0; i < edges.size(); ++i) {
    const auto [a, b, line] = edges[i];
    const std::string_view label = edge_labels ? EdgeLabel(line) : std::string_view();
    const bool is_new =
        i == 0 || std::tie(a, b) != std::tie(std::get<0>(edges[i - 1]), std::get<1>(edges[i - 1]));
    if (is_new) {
      graph.AddEdge(a, b, label);
    } else if (const uint32_t before = std::get<2>(edges[i - 1]); edge_labels && EdgeLabel(before) != label) {
      return absl::InvalidArgumentError(
          fmt::format("{}_edge_labels.txt, lines {} and {}: '{}' and '{}' for one edge", name(), before + 1,
                      line + 1, EdgeLabel(before), label));
    }
  }
  return std::move(graph).Take();
}

std::optional<std::string_view> TuSet::Class(size_t g) const {
  if (!graph_labels_.has_value()) return std::nullopt;
  return (*graph_labels_)[g];
}

std::string_view TuSet::EdgeLabel(uint32_t line) const {
  return edge_labels_.has_value() ? (*edge_labels_)[line] : std::string_view();
}

}  // namespace kindred::formats
