#include "index/store/codec.h"

#include <algorithm>
#include <cstdint>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/histogram/packed.h"
#include "index/store/schema.h"

namespace kindred {
namespace {

// Labels, vertices, then each edge once, at its smaller end: the gap from there to its larger end.
void AppendGraph(std::string& out, const Graph& graph) {
  AppendVarint(out, graph.labels().size());
  for (const std::string& label : graph.labels()) {
    AppendBytes(out, label);
  }
  VarintAppender numbers(out, 2 + graph.vertex_count() + 3 * size_t{graph.edge_count()});
  numbers.Add(graph.vertex_count());
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    numbers.Add(graph.vertex_label(v));
  }
  numbers.Add(graph.edge_count());
  for (uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (const Graph::Neighbour& neighbour : graph.neighbours(v)) {
      if (v < neighbour.vertex) {
        numbers.Add(v);
        numbers.Add(neighbour.vertex - v);
        numbers.Add(neighbour.edge_label);
      }
    }
  }
}

absl::StatusOr<Graph> ReadGraph(Decoder& decoder) {
  GraphParts parts;
  parts.labels.resize(decoder.Count(1));
  for (std::string& label : parts.labels) {
    label = decoder.Bytes();
  }
  parts.vertices.resize(decoder.Count(1));
  for (uint32_t& label : parts.vertices) {
    label = decoder.Varint32();
  }
  parts.edges.resize(decoder.Count(3));
  for (GraphParts::Edge& edge : parts.edges) {
    edge.from = decoder.Varint32();
    edge.to = edge.from + decoder.Varint32();
    edge.label = decoder.Varint32();
  }
  if (!decoder.ok()) {
    return DataLoss("a stored graph is cut short");
  }
  static constexpr Limits kAnything = [] {
    Limits limits = HighestLimits();
    ++limits.labels_max;  // The empty label of unlabelled edges comes on top.
    return limits;
  }();
  auto graph = Graph::Create(std::move(parts), kAnything);
  if (!graph.ok()) {
    return DataLoss("a stored graph is damaged: {}", graph.status().ToString());
  }
  return graph;
}

Tags ReadTags(Decoder& decoder) {
  Tags tags(decoder.Count(2));
  for (auto& [key, value] : tags) {
    key = decoder.Bytes();
    value = decoder.Bytes();
  }
  return tags;
}

}  // namespace

void EncodeRecord(const StoredRecord& record, std::string& out) {
  out.clear();
  out.push_back(
      static_cast<char>(record.is_molecule ? schema::kMoleculeValueVersion : schema::kGraphValueVersion));
  AppendBytes(out, record.external_id);
  AppendGraph(out, record.graph);
  AppendBytes(out, record.payload);
  AppendVarint(out, record.tags.size());
  for (const auto& [key, value] : record.tags) {
    AppendBytes(out, key);
    AppendBytes(out, value);
  }
}

std::string EncodeRecord(const StoredRecord& record) {
  std::string out;
  EncodeRecord(record, out);
  return out;
}

absl::StatusOr<Tags> DecodeRecordTags(std::string_view bytes) {
  Decoder decoder(bytes);
  const uint8_t version = decoder.Byte();
  if (version != schema::kGraphValueVersion && version != schema::kMoleculeValueVersion) {
    return DataLoss("a stored record has an unknown version");
  }
  decoder.Bytes();
  for (uint64_t labels = decoder.Count(1); labels > 0; --labels) {
    decoder.Bytes();
  }
  decoder.SkipVarints(decoder.Count(1));
  decoder.SkipVarints(3 * decoder.Count(3));
  decoder.Bytes();
  Tags tags = ReadTags(decoder);
  if (!decoder.Done()) {
    return DataLoss("a stored record of {} bytes does not decode", bytes.size());
  }
  return tags;
}

absl::StatusOr<StoredRecord> DecodeRecord(std::string_view bytes) {
  Decoder decoder(bytes);
  const uint8_t version = decoder.Byte();
  if (version != schema::kGraphValueVersion && version != schema::kMoleculeValueVersion) {
    return DataLoss("a stored record has an unknown version");
  }
  std::string external_id(decoder.Bytes());
  KINDRED_ASSIGN_OR_RETURN(Graph graph, ReadGraph(decoder));
  StoredRecord record{std::move(external_id), std::move(graph), std::string(decoder.Bytes()), {}};
  record.is_molecule = version == schema::kMoleculeValueVersion;
  record.tags = ReadTags(decoder);
  if (!decoder.Done()) {
    return DataLoss("a stored record of {} bytes does not decode", bytes.size());
  }
  return record;
}

void EncodeHistogram(std::string_view external_id, const Histogram& histogram, std::string& out) {
  out.clear();
  out.push_back(static_cast<char>(schema::kHistogramValueVersion));
  AppendBytes(out, external_id);
  AppendVarint(out, histogram.vertex_count());
  AppendVarint(out, histogram.depth());
  AppendPacked(out, histogram);
}

std::string EncodeHistogram(std::string_view external_id, const Histogram& histogram) {
  std::string out;
  EncodeHistogram(external_id, histogram, out);
  return out;
}

EncodedHistogram ReadEncoded(std::string_view bytes) {
  Decoder decoder(bytes);
  decoder.Byte();
  const std::string_view external_id = decoder.Bytes();
  const uint32_t vertex_count = decoder.Varint32();
  decoder.Varint();
  return {external_id, vertex_count, decoder.rest()};
}

absl::StatusOr<EncodedHistogram> CheckHistogram(std::string_view bytes, Level depth, WornLevels* worn) {
  Decoder decoder(bytes);
  if (decoder.Byte() != schema::kHistogramValueVersion) {
    return DataLoss("a stored histogram has an unknown version");
  }
  const std::string_view external_id = decoder.Bytes();
  const uint32_t vertex_count = decoder.Varint32();
  if (decoder.Varint() != depth || !decoder.ok()) {
    return DataLoss("a stored histogram is damaged or of another depth than {}", depth);
  }
  KINDRED_RETURN_IF_ERROR(CheckPacked(decoder.rest(), vertex_count, depth, worn));
  return EncodedHistogram{external_id, vertex_count, decoder.rest()};
}

absl::StatusOr<StoredHistogram> DecodeHistogram(std::string_view bytes, Level depth) {
  KINDRED_ASSIGN_OR_RETURN(const EncodedHistogram encoded, CheckHistogram(bytes, depth));
  KINDRED_ASSIGN_OR_RETURN(Histogram histogram, ReadPacked(encoded.packed, encoded.vertex_count, depth));
  return StoredHistogram{std::string(encoded.external_id), std::move(histogram)};
}

absl::Status ForEachSignature(ColourId first, std::string_view row,
                              const std::function<absl::Status(ColourId, std::string_view)>& visit) {
  Decoder signatures(row);
  for (uint32_t id = Raw(first); !signatures.rest().empty(); ++id) {
    const std::string_view signature = signatures.Bytes();
    if (!signatures.ok()) {
      return DataLoss("store: the row of colour {} does not decode at colour {}", Raw(first), id);
    }
    KINDRED_RETURN_IF_ERROR(visit(ColourId{id}, signature));
  }
  return absl::OkStatus();
}

void ClientPosition::Advance(uint64_t fingerprint) {
  ++client_sequence;
  fingerprints.push_back(fingerprint);
  if (fingerprints.size() > kFramesKept) {
    fingerprints.pop_front();
  }
}

std::optional<uint64_t> ClientPosition::FingerprintOf(uint64_t number) const {
  const uint64_t back = client_sequence - number;
  return back < fingerprints.size() ? std::optional(fingerprints[fingerprints.size() - 1 - back])
                                    : std::nullopt;
}

std::string EncodePosition(const ClientPosition& position) {
  std::string out;
  out.push_back(static_cast<char>(schema::kPositionValueVersion));
  AppendFixed64(out, position.client_sequence);
  for (const uint64_t fingerprint : position.fingerprints) {
    AppendFixed64(out, fingerprint);
  }
  return out;
}

absl::StatusOr<ClientPosition> DecodePosition(std::string_view bytes) {
  Decoder decoder(bytes);
  if (decoder.Byte() != schema::kPositionValueVersion) {
    return DataLoss("a client's position has an unknown version");
  }
  ClientPosition position;
  position.client_sequence = decoder.Fixed64();
  while (decoder.ok() && !decoder.Done()) {
    position.fingerprints.push_back(decoder.Fixed64());
  }
  const uint64_t kept = std::min<uint64_t>(position.client_sequence, ClientPosition::kFramesKept);
  if (!decoder.ok() || position.client_sequence == 0 || position.fingerprints.size() != kept) {
    return DataLoss("a client's position of {} bytes does not decode", bytes.size());
  }
  return position;
}

}  // namespace kindred
