#include "index/store/commit_batch.h"

#include "index/base/check.h"
#include "index/store/schema.h"

namespace kindred {

using schema::Family;

namespace {

// Building a batch in memory fails only when we misuse it.
void Must(const rocksdb::Status& status) { KINDRED_CHECK(status.ok()); }

}  // namespace

CommitBatch::CommitBatch(const Store& store)
    : store_(store), sequence_(store.sequence_), totals_(store.totals_) {}

void CommitBatch::AddLabel(LabelId id, std::string_view label) {
  ++totals_.labels;
  Must(batch_.Put(store_.family(Family::kLabels), schema::Key(id), label));
}

void CommitBatch::AddColour(ColourId id, std::string_view signature) {
  ++totals_.colours;
  Must(batch_.Put(store_.family(Family::kColours), schema::Key(id), signature));
}

void CommitBatch::PutGraph(GraphId id, std::string_view external_id, std::string_view record,
                           std::string_view histogram) {
  totals_.graphs.Add(id);
  const std::string key = schema::Key(id);
  Must(batch_.Put(store_.family(Family::kGraphs), key, record));
  Must(batch_.Put(store_.family(Family::kHistograms), key, histogram));
  Must(batch_.Put(store_.family(Family::kIds), external_id, key));
}

void CommitBatch::PutPosition(std::string_view client_id, const ClientPosition& position) {
  Must(batch_.Put(store_.family(Family::kSources), client_id, EncodePosition(position)));
}

void CommitBatch::RemoveGraph(GraphId id, std::string_view external_id) {
  totals_.graphs.Remove(id);
  const std::string key = schema::Key(id);
  Must(batch_.Delete(store_.family(Family::kGraphs), key));
  Must(batch_.Delete(store_.family(Family::kHistograms), key));
  Must(batch_.Delete(store_.family(Family::kIds), external_id));
}

void CommitBatch::SetSequence(CommitSequence sequence) {
  sequence_ = sequence;
  std::string value;
  AppendFixed64(value, Raw(sequence));
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaSequence, value));
}

void CommitBatch::AddTotals() {
  Must(batch_.Put(store_.family(Family::kMeta), schema::kMetaTotals, EncodeTotals(totals_)));
}

}  // namespace kindred
