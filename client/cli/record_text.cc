#include "client/cli/record_text.h"

#include <map>

#include "client/cli/table.h"
#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

constexpr size_t kShortBytesMax = 200;

// "26 (C 20, N 4, O 2)", by number and then by label.
std::string CountLabels(const v1::Graph& graph) {
  std::map<std::string, uint64_t> counts;
  for (const uint32_t label : graph.vertices()) {
    if (label < static_cast<uint32_t>(graph.labels_size())) {
      ++counts[graph.labels(static_cast<int>(label))];
    }
  }
  std::multimap<uint64_t, std::string, std::greater<>> by_count;
  for (const auto& [label, count] : counts) {
    by_count.emplace(count, label);
  }
  std::string text;
  for (const auto& [count, label] : by_count) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", label.empty() ? "\"\"" : label, count);
  }
  return fmt::format("{} ({})", graph.vertices_size(), text);
}

}  // namespace

std::string ShortPayload(const std::string& payload) {
  return payload.size() <= kShortBytesMax && IsPrintable(payload) ? payload : "";
}

std::string TagList(const google::protobuf::RepeatedPtrField<v1::Tag>& tags) {
  std::string text;
  for (const v1::Tag& tag : tags) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", tag.key(), tag.value());
  }
  return text;
}

std::string DescribeRecord(const v1::Record& record) {
  const v1::Graph& graph = record.graph();
  Table table({{""}, {""}});
  table.AddRow({"id", record.id()});
  table.AddRow({"vertices", CountLabels(graph)});
  table.AddRow({"edges", fmt::format("{}{}", graph.edges_size() / 2,
                                     graph.edge_labels_size() > 0 ? " (labelled)" : "")});
  if (!record.payload().empty()) {
    table.AddRow({"payload", IsPrintable(record.payload())
                                 ? record.payload()
                                 : fmt::format("{} bytes", record.payload().size())});
  }
  if (!record.molecule_scheme().empty()) {
    table.AddRow({"molecule as", record.molecule_scheme()});
  }
  for (const v1::Tag& tag : record.tags()) {
    table.AddRow({"tag " + tag.key(), tag.value()});
  }
  return table.Render(false);
}

}  // namespace kindred::cli
