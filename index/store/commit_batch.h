// All that one commit changes in the store, written in one piece or not at all.
//
// Threads: the writer's.

#pragma once

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
  void AddColour(ColourId id, std::string_view signature);
  // `record` and `histogram` are encoded.
  void PutGraph(GraphId id, std::string_view external_id, std::string_view record,
                std::string_view histogram);
  // The row of the external id goes with it, or is overwritten by a PutGraph that follows.
  void RemoveGraph(GraphId id, std::string_view external_id);
  void PutPosition(std::string_view client_id, const ClientPosition& position);
  void SetSequence(CommitSequence sequence);

 private:
  friend class Store;

  // The last row, once all others are in.
  void AddTotals();

  const Store& store_;
  rocksdb::WriteBatch batch_;
  CommitSequence sequence_;
  Totals totals_;
};

}  // namespace kindred
