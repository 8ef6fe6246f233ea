// All that one commit changes in the store, written in one piece or not at all.
//
// Threads: the writer's.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  void PutGraph(GraphId id, std::string_view external_id, std::string_view record, std::string_view histogram,
                bool tagged = true);
  // The row of the external id goes with it, or is overwritten by a PutGraph that follows.
  void RemoveGraph(GraphId id, std::string_view external_id);
  void PutPosition(std::string_view client_id, const ClientPosition& position);
  void SetSequence(CommitSequence sequence);
  // REQUIRES: the store has none yet.
  void SetMoleculeScheme(std::string_view scheme);

 private:
  friend class Store;

  // What becomes of an external id, whose bytes are in id_bytes_.
  struct IdRow {
    size_t begin = 0;
    size_t size = 0;
    std::optional<GraphId> graph;  // Nothing: the row goes.
    uint64_t key = 0;              // Decides most comparisons; see WriteIdRows.
  };

  void AddIdRow(std::string_view external_id, std::optional<GraphId> graph);
  std::string_view IdOf(const IdRow& row) const {
    return std::string_view(id_bytes_).substr(row.begin, row.size);
  }

  // The last rows, once all others are in: that of the last colours, those of external ids, in their order,
  // and the totals.
  void Close();
  void WriteColourRow();
  void WriteIdRows();
  void SortIdRows();

  const Store& store_;
  rocksdb::WriteBatch batch_;
  ColourId colour_row_first_{};
  std::string colour_row_;  // Of colours that are not in the batch yet.
  std::string id_bytes_;
  std::vector<IdRow> id_rows_;
  CommitSequence sequence_;
  Totals totals_;
  std::string molecule_scheme_;
  bool tagged_;
};

}  // namespace kindred
