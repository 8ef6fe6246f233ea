#include "client/formats/tu_reader.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "client/formats/record_check.h"
#include "client/formats/tu_set.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

class TuReader : public RecordReader {
 public:
  TuReader(std::unique_ptr<const TuSet> set, bool edge_labels)
      : set_(std::move(set)),
        edge_labels_(edge_labels),
        number_width_(std::to_string(set_->graph_count()).size()) {}

  std::optional<ReadResult> Next() override {
    if (next_ == set_->graph_count()) return std::nullopt;
    const size_t g = next_++;
    std::string id = fmt::format("{}-{:0{}}", set_->name(), g + 1, number_width_);
    absl::StatusOr<v1::Record> record = MakeRecord(g, id);
    if (!CheckId(id).ok()) id.clear();
    return ReadResult{g + 1, std::move(id), std::move(record)};
  }

 private:
  absl::StatusOr<v1::Record> MakeRecord(size_t g, const std::string& id) const {
    if (const absl::Status status = CheckId(id); !status.ok()) return status;
    absl::StatusOr<v1::Graph> graph = set_->Graph(g, edge_labels_);
    if (!graph.ok()) return graph.status();
    v1::Record record;
    record.set_id(id);
    *record.mutable_graph() = *std::move(graph);
    if (const std::optional<std::string_view> label = set_->Class(g); label.has_value()) {
      v1::Tag* tag = record.add_tags();
      tag->set_key("class");
      tag->set_value(label->data(), label->size());
    }
    return record;
  }

  const std::unique_ptr<const TuSet> set_;
  const bool edge_labels_;
  const size_t number_width_;
  size_t next_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RecordReader>> NewTuReader(TuFiles files, const ReadOptions& options) {
  absl::StatusOr<std::unique_ptr<const TuSet>> set = TuSet::Parse(std::move(files));
  if (!set.ok()) return set.status();
  return std::make_unique<TuReader>(*std::move(set), options.edge_labels);
}

}  // namespace kindred::formats
