#include "index/store/commit_batch.h"

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

void CommitBatch::PutGraph(GraphId id, std::string_view record, std::string_view histogram, bool tagged) {
  totals_.graphs.Add(id);
  if (tagged && !std::exchange(tagged_, true)) {
    Must(batch_.Delete(store_.family(Family::kMeta), schema::kMetaUntagged));
  }
  const std::string key = schema::Key(id);
  Must(batch_.Put(store_.family(Family::kGraphs), key, record));
  Must(batch_.Put(store_.family(Family::kHistograms), key, histogram));
}

void CommitBatch::PutPosition(std::string_view client_id, const ClientPosition& position) {
  Must(batch_.Put(store_.family(Family::kSources), client_id, EncodePosition(position)));
}

void CommitBatch::RemoveGraph(GraphId id) {
  totals_.graphs.Remove(id);
  const std::string key = schema::Key(id);
  Must(batch_.Delete(store_.family(Family::kGraphs), key));
  Must(batch_.Delete(store_.family(Family::kHistograms), key));
}

void CommitBatch::SetSequence(CommitSequence sequence) {
  sequence_ = sequence;
  std::string value;
  AppendFixed64(value, Raw(sequence));
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaSequence, value));
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
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaTotals, EncodeTotals(totals_)));
}

}  // namespace kindred
