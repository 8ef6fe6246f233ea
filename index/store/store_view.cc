#include "index/store/store_view.h"

#include <memory>
#include <string>

#include "index/base/coding.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"
#include "index/store/rocks_status.h"

namespace kindred {

using schema::Family;

namespace {

std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

absl::Status BadKey(const char* family) {
  return DataLoss("store: a key of {} has the wrong length", family);
}

// The rows of graphs in [begin, end), decoded.
template <typename Decode, typename Visit>
absl::Status ForEachGraph(const StoreView& view, Family family, GraphId begin, GraphId end, Decode decode,
                          const Visit& visit) {
  return view.ForEachRow(family, schema::Key(begin), schema::Key(end),
                         [&](std::string_view key, std::string_view value) -> absl::Status {
                           if (key.size() != 8) {
                             return BadKey(family == Family::kGraphs ? "graphs" : "histograms");
                           }
                           const GraphId id{Decoder(key).Fixed64()};
                           const auto decoded = decode(value);
                           return decoded.ok()
                                      ? visit(id, *decoded)
                                      : Annotate(decoded.status(), fmt::format("graph {}: ", Raw(id)));
                         });
}

}  // namespace

StoreView::StoreView(const Store& store)
    : store_(store), snapshot_(store.db().GetSnapshot()), molecule_scheme_(store.molecule_scheme()) {}

StoreView::~StoreView() { store_.db().ReleaseSnapshot(snapshot_); }

absl::StatusOr<std::optional<std::string>> StoreView::Read(Family family, std::string_view key) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot_;
  std::string value;
  const rocksdb::Status status =
      store_.database_->Try([&] { return store_.db().Get(options, store_.family(family), key, &value); });
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
  return store_.database_->Try([&]() -> absl::Status {
    const std::unique_ptr<rocksdb::Iterator> rows(store_.db().NewIterator(options, store_.family(family)));
    for (rows->Seek(begin); rows->Valid(); rows->Next()) {
      KINDRED_RETURN_IF_ERROR(visit(ToView(rows->key()), ToView(rows->value())));
    }
    return FromRocks(rows->status(), "scan");
  });
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

absl::StatusOr<std::string> StoreView::ReadMoleculeScheme() const {
  KINDRED_ASSIGN_OR_RETURN(const auto version, Read(Family::kMeta, schema::kMetaSchema));
  KINDRED_ASSIGN_OR_RETURN(const auto scheme, Read(Family::kMeta, schema::kMetaMolecules));
  const uint32_t found = version && version->size() == 4 ? Decoder(*version).Fixed32() : 0;
  const bool expected = found == schema::kVersion || found == schema::kVersionWithIds;
  if (expected != scheme.has_value() || (scheme && !CheckMoleculeScheme(*scheme).ok())) {
    return DataLoss("store: the molecule scheme is missing or damaged, or of another schema version");
  }
  return scheme.value_or("");
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

absl::StatusOr<GraphSet> StoreView::GraphsWithRecord(GraphId begin, GraphId end,
                                                     const std::function<void(GraphId, Tags)>& visit) const {
  GraphSet graphs;
  KINDRED_RETURN_IF_ERROR(
      ForEachGraph(*this, Family::kGraphs, begin, end, DecodeRecordTags, [&](GraphId id, const Tags& tags) {
        graphs.Add(id);
        if (!tags.empty()) {
          visit(id, tags);
        }
        return absl::OkStatus();
      }));
  return graphs;
}

absl::StatusOr<FamilyTables> StoreView::Tables(Family family) const {
  return TablesOf(store_.db(), store_.family(family));
}

absl::Status StoreView::CheckTable(const std::string& path) const {
  return kindred::CheckTable(path, *store_.db().GetEnv());
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
    return key.size() == 4 ? ForEachSignature(ColourId{Decoder(key).Fixed32()}, value, visit)
                           : BadKey("colours");
  });
}

absl::Status StoreView::ForEachEncodedHistogram(
    GraphId begin, GraphId end, WornLevels& worn,
    const std::function<absl::Status(GraphId, const EncodedHistogram&)>& visit) const {
  const auto check = [&](std::string_view value) { return CheckHistogram(value, depth(), &worn); };
  return ForEachGraph(*this, Family::kHistograms, begin, end, check, visit);
}

absl::Status StoreView::ForEachHistogram(
    GraphId begin, GraphId end,
    const std::function<absl::Status(GraphId, const StoredHistogram&)>& visit) const {
  const auto decode = [this](std::string_view value) { return DecodeHistogram(value, depth()); };
  return ForEachGraph(*this, Family::kHistograms, begin, end, decode, visit);
}

absl::Status StoreView::ForEachRecord(
    GraphId begin, GraphId end,
    const std::function<absl::Status(GraphId, const StoredRecord&)>& visit) const {
  return ForEachGraph(*this, Family::kGraphs, begin, end, DecodeRecord, visit);
}

}  // namespace kindred
