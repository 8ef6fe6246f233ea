// DataDirectory: one holder at a time, and never somebody else's directory.

#include "index/store/data_directory.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::kFailedPrecondition;
using test::StatusIs;
using test::TempDir;

constexpr auto kUnavailable = absl::StatusCode::kUnavailable;

void WriteFile(const fs::path& path) { std::ofstream(path) << "content"; }

TEST(DataDirectory, CreatesWhatIsMissing) {
  const TempDir temp;
  const std::string path = temp.Sub("a/b/c");
  const auto directory = DataDirectory::Open(path);
  ASSERT_THAT(directory, IsOk());
  EXPECT_EQ(directory->path(), path);
  EXPECT_EQ(directory->db_path(), path + "/db");
  EXPECT_TRUE(fs::exists(path + "/kindred.lock"));
}

TEST(DataDirectory, TakesAnEmptyDirectory) {
  const TempDir temp;
  EXPECT_THAT(DataDirectory::Open(temp.path().string()), IsOk());
}

TEST(DataDirectory, ASecondOpenIsUnavailableUntilTheFirstIsGone) {
  const TempDir temp;
  auto first = DataDirectory::Open(temp.Sub("index"));
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), StatusIs(kUnavailable, "in use by another process"));
  first = absl::CancelledError("closed");
  EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), IsOk());
}

TEST(DataDirectory, ARefusedOpenDoesNotReleaseTheHoldersLock) {
  const TempDir temp;
  const auto first = DataDirectory::Open(temp.Sub("index"));
  ASSERT_THAT(first, IsOk());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), StatusIs(kUnavailable, temp.Sub("index")));
  }
}

TEST(DataDirectory, TheLockMovesWithTheObject) {
  const TempDir temp;
  std::optional<DataDirectory> moved;
  {
    auto first = DataDirectory::Open(temp.Sub("index"));
    ASSERT_THAT(first, IsOk());
    moved.emplace(*std::move(first));
  }
  EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), StatusIs(kUnavailable, ""));
  moved.reset();
  EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), IsOk());
}

TEST(DataDirectory, RefusesADirectoryOfSomethingElse) {
  const TempDir temp;
  WriteFile(temp.path() / "thesis.tex");
  EXPECT_THAT(DataDirectory::Open(temp.path().string()), StatusIs(kFailedPrecondition, "is not empty"));
  EXPECT_FALSE(fs::exists(temp.path() / "kindred.lock")) << "it left something behind";
}

TEST(DataDirectory, TakesItsOwnDirectoryWithAnythingBeside) {
  const TempDir temp;
  ASSERT_THAT(DataDirectory::Open(temp.Sub("index")), IsOk());
  WriteFile(temp.path() / "index/notes.txt");
  EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), IsOk());
}

TEST(DataDirectory, RefusesAFileInItsPlace) {
  const TempDir temp;
  WriteFile(temp.path() / "file");
  EXPECT_THAT(DataDirectory::Open(temp.Sub("file")), StatusIs(kFailedPrecondition, "data directory"));
  EXPECT_THAT(DataDirectory::Open(temp.Sub("file/below")), StatusIs(kFailedPrecondition, "data directory"));
}

TEST(DataDirectory, RefusesADirectoryWhereTheLockShouldBe) {
  const TempDir temp;
  fs::create_directories(temp.path() / "index/kindred.lock");
  EXPECT_THAT(DataDirectory::Open(temp.Sub("index")), StatusIs(kFailedPrecondition, "kindred.lock"));
}

}  // namespace
}  // namespace kindred
