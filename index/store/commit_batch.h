// All that one commit changes in the store, written in one piece or not at all.
//
// Threads: the writer's.

#pragma once

#include <string>
#include <string_view>

#include "index/base/ids.h"
#include "index/store/codec.h"
#include "index/store/store.h"
#include "rocksdb/write_batch.h"

namespace kindred {

class CommitBatch {
 public:
  // Builds on what the store holds now.
  explicit CommitBatch(const Store& store);

  void AddLabel(LabelId id, std::string_view label);
  // In the order of the ids, without a gap.
  void AddColour(ColourId id, std::string_view signature);
  // `record` and `histogram` are encoded. `tagged`: the record has tags, or may have.
  void PutGraph(GraphId id, std::string_view record, std::string_view histogram, bool tagged = true);
  void RemoveGraph(GraphId id);
  void PutPosition(std::string_view client_id, const ClientPosition& position);
  void SetSequence(CommitSequence sequence);
  // REQUIRES: the store has none yet.
  void SetMoleculeScheme(std::string_view scheme);

 private:
  friend class Store;

  // The last rows, once all others are in: that of the last colours, and the totals.
  void Close();
  void WriteColourRow();

  const Store& store_;
  rocksdb::WriteBatch batch_;
  ColourId colour_row_first_{};
  std::string colour_row_;  // Of colours that are not in the batch yet.
  CommitSequence sequence_;
  Totals totals_;
  std::string molecule_scheme_;
  bool tagged_;
};

}  // namespace kindred
