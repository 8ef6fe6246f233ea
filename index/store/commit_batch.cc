#include "index/store/commit_batch.h"

#include <algorithm>
#include <utility>

#include "index/base/check.h"
#include "index/base/coding.h"
#include "index/store/schema.h"

namespace kindred {

using schema::Family;

namespace {

// A row of colours ends with the one that reaches it.
constexpr size_t kColourRowBytes = 16 << 10;

// Building a batch in memory fails only when we misuse it.
void Must(const rocksdb::Status& status) { KINDRED_CHECK(status.ok()); }

}  // namespace

CommitBatch::CommitBatch(const Store& store)
    : store_(store),
      batch_(store.batch_bytes_),
      sequence_(store.sequence_),
      totals_(store.totals_),
      molecule_scheme_(store.molecule_scheme_),
      tagged_(store.tagged_) {}

void CommitBatch::AddLabel(LabelId id, std::string_view label) {
  ++totals_.labels;
  Must(batch_.Put(store_.family(Family::kLabels), schema::Key(id), label));
}

// A load brings nearly two new colours with each graph. Many to a row, they cost the log, RocksDB's buffer
// and a start little more than their bytes.
void CommitBatch::AddColour(ColourId id, std::string_view signature) {
  ++totals_.colours;
  if (colour_row_.empty()) {
    colour_row_first_ = id;
  }
  AppendBytes(colour_row_, signature);
  if (colour_row_.size() >= kColourRowBytes) {
    WriteColourRow();
  }
}

void CommitBatch::WriteColourRow() {
  if (!colour_row_.empty()) {
    Must(batch_.Put(store_.family(Family::kColours), schema::Key(colour_row_first_), colour_row_));
    colour_row_.clear();
  }
}

void CommitBatch::PutGraph(GraphId id, std::string_view external_id, std::string_view record,
                           std::string_view histogram, bool tagged) {
  totals_.graphs.Add(id);
  if (tagged && !std::exchange(tagged_, true)) {
    Must(batch_.Delete(store_.family(Family::kMeta), schema::kMetaUntagged));
  }
  const std::string key = schema::Key(id);
  Must(batch_.Put(store_.family(Family::kGraphs), key, record));
  Must(batch_.Put(store_.family(Family::kHistograms), key, histogram));
  AddIdRow(external_id, id);
}

void CommitBatch::PutPosition(std::string_view client_id, const ClientPosition& position) {
  Must(batch_.Put(store_.family(Family::kSources), client_id, EncodePosition(position)));
}

void CommitBatch::RemoveGraph(GraphId id, std::string_view external_id) {
  totals_.graphs.Remove(id);
  const std::string key = schema::Key(id);
  Must(batch_.Delete(store_.family(Family::kGraphs), key));
  Must(batch_.Delete(store_.family(Family::kHistograms), key));
  AddIdRow(external_id, std::nullopt);
}

void CommitBatch::SetSequence(CommitSequence sequence) {
  sequence_ = sequence;
  std::string value;
  AppendFixed64(value, Raw(sequence));
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaSequence, value));
}

void CommitBatch::AddIdRow(std::string_view external_id, std::optional<GraphId> graph) {
  id_rows_.push_back({id_bytes_.size(), external_id.size(), graph});
  id_bytes_.append(external_id);
}

// Ids of one source often begin alike. Eight bytes behind what all of them share tell most of them apart.
void CommitBatch::SortIdRows() {
  if (id_rows_.empty()) {
    return;
  }
  std::string_view shared = IdOf(id_rows_.front());
  for (const IdRow& row : id_rows_) {
    const std::string_view id = IdOf(row);
    const auto differs = std::ranges::mismatch(shared, id).in1;
    shared = shared.substr(0, static_cast<size_t>(differs - shared.begin()));
  }
  for (IdRow& row : id_rows_) {
    const std::string_view rest = IdOf(row).substr(shared.size());
    for (size_t i = 0; i < sizeof(row.key); ++i) {
      row.key = row.key << 8 | (i < rest.size() ? static_cast<uint8_t>(rest[i]) : 0);
    }
  }
  std::ranges::stable_sort(id_rows_, [this](const IdRow& a, const IdRow& b) {
    return a.key != b.key ? a.key < b.key : IdOf(a) < IdOf(b);
  });
}

// Other keys ascend as they come. In order, each of these too has its place in RocksDB's buffer near the one
// before, where at random each is looked for from the top. Of several changes of an id the last one counts.
void CommitBatch::WriteIdRows() {
  SortIdRows();
  for (size_t i = 0; i < id_rows_.size(); ++i) {
    const std::string_view id = IdOf(id_rows_[i]);
    if (i + 1 < id_rows_.size() && IdOf(id_rows_[i + 1]) == id) {
      continue;
    }
    rocksdb::ColumnFamilyHandle* const ids = store_.family(Family::kIds);
    const std::optional<GraphId> graph = id_rows_[i].graph;
    Must(graph ? batch_.Put(ids, id, schema::Key(*graph)) : batch_.Delete(ids, id));
  }
  id_rows_.clear();
}

void CommitBatch::SetMoleculeScheme(std::string_view scheme) {
  KINDRED_CHECK(molecule_scheme_.empty());
  molecule_scheme_ = scheme;
  std::string version;
  AppendFixed32(version, schema::kVersion);
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaSchema, version));
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaMolecules, scheme));
}

void CommitBatch::Close() {
  WriteColourRow();
  WriteIdRows();
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaTotals, EncodeTotals(totals_)));
}

}  // namespace kindred
