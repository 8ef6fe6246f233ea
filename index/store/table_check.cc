#include "index/store/table_check.h"

#include "index/store/rocks_status.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/unique_id.h"

namespace kindred {
namespace {

bool AllInTables(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family) {
  uint64_t rows = 0;
  for (const std::string& property : {rocksdb::DB::Properties::kNumEntriesActiveMemTable,
                                      rocksdb::DB::Properties::kNumEntriesImmMemTables}) {
    uint64_t more = 0;
    if (!db.GetIntProperty(family, property, &more)) {
      return false;
    }
    rows += more;
  }
  return rows == 0;
}

}  // namespace

absl::StatusOr<FamilyTables> TablesOf(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family) {
  rocksdb::TablePropertiesCollection tables;
  KINDRED_RETURN_IF_ERROR(FromRocks(db.GetPropertiesOfAllTables(family, &tables), "open of tables"));
  FamilyTables found;
  uint64_t rows = 0;
  bool removed = false;
  for (const auto& [path, properties] : tables) {
    found.paths.push_back(path);
    rows += properties->num_entries;
    removed = removed || properties->num_deletions > 0 || properties->num_merge_operands > 0;
  }
  if (!removed && AllInTables(db, family)) {
    found.row_count = rows;
  }
  return found;
}

absl::StatusOr<std::string> TableId(const std::string& path, rocksdb::Env& env) {
  rocksdb::Options options;
  options.env = &env;
  rocksdb::SstFileReader reader(options);
  KINDRED_RETURN_IF_ERROR(FromRocks(reader.Open(path), "open of a table"));
  std::string id;
  if (!rocksdb::GetUniqueIdFromTableProperties(*reader.GetTableProperties(), &id).ok()) {
    return "";
  }
  return rocksdb::Slice(id).ToString(/*hex=*/true);
}

absl::Status CheckTable(const std::string& path, rocksdb::Env& env) {
  rocksdb::Options options;
  options.env = &env;
  rocksdb::SstFileReader reader(options);
  KINDRED_RETURN_IF_ERROR(FromRocks(reader.Open(path), "open of a table"));
  rocksdb::ReadOptions read;
  read.readahead_size = 1 << 20;
  return FromRocks(reader.VerifyChecksum(read), "check of a table");
}

}  // namespace kindred
