#include "index/store/store_check.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "index/base/coding.h"
#include "index/base/status.h"
#include "index/store/database.h"
#include "index/store/rocks_status.h"
#include "index/store/table_end.h"

namespace kindred {
namespace {

absl::StatusOr<std::string> GetMeta(const Database& database, std::string_view name) {
  std::string value;
  KINDRED_RETURN_IF_ERROR(FromRocks(
      database.db().Get(rocksdb::ReadOptions(), database.family(schema::Family::kMeta), name, &value),
      "read of meta"));
  return value;
}

absl::StatusOr<StoreState> ReadStoreState(const Database& database) {
  StoreState state;
  KINDRED_ASSIGN_OR_RETURN(const std::string identity, GetMeta(database, schema::kMetaIdentity));
  KINDRED_ASSIGN_OR_RETURN(const std::string sequence, GetMeta(database, schema::kMetaSequence));
  KINDRED_ASSIGN_OR_RETURN(const std::string totals, GetMeta(database, schema::kMetaTotals));
  if (identity.size() != state.identity.size() || sequence.size() != 8) {
    return DataLoss("the identity or the commit sequence is damaged");
  }
  std::ranges::copy(identity, state.identity.begin());
  state.sequence = CommitSequence{Decoder(sequence).Fixed64()};
  KINDRED_ASSIGN_OR_RETURN(state.totals, DecodeTotals(totals));
  return state;
}

}  // namespace

absl::Status CheckStore(const std::string& directory, const StoreState& expected, rocksdb::Env& env) {
  const std::string db_path = directory + "/db";
  KINDRED_RETURN_IF_ERROR(CheckTableEnds(db_path, env));
  KINDRED_ASSIGN_OR_RETURN(const std::unique_ptr<Database> database, Database::OpenReadOnly(db_path, env));
  KINDRED_ASSIGN_OR_RETURN(const StoreState found, ReadStoreState(*database));
  if (found != expected) {
    return DataLoss("{} holds {} graphs at commit {} where {} at commit {} should be, or another store",
                    directory, found.totals.graphs.count, Raw(found.sequence), expected.totals.graphs.count,
                    Raw(expected.sequence));
  }
  KINDRED_ASSIGN_OR_RETURN(const auto claim, Witness::Read(*env.GetFileSystem(), directory + "/witness"));
  if (!claim || claim->identity != expected.identity || claim->sequence != expected.sequence) {
    return DataLoss("{}/witness is not that of commit {}", directory, Raw(expected.sequence));
  }
  return absl::OkStatus();
}

}  // namespace kindred
