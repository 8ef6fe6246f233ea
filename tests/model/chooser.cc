#include "tests/model/chooser.h"

#include <iterator>

#include "index/filter/filter.h"

namespace kindred::test {

Graph Chooser::RandomlyMadeGraph() {
  return RandomGraph(rng_, {.vertices_max = static_cast<uint32_t>(3 + Below(5)),
                            .edge_probability = 0.35,
                            .vertex_labels = static_cast<uint32_t>(1 + Below(3))});
}

KeptRecord Chooser::Record() {
  KeptRecord record{RandomlyMadeGraph(), "", {}, 0};
  if (Once(2)) {
    record.payload.assign(Below(40), static_cast<char>('a' + Below(26)));
  }
  if (!Once(3)) {
    record.tags = RandomTags(rng_);
  }
  return record;
}

v1::WriteMode Chooser::Mode() {
  static constexpr v1::WriteMode kModes[] = {v1::WRITE_MODE_UNSPECIFIED, v1::WRITE_MODE_UPSERT,
                                             v1::WRITE_MODE_UPSERT, v1::WRITE_MODE_INSERT,
                                             v1::WRITE_MODE_REPLACE};
  return kModes[Below(std::size(kModes))];
}

ChosenFilter Chooser::Filter() {
  while (Once(2)) {
    const RandomFilter filter = MakeRandomFilter(rng_, 2);
    if (kindred::Filter::Parse(filter.text, Limits()).ok()) {  // Contradictions are refused.
      return {filter.text, filter.matches};
    }
  }
  return {"", [](const TagMap&) { return true; }};
}

ChosenScoring Chooser::Scoring() {
  ChosenScoring scoring;
  scoring.measure = static_cast<Measure>(Below(3));
  if (Once(2)) {
    scoring.depth = static_cast<uint32_t>(Below(depth_ + 1u));
  }
  const uint32_t levels = scoring.depth.value_or(depth_) + 1;
  if (Once(2)) {
    const bool whole = Once(2);
    for (uint32_t level = 0; level < levels; ++level) {
      scoring.weights.push_back(whole ? static_cast<double>(Below(4)) : static_cast<double>(Below(8)) / 4);
    }
    scoring.weights[Below(levels)] = 1;  // Not all may be 0.
  }
  return scoring;
}

double Chooser::Threshold(Measure measure) {
  const auto tenths = static_cast<double>(1 + Below(10));
  return measure == Measure::kKernel ? tenths : tenths / 10;
}

v1::Graph MessageOf(const Graph& graph) {
  v1::Graph message;
  const GraphParts parts = PartsOf(graph);
  message.mutable_labels()->Add(parts.labels.begin(), parts.labels.end());
  message.mutable_vertices()->Add(parts.vertices.begin(), parts.vertices.end());
  for (const GraphParts::Edge& edge : parts.edges) {
    message.add_edges(edge.from);
    message.add_edges(edge.to);
    message.add_edge_labels(edge.label + 1);
  }
  return message;
}

v1::Record MessageOf(const std::string& id, const KeptRecord& record) {
  v1::Record message;
  message.set_id(id);
  *message.mutable_graph() = MessageOf(record.graph);
  message.set_payload(record.payload);
  for (const auto& [key, value] : record.tags) {
    v1::Tag& tag = *message.add_tags();
    tag.set_key(key);
    tag.set_value(value);
  }
  return message;
}

v1::Measure MessageOf(Measure measure) {
  switch (measure) {
    case Measure::kKernel:
      return v1::MEASURE_KERNEL;
    case Measure::kCosine:
      return v1::MEASURE_COSINE;
    case Measure::kTanimoto:
      break;
  }
  return v1::MEASURE_TANIMOTO;
}

}  // namespace kindred::test
