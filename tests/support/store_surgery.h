// Changes rows of a closed data directory behind the store's back, as a damaged disk or a bug would.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/store/schema.h"
#include "rocksdb/db.h"

namespace kindred::test {

class StoreSurgery {
 public:
  // REQUIRES: nothing has the directory open.
  explicit StoreSurgery(const std::string& data_directory);
  ~StoreSurgery();
  StoreSurgery(const StoreSurgery&) = delete;
  StoreSurgery& operator=(const StoreSurgery&) = delete;

  // REQUIRES: the row exists.
  std::string Get(schema::Family family, std::string_view key) const;
  void Put(schema::Family family, std::string_view key, std::string_view value);
  void Delete(schema::Family family, std::string_view key);

  // Each colour gets a row of its own, which is as good, and easier to damage.
  void SplitColourRows();
  static std::string ColourRow(std::string_view signature);

 private:
  rocksdb::ColumnFamilyHandle* handle(schema::Family family) const;

  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // The default family first.
};

}  // namespace kindred::test
