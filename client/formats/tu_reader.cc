#include "client/formats/tu_reader.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "client/formats/parallel_reader.h"
#include "client/formats/record_check.h"
#include "client/formats/tu_set.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

// The numbers of the graphs: their text lies in the set.
class GraphNumbers : public RawRecords {
 public:
  explicit GraphNumbers(size_t count) : count_(count) {}

  std::optional<RawRecord> Next() override {
    if (next_ == count_) return std::nullopt;
    return RawRecord{++next_, std::string()};
  }

  bool Ready() const override { return true; }

 private:
  const size_t count_;
  size_t next_ = 0;
};

absl::StatusOr<v1::Record> MakeRecord(const TuSet& set, size_t g, const std::string& id, bool edge_labels) {
  if (const absl::Status status = CheckId(id); !status.ok()) return status;
  absl::StatusOr<v1::Graph> graph = set.Graph(g, edge_labels);
  if (!graph.ok()) return graph.status();
  v1::Record record;
  record.set_id(id);
  *record.mutable_graph() = *std::move(graph);
  if (const std::optional<std::string_view> label = set.Class(g); label.has_value()) {
    v1::Tag* tag = record.add_tags();
    tag->set_key("class");
    tag->set_value(label->data(), label->size());
  }
  return record;
}

ReadResult ReadGraph(const TuSet& set, uint64_t number, bool edge_labels) {
  const size_t number_width = std::to_string(set.graph_count()).size();
  std::string id = fmt::format("{}-{:0{}}", set.name(), number, number_width);
  absl::StatusOr<v1::Record> record = MakeRecord(set, static_cast<size_t>(number - 1), id, edge_labels);
  if (!CheckId(id).ok()) id.clear();
  return ReadResult{number, std::move(id), std::move(record)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordReader>> NewTuReader(TuFiles files, const ReadOptions& options) {
  absl::StatusOr<std::unique_ptr<const TuSet>> parsed = TuSet::Parse(std::move(files));
  if (!parsed.ok()) return parsed.status();
  const std::shared_ptr<const TuSet> set = *std::move(parsed);
  return std::make_unique<ParallelReader>(
      std::make_unique<GraphNumbers>(set->graph_count()),
      [set, edge_labels = options.edge_labels](uint64_t number, std::string_view) {
        return ReadGraph(*set, number, edge_labels);
      },
      options.threads);
}

}  // namespace kindred::formats
