#include "index/hierarchy/refinement.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "index/base/check.h"

namespace kindred {
namespace {

constexpr LabelId kUnknownLabel{UINT32_MAX};

// The index-wide ids of the labels a graph uses. Those it only lists stay unknown.
template <typename Resolve>
std::vector<LabelId> ResolveLabels(const Graph& graph, Resolve resolve) {
  std::vector<LabelId> ids(graph.labels().size(), kUnknownLabel);
  std::vector<bool> tried(ids.size(), false);
  const auto use = [&](uint32_t label) {
    if (!tried[label]) {
      tried[label] = true;
      ids[label] = resolve(graph.labels()[label]);
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
  return ids;
}

// The signatures of one graph, written one after the other into the same buffers.
class SignatureWriter {
 public:
  SignatureWriter(const Graph& graph, std::vector<LabelId> labels)
      : graph_(graph), labels_(std::move(labels)) {}

  // The encoded signature of a vertex, or nothing when it names an unknown label or colour. Valid until
  // the next call.
  std::optional<std::string_view> Write(const VertexColours& colours, Level level, uint32_t vertex) {
    signature_.level = level;
    signature_.arms.clear();
    const bool known = level == 0 ? WriteLabel(vertex) : WriteArms(colours.at_level(level - 1), vertex);
    if (!known) {
      return std::nullopt;
    }
    EncodeSignature(signature_, encoded_);
    return encoded_;
  }

 private:
  bool WriteLabel(uint32_t vertex) {
    signature_.label = labels_[graph_.vertex_label(vertex)];
    return signature_.label != kUnknownLabel;
  }

  bool WriteArms(std::span<const ColourId> above, uint32_t vertex) {
    signature_.parent = above[vertex];
    if (signature_.parent == kUnknownColour) {
      return false;
    }
    for (const Graph::Neighbour& neighbour : graph_.neighbours(vertex)) {
      const Arm arm{labels_[neighbour.edge_label], above[neighbour.vertex]};
      if (arm.edge_label == kUnknownLabel || arm.colour == kUnknownColour) {
        return false;
      }
      signature_.arms.push_back(arm);
    }
    std::sort(signature_.arms.begin(), signature_.arms.end());
    return true;
  }

  const Graph& graph_;
  const std::vector<LabelId> labels_;
  Signature signature_;
  std::string encoded_;
};

// The signatures of one level of a graph, one after the other in one buffer, to be looked up together.
class LevelSignatures {
 public:
  void Clear() {
    bytes_.clear();
    vertices_.clear();
    ends_.clear();
  }
  void Add(uint32_t vertex, std::string_view signature) {
    bytes_.append(signature);
    vertices_.push_back(vertex);
    ends_.push_back(bytes_.size());
  }

  // Gives each vertex its colour, as far as it is known.
  void Find(const ColourHierarchy::View& known, std::span<ColourId> colours) {
    signatures_.clear();
    size_t begin = 0;
    for (const size_t end : ends_) {
      signatures_.push_back(std::string_view(bytes_).substr(begin, end - begin));
      begin = end;
    }
    found_.resize(signatures_.size());
    known.FindColours(signatures_, found_);
    for (size_t i = 0; i < found_.size(); ++i) {
      colours[vertices_[i]] = found_[i];
    }
  }

 private:
  std::string bytes_;
  std::vector<uint32_t> vertices_;  // Whose signature it is.
  std::vector<size_t> ends_;        // Where it ends in the buffer, which moves while it grows.
  std::vector<std::string_view> signatures_;
  std::vector<ColourId> found_;
};

// Gives every unknown colour an id from `intern_colour(signature)`, level by level, vertex by vertex.
template <typename InternLabel, typename InternColour>
void AssignMissing(const Graph& graph, VertexColours& colours, InternLabel intern_label,
                   InternColour intern_colour) {
  SignatureWriter writer(graph, ResolveLabels(graph, intern_label));
  for (Level level = 0; level <= colours.depth(); ++level) {
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      ColourId& colour = colours.at_level(level)[v];
      if (colour == kUnknownColour) {
        const auto signature = writer.Write(colours, level, v);
        KINDRED_CHECK(signature.has_value());
        colour = intern_colour(*signature);
      }
    }
  }
}

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

VertexColours RefineKnown(const ColourHierarchy::View& known, const Graph& graph, Level depth) {
  SignatureWriter writer(graph, ResolveLabels(graph, [&](std::string_view label) {
                           return known.FindLabel(label).value_or(kUnknownLabel);
                         }));
  VertexColours colours(graph.vertex_count(), depth);
  LevelSignatures signatures;
  for (Level level = 0; level <= depth; ++level) {
    signatures.Clear();
    for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
      if (const auto signature = writer.Write(colours, level, v)) {
        signatures.Add(v, *signature);
      }
    }
    signatures.Find(known, colours.at_level(level));
  }
  return colours;
}

uint64_t CountMissing(const ColourHierarchy& hierarchy, const Graph& graph, VertexColours colours) {
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

void IssueMissing(ColourHierarchy& hierarchy, const Graph& graph, VertexColours& colours) {
  AssignMissing(
      graph, colours, [&](std::string_view label) { return hierarchy.InternLabel(label); },
      [&](std::string_view signature) { return hierarchy.InternColour(signature); });
}

}  // namespace kindred
