#include "bench/labelled_graphs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "client/formats/record_reader.h"
#include "index/base/status.h"
#include "wire/graph.h"

namespace kindred::bench {

absl::StatusOr<LabelledGraphs> ReadLabelledGraphs(const std::string& path, bool edge_labels) {
  formats::ReadOptions options;
  options.edge_labels = edge_labels;
  KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(path, options));
  LabelledGraphs set;
  // MUTAG of .../MUTAG.tar.gz and of .../MUTAG/.
  const std::filesystem::path file(path);
  set.name = (file.has_filename() ? file : file.parent_path()).filename().string();
  set.name = set.name.substr(0, set.name.find('.'));
  std::map<std::string, int> numbers;
  while (auto result = reader->Next()) {
    const std::string where = fmt::format("{}, {}: ", path, result->position);
    if (!result->record.ok()) {
      return Annotate(result->record.status(), where);
    }
    auto graph = ToGraph(result->record->graph(), HighestLimits());
    if (!graph.ok()) {
      return Annotate(graph.status(), where);
    }
    const auto& tags = result->record->tags();
    const auto tag = std::ranges::find_if(tags, [](const v1::Tag& each) { return each.key() == "class"; });
    if (tag == tags.end()) {
      return InvalidArgument("{}has no class", where);
    }
    set.graphs.push_back(*std::move(graph));
    set.classes.push_back(numbers.emplace(tag->value(), static_cast<int>(numbers.size())).first->second);
  }
  set.class_count = static_cast<int>(numbers.size());
  if (set.class_count < 2) {
    return InvalidArgument("{}: has {} classes; two at least are needed", path, set.class_count);
  }
  return set;
}

}  // namespace kindred::bench
