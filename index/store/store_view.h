// The store as it was at one moment: reads that do not see later commits.
//
// Threads: any number of readers. Keeps the Store's data of that moment alive; the Store must outlive it.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "index/base/ids.h"
#include "index/store/codec.h"
#include "index/store/schema.h"
#include "index/store/store.h"
#include "index/store/table_check.h"

namespace kindred {

class StoreView {
 public:
  explicit StoreView(const Store& store);
  ~StoreView();
  StoreView(const StoreView&) = delete;
  StoreView& operator=(const StoreView&) = delete;

  Level depth() const { return store_.depth(); }
  // The scheme of the molecules stored; empty before the first (base/molecule_scheme.h).
  const std::string& molecule_scheme() const { return molecule_scheme_; }

  absl::StatusOr<CommitSequence> sequence() const;
  // What the last commit said is stored.
  absl::StatusOr<Totals> totals() const;
  // The molecule scheme as it stands on disk.
  absl::StatusOr<std::string> ReadMoleculeScheme() const;
  // True when no graph and no colour is stored.
  absl::StatusOr<bool> Empty() const;

  // All zero for a client that was never heard of.
  absl::StatusOr<ClientPosition> ReadPosition(std::string_view client_id) const;

  // REQUIRES: the graph is stored; a missing row is DATA_LOSS.
  absl::StatusOr<StoredRecord> ReadRecord(GraphId id) const;
  absl::StatusOr<StoredHistogram> ReadHistogram(GraphId id) const;

  // For recovery, before the first commit: the tables of a family, of which CheckTable then reads every byte.
  absl::StatusOr<FamilyTables> Tables(schema::Family family) const;
  absl::Status CheckTable(const std::string& path) const;

  // The graphs that have a row in `graphs`, of those in [begin, end). Reads every byte of the family there,
  // so that RocksDB checks it. `visit` gets the tags of those that have some, in the order of the ids.
  absl::StatusOr<GraphSet> GraphsWithRecord(GraphId begin, GraphId end,
                                            const std::function<void(GraphId, Tags)>& visit) const;
  // The same for a family of which recovery needs nothing.
  absl::Status CheckReadable(schema::Family family) const;

  // Each visits in the order of the ids, until the visitor returns an error, and returns that.
  absl::Status ForEachLabel(const std::function<absl::Status(LabelId, std::string_view)>& visit) const;
  absl::Status ForEachColour(const std::function<absl::Status(ColourId, std::string_view)>& visit) const;
  // Graphs in [begin, end). What is encoded is checked all the same, the colours noted, and lives as long as
  // the call.
  absl::Status ForEachEncodedHistogram(
      GraphId begin, GraphId end, WornLevels& worn,
      const std::function<absl::Status(GraphId, const EncodedHistogram&)>& visit) const;
  absl::Status ForEachHistogram(
      GraphId begin, GraphId end,
      const std::function<absl::Status(GraphId, const StoredHistogram&)>& visit) const;
  absl::Status ForEachRecord(GraphId begin, GraphId end,
                             const std::function<absl::Status(GraphId, const StoredRecord&)>& visit) const;

  // The rows of a family as they are: begin <= key < end; an empty `end` is the end of the family.
  using RowVisitor = std::function<absl::Status(std::string_view key, std::string_view value)>;
  absl::Status ForEachRow(schema::Family family, std::string_view begin, std::string_view end,
                          const RowVisitor& visit) const;

 private:
  absl::StatusOr<std::optional<std::string>> Read(schema::Family family, std::string_view key) const;

  const Store& store_;
  const rocksdb::Snapshot* const snapshot_;
  const std::string molecule_scheme_;
};

}  // namespace kindred
