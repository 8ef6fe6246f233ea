// What the documents point at is there; every flag and limit they must tell of is told.

#include <regex>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "index/base/limits.h"
#include "tests/style/source_files.h"

namespace kindred::test {
namespace {

std::string Text(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(SourceRoot() / file).rdbuf();
  return text.str();
}

std::vector<std::string> Documents() {
  std::vector<std::string> documents = SourceFiles("docs", {".md"});
  for (const char* file : {"README.md", "ARCHITECTURE.md", "CHANGELOG.md"}) {
    documents.emplace_back(file);
  }
  return documents;
}

TEST(Documents, HaveNoConflictOfAMergeLeft) {
  for (const std::string& document : Documents()) {
    for (const std::string& line : Lines(document)) {
      EXPECT_FALSE(line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) << document << ": " << line;
    }
  }
}

TEST(Links, PointAtFilesThatExist) {
  static const std::regex link(R"re(\]\(([^)#]+)[^)]*\))re");
  int links = 0;
  for (const std::string& document : Documents()) {
    const std::string text = Text(document);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (!target.starts_with("http")) {
        ++links;
        EXPECT_TRUE(std::filesystem::exists((SourceRoot() / document).parent_path() / target))
            << document << " points at " << target;
      }
    }
  }
  EXPECT_GT(links, 3);
}

// `index/store/schema.h` and the like, in backquotes.
TEST(Links, NameSourceFilesThatExist) {
  static const std::regex name(
      R"re(`((?:index|wire|daemon|client|tests|proto|scripts|docs)/[A-Za-z0-9_./-]+)`)re");
  for (const std::string& document : Documents()) {
    const std::string text = Text(document);
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
      EXPECT_TRUE(std::filesystem::exists(SourceRoot() / (*at)[1].str()))
          << document << " names " << (*at)[1];
    }
  }
}

TEST(Links, TheApiPageTellsOfEveryLimit) {
  const std::string api = Text("docs/api.md");
  for (const LimitInfo& limit : kLimits) {
    EXPECT_THAT(api, ::testing::HasSubstr(std::string("`") + limit.name + "`"));
  }
}

}  // namespace
}  // namespace kindred::test
