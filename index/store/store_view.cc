#include "index/store/store_view.h"

#include <memory>
#include <string>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/store/rocks_status.h"

namespace kindred {

using schema::Family;

namespace {

std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

absl::Status BadKey(const char* family) {
  return DataLoss("store: a key of {} has the wrong length", family);
}

absl::Status AddGraph(std::string_view id, std::string_view where, GraphSet& graphs) {
  if (id.size() != 8) {
    return DataLoss("store: {} has the wrong length", where);
  }
  graphs.Add(GraphId{Decoder(id).Fixed64()});
  return absl::OkStatus();
}

}  // namespace

StoreView::StoreView(const Store& store) : store_(store), snapshot_(store.db().GetSnapshot()) {}

StoreView::~StoreView() { store_.db().ReleaseSnapshot(snapshot_); }

absl::StatusOr<std::optional<std::string>> StoreView::Read(Family family, std::string_view key) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot_;
  std::string value;
  const rocksdb::Status status = store_.db().Get(options, store_.family(family), key, &value);
  if (status.IsNotFound()) {
    return std::nullopt;
  }
  KINDRED_RETURN_IF_ERROR(FromRocks(status, "read"));
  return value;
}

absl::Status StoreView::ForEachRow(Family family, std::string_view begin, std::string_view end,
                                   const RowVisitor& visit) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot_;
  options.fill_cache = false;
  options.readahead_size = 1 << 20;
  // There are none. Looking for them, RocksDB 7.8 goes past a damaged table, and says OK at the end
  // (facebook/rocksdb#11782).
  options.ignore_range_deletions = true;
  const rocksdb::Slice upper(end.data(), end.size());
  if (!end.empty()) {
    options.iterate_upper_bound = &upper;
  }
  const std::unique_ptr<rocksdb::Iterator> rows(store_.db().NewIterator(options, store_.family(family)));
  for (rows->Seek(begin); rows->Valid(); rows->Next()) {
    KINDRED_RETURN_IF_ERROR(visit(ToView(rows->key()), ToView(rows->value())));
  }
  return FromRocks(rows->status(), "scan");
}

absl::StatusOr<CommitSequence> StoreView::sequence() const {
  KINDRED_ASSIGN_OR_RETURN(const auto value, Read(Family::kMeta, schema::kMetaSequence));
  if (!value || value->size() != 8) {
    return DataLoss("store: the commit sequence is missing or damaged");
  }
  return CommitSequence{Decoder(*value).Fixed64()};
}

absl::StatusOr<Totals> StoreView::totals() const {
  KINDRED_ASSIGN_OR_RETURN(const auto value, Read(Family::kMeta, schema::kMetaTotals));
  return DecodeTotals(value.value_or(""));
}

absl::StatusOr<bool> StoreView::Empty() const {
  for (const Family family : {Family::kGraphs, Family::kColours}) {
    bool found = false;
    const absl::Status status = ForEachRow(family, "", "", [&](std::string_view, std::string_view) {
      found = true;
      return absl::CancelledError();
    });
    if (found) {
      return false;
    }
    KINDRED_RETURN_IF_ERROR(status);
  }
  return true;
}

absl::StatusOr<std::optional<GraphId>> StoreView::FindGraph(std::string_view external_id) const {
  KINDRED_ASSIGN_OR_RETURN(const auto value, Read(Family::kIds, external_id));
  if (!value) {
    return std::nullopt;
  }
  if (value->size() != 8) {
    return DataLoss("store: the row of external id {} is damaged", external_id);
  }
  return GraphId{Decoder(*value).Fixed64()};
}

absl::StatusOr<ClientPosition> StoreView::ReadPosition(std::string_view client_id) const {
  KINDRED_ASSIGN_OR_RETURN(const auto value, Read(Family::kSources, client_id));
  if (!value) {
    return ClientPosition();
  }
  auto position = DecodePosition(*value);
  return position.ok() ? position
                       : Annotate(position.status(), fmt::format("store: client '{}': ", client_id));
}

absl::StatusOr<StoredRecord> StoreView::ReadRecord(GraphId id) const {
  KINDRED_ASSIGN_OR_RETURN(const auto value, Read(Family::kGraphs, schema::Key(id)));
  if (!value) {
    return DataLoss("store: graph {} has no record", Raw(id));
  }
  return DecodeRecord(*value);
}

absl::StatusOr<StoredHistogram> StoreView::ReadHistogram(GraphId id) const {
  KINDRED_ASSIGN_OR_RETURN(const auto value, Read(Family::kHistograms, schema::Key(id)));
  if (!value) {
    return DataLoss("store: graph {} has no histogram", Raw(id));
  }
  return DecodeHistogram(*value, depth());
}

absl::StatusOr<GraphSet> StoreView::GraphsWithRecord(GraphId begin, GraphId end) const {
  GraphSet graphs;
  KINDRED_RETURN_IF_ERROR(ForEachRow(
      Family::kGraphs, schema::Key(begin), schema::Key(end),
      [&](std::string_view key, std::string_view) { return AddGraph(key, "a key of graphs", graphs); }));
  return graphs;
}

absl::StatusOr<GraphSet> StoreView::GraphsWithId() const {
  GraphSet graphs;
  KINDRED_RETURN_IF_ERROR(ForEachRow(Family::kIds, "", "", [&](std::string_view, std::string_view value) {
    return AddGraph(value, "a row of ids", graphs);
  }));
  return graphs;
}

absl::Status StoreView::CheckReadable(Family family) const {
  return ForEachRow(family, "", "", [](std::string_view, std::string_view) { return absl::OkStatus(); });
}

absl::Status StoreView::ForEachLabel(
    const std::function<absl::Status(LabelId, std::string_view)>& visit) const {
  return ForEachRow(Family::kLabels, "", "", [&](std::string_view key, std::string_view value) {
    return key.size() == 4 ? visit(LabelId{Decoder(key).Fixed32()}, value) : BadKey("labels");
  });
}

absl::Status StoreView::ForEachColour(
    const std::function<absl::Status(ColourId, std::string_view)>& visit) const {
  return ForEachRow(Family::kColours, "", "", [&](std::string_view key, std::string_view value) {
    return key.size() == 4 ? visit(ColourId{Decoder(key).Fixed32()}, value) : BadKey("colours");
  });
}

absl::Status StoreView::ForEachHistogram(
    GraphId begin, GraphId end,
    const std::function<absl::Status(GraphId, const StoredHistogram&)>& visit) const {
  return ForEachRow(Family::kHistograms, schema::Key(begin), schema::Key(end),
                    [&](std::string_view key, std::string_view value) -> absl::Status {
                      if (key.size() != 8) {
                        return BadKey("histograms");
                      }
                      const GraphId id{Decoder(key).Fixed64()};
                      const auto stored = DecodeHistogram(value, depth());
                      return stored.ok() ? visit(id, *stored)
                                         : Annotate(stored.status(), fmt::format("graph {}: ", Raw(id)));
                    });
}

absl::Status StoreView::ForEachRecord(
    GraphId begin, GraphId end,
    const std::function<absl::Status(GraphId, const StoredRecord&)>& visit) const {
  return ForEachRow(Family::kGraphs, schema::Key(begin), schema::Key(end),
                    [&](std::string_view key, std::string_view value) -> absl::Status {
                      if (key.size() != 8) {
                        return BadKey("graphs");
                      }
                      const GraphId id{Decoder(key).Fixed64()};
                      const auto record = DecodeRecord(value);
                      return record.ok() ? visit(id, *record)
                                         : Annotate(record.status(), fmt::format("graph {}: ", Raw(id)));
                    });
}

}  // namespace kindred
