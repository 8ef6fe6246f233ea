#include "tests/support/store_surgery.h"

#include "index/base/check.h"
#include "index/base/coding.h"

namespace kindred::test {

StoreSurgery::StoreSurgery(const std::string& data_directory) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families{
      {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions()}};
  for (const char* const name : schema::kFamilyNames) {
    families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  }
  rocksdb::DB* db = nullptr;
  KINDRED_CHECK(
      rocksdb::DB::Open(rocksdb::DBOptions(), data_directory + "/db", families, &handles_, &db).ok());
  db_.reset(db);
}

StoreSurgery::~StoreSurgery() {
  for (rocksdb::ColumnFamilyHandle* const handle : handles_) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db_->Close().PermitUncheckedError();
}

rocksdb::ColumnFamilyHandle* StoreSurgery::handle(schema::Family family) const {
  return handles_[static_cast<size_t>(family) + 1];
}

std::string StoreSurgery::Get(schema::Family family, std::string_view key) const {
  std::string value;
  KINDRED_CHECK(db_->Get(rocksdb::ReadOptions(), handle(family), key, &value).ok());
  return value;
}

void StoreSurgery::Put(schema::Family family, std::string_view key, std::string_view value) {
  KINDRED_CHECK(db_->Put(rocksdb::WriteOptions(), handle(family), key, value).ok());
}

void StoreSurgery::Delete(schema::Family family, std::string_view key) {
  KINDRED_CHECK(db_->Delete(rocksdb::WriteOptions(), handle(family), key).ok());
}

std::string StoreSurgery::ColourRow(std::string_view signature) {
  std::string row;
  AppendBytes(row, signature);
  return row;
}

void StoreSurgery::SplitColourRows() {
  std::vector<std::string> rows;
  {
    const std::unique_ptr<rocksdb::Iterator> at(
        db_->NewIterator(rocksdb::ReadOptions(), handle(schema::Family::kColours)));
    for (at->SeekToFirst(); at->Valid(); at->Next()) {
      Decoder signatures({at->value().data(), at->value().size()});
      while (!signatures.Done()) {
        rows.push_back(ColourRow(signatures.Bytes()));
        KINDRED_CHECK(signatures.ok());
      }
    }
    KINDRED_CHECK(at->status().ok());
  }
  for (uint32_t id = 0; id < rows.size(); ++id) {
    Put(schema::Family::kColours, schema::Key(ColourId{id}), rows[id]);
  }
}

}  // namespace kindred::test
