// The rows of a part of the graphs that a start reads, until it is known how much room they take: segments
// that grow as they are read are copied again and again.
//
// Threads: one at a time.
// Cost: the external ids and packed histograms of the part; Clear keeps the memory for the next.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/ids.h"
#include "index/base/tags.h"
#include "index/engine/id_index.h"
#include "index/lists/segment.h"
#include "index/store/codec.h"

namespace kindred {

struct TagsOfGraph {
  GraphId graph{};
  Tags tags;
};

class PartRows {
 public:
  void Add(GraphId id, const EncodedHistogram& histogram) {
    rows_.push_back({id, histogram.vertex_count, static_cast<uint32_t>(histogram.external_id.size()),
                     static_cast<uint32_t>(histogram.packed.size())});
    id_bytes_ += GraphTable::IdBytes(histogram.external_id);
    bytes_.append(histogram.external_id).append(histogram.packed);
  }

  // `tags`: of those that have some, in the order of the ids.
  std::shared_ptr<const Segment> BuildSegment(std::span<const TagsOfGraph> tags) const {
    PlainSegmentBuilder builder;
    size_t external_id_bytes = 0;
    for (const Row& row : rows_) {
      external_id_bytes += row.external_id_bytes;
    }
    builder.Reserve(rows_.size(), id_bytes_, bytes_.size() - external_id_bytes);
    std::string_view rest(bytes_);
    for (const Row& row : rows_) {
      builder.Add(row.id, rest.substr(0, row.external_id_bytes), row.vertex_count,
                  rest.substr(row.external_id_bytes, row.packed_bytes));
      rest.remove_prefix(row.external_id_bytes + row.packed_bytes);
      // Records and histograms are of the same graphs, or the start fails.
      if (!tags.empty() && tags.front().graph == row.id) {
        builder.AddTags(tags.front().tags);
        tags = tags.subspan(1);
      }
    }
    return std::move(builder).Build();
  }

  // `alike` gets those whose id may be that of another graph: it has the same hash.
  void PutIds(IdIndex& ids, std::vector<std::pair<GraphId, GraphId>>& alike) const {
    constexpr size_t kAhead = 8;
    std::vector<std::string_view> external_ids;
    external_ids.reserve(rows_.size());
    std::string_view rest(bytes_);
    for (const Row& row : rows_) {
      external_ids.push_back(rest.substr(0, row.external_id_bytes));
      rest.remove_prefix(row.external_id_bytes + row.packed_bytes);
    }
    const IdIndex::View view = ids.view();
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (i + kAhead < rows_.size()) {
        view.Prefetch(external_ids[i + kAhead]);
      }
      ids.Put(external_ids[i], rows_[i].id, [&](GraphId other) {
        alike.emplace_back(other, rows_[i].id);
        return false;
      });
    }
  }

  // Keeps the memory.
  void Clear() {
    rows_.clear();
    bytes_.clear();
    id_bytes_ = 0;
  }

 private:
  struct Row {
    GraphId id{};
    uint32_t vertex_count = 0;
    uint32_t external_id_bytes = 0;
    uint32_t packed_bytes = 0;
  };

  std::vector<Row> rows_;
  std::string bytes_;  // External id, packed histogram; row after row.
  size_t id_bytes_ = 0;
};

}  // namespace kindred
