// A store of an earlier version becomes one of this: what it had beside it goes, and nothing else changes.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/base/coding.h"
#include "rocksdb/db.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"
#include "tests/support/store_surgery.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::IsOk;
using test::Path;

std::vector<std::string> FamiliesIn(const std::string& path) {
  std::vector<std::string> names;
  EXPECT_TRUE(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path + "/db", &names).ok());
  return names;
}

bool HasIds(const std::string& path) {
  return std::ranges::count(FamiliesIn(path), schema::kRetiredFamily) > 0;
}

uint32_t VersionIn(const std::string& path) {
  return Decoder(test::StoreSurgery(path).Get(schema::Family::kMeta, schema::kMetaSchema)).Fixed32();
}

void SetVersion(const std::string& path, uint32_t version) {
  std::string value;
  AppendFixed32(value, version);
  test::StoreSurgery(path).Put(schema::Family::kMeta, schema::kMetaSchema, value);
}

// As versions 4 and 5 had it.
void AddIds(const std::string& path) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : FamiliesIn(path)) {
    families.emplace_back(name, rocksdb::ColumnFamilyOptions());
  }
  rocksdb::DB* opened = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  ASSERT_TRUE(rocksdb::DB::Open(rocksdb::DBOptions(), path + "/db", families, &handles, &opened).ok());
  const std::unique_ptr<rocksdb::DB> db(opened);
  rocksdb::ColumnFamilyHandle* ids = nullptr;
  ASSERT_TRUE(db->CreateColumnFamily(rocksdb::ColumnFamilyOptions(), schema::kRetiredFamily, &ids).ok());
  ASSERT_TRUE(db->Put(rocksdb::WriteOptions(), ids, "a", schema::Key(GraphId{1})).ok());
  handles.push_back(ids);
  for (rocksdb::ColumnFamilyHandle* const handle : handles) {
    ASSERT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
  }
}

class UpgradeTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  UpgradeTest() {
    Mutation put = test::PutOf("a", Path("CC"));
    if (GetParam() == schema::kVersionWithIds) {
      put.molecule_scheme = "element,bonds";
      (*put.record)->is_molecule = true;
    }
    harness_.Write({put});
    harness_.Close();
  }

  void ExpectUpgraded() {
    ASSERT_THAT(harness_.Open(), IsOk());
    EXPECT_EQ(harness_.Newest()->FindGraph("a"), GraphId{1});
    EXPECT_EQ(harness_.Put("b", Path("CC")).status, absl::OkStatus());
    harness_.Close();
    EXPECT_FALSE(HasIds(harness_.path()));
    EXPECT_EQ(VersionIn(harness_.path()), GetParam() + 2);
    EXPECT_THAT(harness_.Open(), IsOk());
  }

  EngineHarness harness_;
};

TEST_P(UpgradeTest, TheFamilyOfIdsGoes) {
  SetVersion(harness_.path(), GetParam());
  AddIds(harness_.path());
  ASSERT_TRUE(HasIds(harness_.path()));
  ExpectUpgraded();
}

TEST_P(UpgradeTest, OneThatEndedBetweenTheVersionAndTheFamilyIsFinished) {
  AddIds(harness_.path());
  ExpectUpgraded();
}

INSTANTIATE_TEST_SUITE_P(From, UpgradeTest,
                         ::testing::Values(schema::kVersionWithIdsWithoutScheme, schema::kVersionWithIds));

}  // namespace
}  // namespace kindred
