#include "client/formats/jsonl_writer.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "client/formats/record_check.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace kindred::formats {

namespace {

// Checked for UTF-8 before: dump throws otherwise.
std::string Quoted(const std::string& text) { return nlohmann::json(text).dump(); }

absl::Status CheckGraph(const v1::Graph& graph) {
  const auto labels = static_cast<uint32_t>(graph.labels_size());
  for (const std::string& label : graph.labels()) {
    if (!IsUtf8(label)) return absl::InvalidArgumentError("graph.labels: one is not UTF-8");
  }
  for (const uint32_t label : graph.vertices()) {
    if (label >= labels) return absl::InvalidArgumentError("graph.vertices: one points beyond the labels");
  }
  if (graph.edges_size() % 2 != 0) return absl::InvalidArgumentError("graph.edges: half an edge at the end");
  if (graph.edge_labels_size() != 0 && graph.edge_labels_size() * 2 != graph.edges_size()) {
    return absl::InvalidArgumentError("graph.edge_labels: not one an edge");
  }
  for (const uint32_t label : graph.edge_labels()) {
    if (label > labels) return absl::InvalidArgumentError("graph.edge_labels: one points beyond the labels");
  }
  return absl::OkStatus();
}

absl::Status CheckRecord(const v1::Record& record) {
  if (const absl::Status id = CheckId(record.id()); !id.ok()) return id;
  if (!IsUtf8(record.molecule_scheme())) return absl::InvalidArgumentError("molecule_scheme: is not UTF-8");
  for (const v1::Tag& tag : record.tags()) {
    if (!IsUtf8(tag.key()) || !IsUtf8(tag.value())) {
      return absl::InvalidArgumentError("tags: one is not UTF-8");
    }
  }
  return CheckGraph(record.graph());
}

void AppendGraph(const v1::Graph& graph, std::string& line) {
  std::vector<std::string> labels;
  for (const std::string& label : graph.labels()) labels.push_back(Quoted(label));
  line += R"(,"vertices":[)";
  for (int v = 0; v < graph.vertices_size(); ++v) {
    if (v != 0) line += ',';
    line += labels[graph.vertices(v)];
  }
  line += R"(],"edges":[)";
  for (int e = 0; e < graph.edges_size() / 2; ++e) {
    if (e != 0) line += ',';
    fmt::format_to(std::back_inserter(line), "[{},{}", graph.edges(2 * e), graph.edges(2 * e + 1));
    const uint32_t label = graph.edge_labels_size() == 0 ? 0 : graph.edge_labels(e);
    if (label != 0 && !graph.labels(static_cast<int>(label - 1)).empty()) {
      line += ',';
      line += labels[label - 1];
    }
    line += ']';
  }
  line += ']';
}

void AppendPayload(const std::string& payload, std::string& line) {
  if (payload.empty()) return;
  if (IsUtf8(payload)) {
    line += R"(,"payload":)";
    line += Quoted(payload);
  } else {
    line += R"(,"payload_base64":")";
    line += absl::Base64Escape(payload);
    line += '"';
  }
}

void AppendTags(const v1::Record& record, std::string& line) {
  if (record.tags().empty()) return;
  std::string_view separator = R"(,"tags":{)";
  for (const v1::Tag& tag : record.tags()) {
    line += separator;
    line += Quoted(tag.key());
    line += ':';
    line += Quoted(tag.value());
    separator = ",";
  }
  line += '}';
}

}  // namespace

absl::StatusOr<std::string> ToJsonLine(const v1::Record& record) {
  const absl::Status check = CheckRecord(record);
  if (!check.ok()) return check;
  std::string line = R"({"id":)";
  line += Quoted(record.id());
  AppendGraph(record.graph(), line);
  AppendPayload(record.payload(), line);
  AppendTags(record, line);
  if (!record.molecule_scheme().empty()) {
    line += R"(,"molecule_scheme":)";
    line += Quoted(record.molecule_scheme());
  }
  line += '}';
  return line;
}

}  // namespace kindred::formats
