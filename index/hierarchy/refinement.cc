#include "index/hierarchy/refinement.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "index/base/check.h"

namespace kindred {
namespace {

// Stand for what has not been looked up yet. No id is as large.
constexpr LabelId kUntriedLabel{UINT32_MAX - 1};
constexpr ColourId kUntriedColour{UINT32_MAX - 1};

// Ids for what a table lacks, from where it ends, kept aside.
class Provisional {
 public:
  explicit Provisional(uint32_t first) : first_(first) {}

  uint32_t Intern(std::string_view bytes) {
    const auto id = static_cast<uint32_t>(first_ + ids_.size());
    return ids_.try_emplace(std::string(bytes), id).first->second;
  }
  size_t size() const { return ids_.size(); }

 private:
  uint32_t first_;
  std::unordered_map<std::string, uint32_t> ids_;
};

}  // namespace

template <typename Resolve>
void Refiner::ResolveLabels(const Graph& graph, Resolve resolve) {
  labels_.assign(graph.labels().size(), kUntriedLabel);
  const auto use = [&](uint32_t label) {
    if (labels_[label] == kUntriedLabel) {
      labels_[label] = resolve(graph.labels()[label]);
    }
  };
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    use(graph.vertex_label(v));
  }
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      use(neighbour.edge_label);
    }
  }
}

// Many vertices share a label: each is looked up once.
void Refiner::FindLabelColours(const ColourHierarchy::View& known, const Graph& graph,
                               std::span<ColourId> colours) {
  label_colours_.assign(labels_.size(), kUntriedColour);
  writer_.Clear(graph);
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    const uint32_t label = graph.vertex_label(v);
    ColourId& colour = label_colours_[label];
    if (colour == kUntriedColour) {
      colour = labels_[label] == kUnknownLabel
                   ? kUnknownColour
                   : known.FindColour(writer_.WriteLabel(labels_[label])).value_or(kUnknownColour);
    }
    colours[v] = colour;
  }
}

VertexColours Refiner::RefineKnown(const ColourHierarchy::View& known, const Graph& graph, Level depth) {
  ResolveLabels(graph,
                [&](std::string_view label) { return known.FindLabel(label).value_or(kUnknownLabel); });
  VertexColours colours(graph.vertex_count(), depth);
  FindLabelColours(known, graph, colours.at_level(0));
  signatures_.resize(graph.vertex_count());
  vertices_.resize(graph.vertex_count());
  found_.resize(graph.vertex_count());
  for (Level level = 1; level <= depth; ++level) {
    writer_.Clear(graph);
    size_t count = 0;
    const auto above = std::as_const(colours).at_level(level - 1);
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      if (const auto signature = writer_.Write(graph, labels_, above, level, v)) {
        signatures_[count] = *signature;
        vertices_[count++] = v;
      }
    }
    known.FindColours(std::span(signatures_).first(count), std::span(found_).first(count));
    const auto at_level = colours.at_level(level);
    for (size_t i = 0; i < count; ++i) {
      at_level[vertices_[i]] = found_[i];
    }
  }
  return colours;
}

void Refiner::FindMissing(const ColourHierarchy::View& known, const Graph& graph, VertexColours& colours) {
  ResolveLabels(graph,
                [&](std::string_view label) { return known.FindLabel(label).value_or(kUnknownLabel); });
  for (Level level = 0; level <= colours.depth(); ++level) {
    writer_.Clear(graph);
    const auto at_level = colours.at_level(level);
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      if (at_level[v] != kUnknownColour) {
        continue;
      }
      std::optional<std::string_view> signature;
      if (level > 0) {
        signature = writer_.Write(graph, labels_, std::as_const(colours).at_level(level - 1), level, v);
      } else if (labels_[graph.vertex_label(v)] != kUnknownLabel) {
        signature = writer_.WriteLabel(labels_[graph.vertex_label(v)]);
      }
      if (signature) {
        at_level[v] = known.FindColour(*signature).value_or(kUnknownColour);
      }
    }
  }
}

// Gives every unknown colour an id from `intern_colour(signature)`, level by level, vertex by vertex.
template <typename InternLabel, typename InternColour>
void Refiner::AssignMissing(const Graph& graph, VertexColours& colours, InternLabel intern_label,
                            InternColour intern_colour) {
  ResolveLabels(graph, intern_label);
  for (Level level = 0; level <= colours.depth(); ++level) {
    writer_.Clear(graph);
    const auto at_level = colours.at_level(level);
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      if (at_level[v] != kUnknownColour) {
        continue;
      }
      if (level == 0) {
        at_level[v] = intern_colour(writer_.WriteLabel(labels_[graph.vertex_label(v)]));
      } else {
        const auto above = std::as_const(colours).at_level(level - 1);
        const auto signature = writer_.Write(graph, labels_, above, level, v);
        KINDRED_CHECK(signature.has_value());
        at_level[v] = intern_colour(*signature);
      }
    }
  }
}

void Refiner::IssueMissing(ColourHierarchy& hierarchy, const Graph& graph, VertexColours& colours) {
  AssignMissing(
      graph, colours, [&](std::string_view label) { return hierarchy.InternLabel(label); },
      [&](std::string_view signature) { return hierarchy.InternColour(signature); });
}

uint64_t Refiner::CountMissing(const ColourHierarchy& hierarchy, const Graph& graph, VertexColours colours) {
  const ColourHierarchy::View known = hierarchy.view();
  Provisional labels(hierarchy.label_count());
  Provisional added(hierarchy.colour_count());
  AssignMissing(
      graph, colours,
      [&](std::string_view label) {
        const auto found = known.FindLabel(label);
        return found ? *found : LabelId{labels.Intern(label)};
      },
      [&](std::string_view signature) {
        const auto found = known.FindColour(signature);
        return found ? *found : ColourId{added.Intern(signature)};
      });
  return added.size();
}

MissingColours Refiner::ListMissing(const ColourHierarchy::View& known, const Graph& graph,
                                    const VertexColours& colours) {
  MissingColours missing;
  ResolveLabels(graph, [&](std::string_view label) {
    const auto found = known.FindLabel(label);
    if (!found) {
      missing.labels.emplace_back(label);
    }
    return found.value_or(kUnknownLabel);
  });
  writer_.Clear(graph);
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    Level level = 0;
    while (level <= colours.depth() && colours.at_level(level)[v] != kUnknownColour) {
      ++level;
    }
    if (level > colours.depth()) {
      continue;
    }
    std::optional<std::string_view> signature;
    if (level > 0) {
      signature = writer_.Write(graph, labels_, colours.at_level(level - 1), level, v);
    } else if (labels_[graph.vertex_label(v)] != kUnknownLabel) {
      signature = writer_.WriteLabel(labels_[graph.vertex_label(v)]);
    }
    if (signature) {
      missing.vertices.push_back({v, level, std::string(*signature)});
    }
  }
  return missing;
}

PairColours Refiner::RefinePair(const Graph& a, const Graph& b, Level depth) {
  Provisional labels(0);
  Provisional signatures(0);
  const auto intern_label = [&](std::string_view label) { return LabelId{labels.Intern(label)}; };
  const auto intern_colour = [&](std::string_view signature) {
    return ColourId{signatures.Intern(signature)};
  };
  PairColours colours{VertexColours(a.vertex_count(), depth), VertexColours(b.vertex_count(), depth)};
  AssignMissing(a, colours.a, intern_label, intern_colour);
  AssignMissing(b, colours.b, intern_label, intern_colour);
  return colours;
}

VertexColours RefineKnown(const ColourHierarchy::View& known, const Graph& graph, Level depth) {
  return Refiner().RefineKnown(known, graph, depth);
}

uint64_t CountMissing(const ColourHierarchy& hierarchy, const Graph& graph, VertexColours colours) {
  return Refiner().CountMissing(hierarchy, graph, std::move(colours));
}

void IssueMissing(ColourHierarchy& hierarchy, const Graph& graph, VertexColours& colours) {
  Refiner().IssueMissing(hierarchy, graph, colours);
}

PairColours RefinePair(const Graph& a, const Graph& b, Level depth) {
  return Refiner().RefinePair(a, b, depth);
}

}  // namespace kindred
