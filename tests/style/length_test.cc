// Files that one can read in one sitting.

#include "gtest/gtest.h"
#include "tests/style/source_files.h"

namespace kindred::test {
namespace {

constexpr size_t kLinesMax = 350;

TEST(Length, NoFileOutgrowsItsReader) {
  size_t files = 0;
  for (const char* root : {"index", "wire", "daemon", "client", "tests"}) {
    for (const std::string& file : SourceFiles(root, {".h", ".cc", ".py"})) {
      ++files;
      EXPECT_LE(Lines(file).size(), kLinesMax) << file << ": one noun a file";
    }
  }
  EXPECT_GT(files, 100);
}

TEST(Length, EveryHeaderOpensWithItsContract) {
  for (const char* root : {"index", "wire", "daemon", "client"}) {
    for (const std::string& file : SourceFiles(root, {".h"})) {
      const auto lines = Lines(file);
      ASSERT_FALSE(lines.empty()) << file;
      EXPECT_TRUE(lines.front().starts_with("// ")) << file << " does not say what it is";
    }
  }
}

}  // namespace
}  // namespace kindred::test
