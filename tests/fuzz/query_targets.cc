// What a client sends: graphs and filters.

#include <algorithm>
#include <functional>
#include <string>

#include "fmt/format.h"
#include "index/filter/filter.h"
#include "tests/fuzz/target.h"
#include "tests/support/graphs.h"
#include "wire/graph.h"

namespace kindred::fuzz {
namespace {

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;

// Low, so that they are met.
Limits GraphLimits() {
  Limits limits;
  limits.vertices_max = 64;
  limits.edges_max = 128;
  limits.labels_max = 16;
  limits.label_bytes_max = 32;
  return limits;
}

v1::Graph ToMessage(const Graph& graph) {
  v1::Graph message;
  const GraphParts parts = test::PartsOf(graph);
  message.mutable_labels()->Add(parts.labels.begin(), parts.labels.end());
  message.mutable_vertices()->Add(parts.vertices.begin(), parts.vertices.end());
  for (const GraphParts::Edge& edge : parts.edges) {
    message.add_edges(edge.from);
    message.add_edges(edge.to);
    message.add_edge_labels(edge.label + 1);
  }
  return message;
}

void RequireWellFormed(const Graph& graph) {
  uint64_t ends = 0;
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    Require(graph.vertex_label(v) < graph.labels().size(), "a vertex with a label that is not there");
    const auto neighbours = graph.neighbours(v);
    ends += neighbours.size();
    for (size_t i = 0; i < neighbours.size(); ++i) {
      const auto [w, label] = neighbours[i];
      Require(w < graph.vertex_count() && w != v && label < graph.labels().size(), "an impossible edge");
      Require(i == 0 || neighbours[i - 1].vertex < w, "neighbours out of order, or twice");
      bool mutual = false;
      for (const Graph::Neighbour& back : graph.neighbours(w)) {
        mutual = mutual || (back.vertex == v && back.edge_label == label);
      }
      Require(mutual, "an edge in one direction");
    }
  }
  Require(ends == 2ull * graph.edge_count(), "ends that belong to no edge");
}

void RunGraph(std::string_view bytes) {
  v1::Graph message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return;
  }
  const Limits limits = GraphLimits();
  const auto graph = ToGraph(message, limits);
  if (!graph.ok()) {
    RequireError(graph.status(), {kInvalid, kExhausted});
    const std::string text(graph.status().message());
    Require(graph.status().code() == kInvalid || text.find("_max") != std::string::npos, "no limit: " + text);
    return;
  }
  RequireWellFormed(*graph);
  Require(graph->vertex_count() == static_cast<uint32_t>(message.vertices_size()) &&
              graph->edge_count() * 2 == static_cast<uint32_t>(message.edges_size()),
          "another size than the message's");
  // An empty label for edges without one may come on top.
  Require(graph->vertex_count() <= limits.vertices_max && graph->edge_count() <= limits.edges_max &&
              graph->labels().size() <= limits.labels_max + 1,
          "beyond a limit");
  Limits one_more = limits;
  ++one_more.labels_max;
  const v1::Graph written = ToMessage(*graph);
  const auto again = ToGraph(written, one_more);
  Require(again.ok() && test::SameGraph(*graph, *again), "a graph is another one after a round trip");
  Require(ToMessage(*again).SerializeAsString() == written.SerializeAsString(), "written in two ways");
}

std::vector<std::string> GraphSeeds() {
  test::Rng rng(11);
  v1::Graph unlabelled = ToMessage(test::Cycle("CCNC"));
  unlabelled.clear_edge_labels();
  v1::Graph loop = ToMessage(test::Path("CO"));
  loop.set_edges(1, 0);
  v1::Graph many = ToMessage(test::Isolated(std::string(65, 'C')));
  return {ToMessage(test::Isolated("C")).SerializeAsString(),
          ToMessage(test::MakeGraph({"C", "N", ""}, {{0, 1, "="}, {1, 2}})).SerializeAsString(),
          ToMessage(test::RandomGraph(rng, {.vertices_min = 12, .vertices_max = 12})).SerializeAsString(),
          unlabelled.SerializeAsString(),
          loop.SerializeAsString(),
          many.SerializeAsString()};
}

// A word in quotes means itself, whatever it holds.
std::string QuotedWord(const std::string& word) {
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\' || c == '\'') {
      quoted += '\\';
    }
    quoted += c;
  }
  return quoted + '"';
}

// The filter as text, with no more parentheses than it needs.
std::string Written(const FilterNode& node, bool negated = false) {
  using Kind = FilterNode::Kind;
  const auto inner = [&](const FilterNode& part) {
    const bool loose = part.kind == Kind::kAny || part.kind == Kind::kAll;
    return loose ? "(" + Written(part) + ")" : Written(part);
  };
  std::string text;
  switch (node.kind) {
    case Kind::kExists:
      return "exists " + QuotedWord(node.key);
    case Kind::kIn:
      for (const std::string& value : node.values) {
        text += (text.empty() ? "" : ", ") + QuotedWord(value);
      }
      return QuotedWord(node.key) + (negated ? " not in (" : " in (") + text + ")";
    case Kind::kNot:
      return node.parts.front().kind == Kind::kIn ? Written(node.parts.front(), true)
                                                  : "not " + inner(node.parts.front());
    case Kind::kAll:
    case Kind::kAny:
      for (const FilterNode& part : node.parts) {
        text += (text.empty()              ? ""
                 : node.kind == Kind::kAll ? " and "
                                           : " or ") +
                (node.kind == Kind::kAny && part.kind == Kind::kAll ? Written(part) : inner(part));
      }
  }
  return text;
}

bool Same(const FilterNode& a, const FilterNode& b) {
  return a.kind == b.kind && a.key == b.key && a.values == b.values &&
         std::ranges::equal(a.parts, b.parts, Same);
}

// What the filter means, by another evaluator; and how deep it is.
struct Meaning {
  const Tags& tags;
  uint32_t conditions = 0;

  bool Of(const FilterNode& node) {
    using Kind = FilterNode::Kind;
    size_t held = 0;
    for (const FilterNode& part : node.parts) {
      held += Of(part) ? 1 : 0;
    }
    conditions += node.kind == Kind::kIn || node.kind == Kind::kExists ? 1 : 0;
    for (const auto& [key, value] : tags) {
      if (node.parts.empty() && key == node.key) {
        return node.kind == Kind::kExists || std::ranges::find(node.values, value) != node.values.end();
      }
    }
    switch (node.kind) {
      case Kind::kNot:
        return held == 0;
      case Kind::kAll:
        return held == node.parts.size();
      default:
        return held > 0;
    }
  }
};

// Tags that the filter names, so that some of them match.
void CollectTags(const FilterNode& node, size_t choice, Tags& tags) {
  if (!node.key.empty() && std::ranges::find(tags, node.key, &Tags::value_type::first) == tags.end()) {
    tags.emplace_back(node.key, node.values.empty() ? "" : node.values[choice % node.values.size()]);
  }
  for (const FilterNode& part : node.parts) {
    CollectTags(part, choice / 2, tags);
  }
}

void RequireOrdered(const FilterNode& node) {
  Require(std::ranges::adjacent_find(node.values, std::greater_equal<>()) == node.values.end(), "values");
  Require(node.kind != FilterNode::Kind::kIn || (!node.values.empty() && !node.key.empty()), "no value");
  std::ranges::for_each(node.parts, RequireOrdered);
}

void RunFilter(std::string_view bytes) {
  Limits limits;
  limits.filter_bytes_max = 1'000;
  const auto filter = Filter::Parse(bytes, limits);
  if (!filter.ok()) {
    RequireError(filter.status(), {kInvalid, kExhausted});
    Require((filter.status().code() == kExhausted) == (bytes.size() > 1'000), "a limit that is none");
    Require(std::string(filter.status().message()).starts_with("filter"), "no field");
    return;
  }
  Require(bytes.size() <= 1'000, "beyond filter_bytes_max");
  if (filter->matches_all()) {
    Require(bytes.find_first_not_of(" \t\r\n") == std::string_view::npos, "words without a meaning");
    return;
  }
  RequireOrdered(filter->root());
  const auto again = Filter::Parse(Written(filter->root()), HighestLimits());
  Require(again.ok() && Same(filter->root(), again->root()),
          "another filter after a round trip: " + Written(filter->root()));
  for (size_t choice = 0; choice < 4; ++choice) {
    Tags tags;
    if (choice > 0) {
      CollectTags(filter->root(), choice, tags);
    }
    Meaning meaning{tags};
    Require(filter->Matches(tags) == meaning.Of(filter->root()), "a filter means something else");
    Require(meaning.conditions <= kFilterConditionsMax, "more conditions than allowed");
  }
}

std::vector<std::string> FilterSeeds() {
  return {"source = demo and not (year in (\"2019\", '20\\'20') or exists retired)",
          "a != x",
          "a not in (1, 2,3) and b = \"\"",
          "not not (a = b)",
          "(a = 1 or b = 2) and (c = 3 or d = 4)",
          "a = x and a = y",
          "a = ",
          " ",
          std::string(33, '(') + "a = b",
          "EXISTS \xc3\xa9 OR \"in\" = AND"};
}

}  // namespace

const std::vector<Target>& QueryTargets() {
  static const std::vector<Target> targets{{"graph", RunGraph, GraphSeeds},
                                           {"filter", RunFilter, FilterSeeds}};
  return targets;
}

}  // namespace kindred::fuzz
