// CheckTableEnds: every byte of a table that RocksDB would use before it is checked is looked at.

#include "index/store/table_end.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

constexpr size_t kFooterBytes = 53;

class TableEndTest : public ::testing::Test {
 protected:
  TableEndTest() {
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions{}, rocksdb::Options{});
    EXPECT_TRUE(writer.Open(path_).ok());
    for (int i = 100; i < 300; ++i) {
      EXPECT_TRUE(writer.Put(std::to_string(i), std::string(100, static_cast<char>(i))).ok());
    }
    EXPECT_TRUE(writer.Finish().ok());
    std::ifstream in(path_, std::ios::binary);
    intact_.assign(std::istreambuf_iterator<char>(in), {});
  }

  absl::Status CheckWith(const std::string& content) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
    return CheckTableEnds(dir_.path().string(), *rocksdb::Env::Default());
  }

  const TempDir dir_;
  const std::string path_ = dir_.Sub("000007.sst");
  std::string intact_;
};

TEST_F(TableEndTest, AWholeTablePassesAndSoDoesWhatIsNone) {
  EXPECT_THAT(CheckWith(intact_), IsOk());
  EXPECT_THAT(CheckWith(""), IsOk());
  EXPECT_THAT(CheckWith(std::string(1000, '\0')), IsOk());
  EXPECT_THAT(CheckWith(intact_.substr(0, intact_.size() / 2)), IsOk());
  EXPECT_THAT(CheckTableEnds(dir_.Sub("nothing"), *rocksdb::Env::Default()), IsOk());
}

// Any byte behind the blocks of rows and the index: properties, the places of blocks, the kind of the
// checksums. Of the rest of the footer RocksDB finds out by itself.
TEST_F(TableEndTest, EveryByteOfThePropertiesCounts) {
  const size_t properties = intact_.find("rocksdb.block.based.table.index.type");
  ASSERT_NE(properties, std::string::npos);
  for (size_t at = properties; at < intact_.size() - kFooterBytes + 1; ++at) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      std::string damaged = intact_;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      EXPECT_THAT(CheckWith(damaged), StatusIs(kDataLoss, "000007.sst: ")) << at << " ^ " << mask;
    }
  }
}

TEST_F(TableEndTest, PlacesBeyondTheEndAreDataLoss) {
  for (size_t i = 1; i <= 40; ++i) {
    std::string damaged = intact_;
    for (size_t at = 0; at < i; ++at) {
      damaged[intact_.size() - kFooterBytes + 1 + at] = '\xff';
    }
    EXPECT_THAT(CheckWith(damaged), StatusIs(kDataLoss, "000007.sst: ")) << i;
  }
}

// RocksDB would make room for the index first, and find out then that it is not there.
TEST_F(TableEndTest, AnIndexLargerThanTheTableIsDataLoss) {
  size_t index = intact_.size() - kFooterBytes + 1;
  for (int numbers = 0; numbers < 3;
       ++numbers) {  // The place of the other block, and where the index begins.
    while ((intact_[index++] & 0x80) != 0) {
    }
  }
  for (const std::string_view size :
       {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\xff\xff\xff\xff\xff\xff\xff\x7f"}) {
    std::string damaged = intact_;
    damaged.replace(index, size.size(), size);
    EXPECT_THAT(CheckWith(damaged), StatusIs(kDataLoss, "000007.sst: a block lies beyond its end"));
  }
  std::string damaged = intact_;
  damaged.replace(index, 12, std::string(12, '\xff'));
  EXPECT_THAT(CheckWith(damaged), StatusIs(kDataLoss, "000007.sst: its footer is damaged"));
}

}  // namespace
}  // namespace kindred::test
