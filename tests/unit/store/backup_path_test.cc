// Where a client may have a backup written: right below the directory that the operator allows, nowhere else.

#include <filesystem>
#include <string>

#include "gtest/gtest.h"
#include "index/store/backup_path.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;

class BackupPathTest : public ::testing::Test {
 protected:
  BackupPathTest() {
    fs::create_directory(root_);
    fs::create_directory(dir_.Sub("elsewhere"));
  }

  const TempDir dir_;
  const std::string root_ = fs::canonical(dir_.path()).string() + "/root";
};

TEST_F(BackupPathTest, TakesANameOrThePathOfIt) {
  EXPECT_EQ(Must(BackupPath(root_, "daily")), root_ + "/daily");
  EXPECT_EQ(Must(BackupPath(root_ + "/", "daily-2026_11.17")), root_ + "/daily-2026_11.17");
  EXPECT_EQ(Must(BackupPath(root_, root_ + "/daily")), root_ + "/daily");
  EXPECT_EQ(Must(BackupPath(root_, root_ + "/daily/")), root_ + "/daily");
  fs::create_directory(root_ + "/daily");
  EXPECT_EQ(Must(BackupPath(root_, "daily")), root_ + "/daily");
  EXPECT_EQ(Must(BackupPath(root_, std::string(255, 'a'))), root_ + "/" + std::string(255, 'a'));
}

TEST_F(BackupPathTest, ARootThatIsALinkIsTheOperatorsWish) {
  const std::string link = dir_.Sub("link");
  fs::create_directory_symlink(root_, link);
  EXPECT_EQ(Must(BackupPath(link, link + "/daily")), root_ + "/daily");
  EXPECT_EQ(Must(BackupPath(link, root_ + "/daily")), root_ + "/daily");
}

TEST_F(BackupPathTest, RefusesWhatLeadsElsewhere) {
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../elsewhere"), std::string("a/b"),
        std::string("a/../../elsewhere"), std::string("/"), std::string("/etc"), root_, root_ + "/",
        root_ + "/../elsewhere", root_ + "2/daily", std::string(".hidden"), std::string("a b"),
        std::string("a\0b", 3), std::string("\n"), std::string(256, 'a')}) {
    EXPECT_THAT(BackupPath(root_, name).status(), StatusIs(kInvalid, "directory: ")) << name;
  }
}

TEST_F(BackupPathTest, RefusesALinkOrAFile) {
  fs::create_directory_symlink(dir_.Sub("elsewhere"), root_ + "/out");
  fs::create_symlink(root_ + "/nowhere", root_ + "/dangling");
  EXPECT_THAT(BackupPath(root_, "out").status(), StatusIs(kInvalid, "is no directory"));
  EXPECT_THAT(BackupPath(root_, "dangling").status(), StatusIs(kInvalid, "is no directory"));
}

TEST_F(BackupPathTest, SaysWhichFlagIsMissing) {
  EXPECT_THAT(BackupPath("", "daily").status(), StatusIs(kFailedPrecondition, "--backup-dir"));
  EXPECT_THAT(BackupPath(dir_.Sub("gone"), "daily").status(), StatusIs(kFailedPrecondition, "--backup-dir"));
}

}  // namespace
}  // namespace kindred::test
