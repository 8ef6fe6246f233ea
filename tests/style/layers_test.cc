// Which folder may include which: ARCHITECTURE.md as a test.

#include <map>
#include <regex>
#include <set>

#include "gtest/gtest.h"
#include "tests/style/source_files.h"

namespace kindred::test {
namespace {

// The folders each folder may include from, beside itself.
const std::map<std::string, std::set<std::string>>& Allowed() {
  static const std::map<std::string, std::set<std::string>> allowed{
      {"index/base", {}},
      {"index/graph", {"index/base"}},
      {"index/hierarchy", {"index/base", "index/graph"}},
      {"index/histogram", {"index/base", "index/graph", "index/hierarchy"}},
      {"index/kernels", {"index/base", "index/graph", "index/hierarchy", "index/histogram"}},
      {"index/filter", {"index/base"}},
      {"index/lists", {"index/base", "index/graph", "index/hierarchy", "index/histogram", "index/filter"}},
      {"index/search", {"index/base", "index/graph", "index/hierarchy", "index/histogram", "index/lists"}},
      {"index/pairs", {"index/base", "index/graph", "index/hierarchy", "index/histogram", "index/lists"}},
      {"index/store", {"index/base", "index/graph", "index/hierarchy", "index/histogram"}},
      {"index/engine",
       {"index/base", "index/graph", "index/hierarchy", "index/histogram", "index/kernels", "index/filter",
        "index/lists", "index/search", "index/pairs", "index/store"}},
      {"wire", {"index/base", "index/graph", "kindred/v1"}},
      {"daemon/edge", {"index/base"}},
      {"daemon",
       {"daemon/edge", "index/base", "index/graph", "index/histogram", "index/kernels", "index/filter",
        "index/search", "index/store", "index/engine", "wire", "kindred/v1"}},
      {"client", {"index/base", "kindred/v1"}},
      {"client/formats", {"index/base", "kindred/v1"}},
      {"client/drawing", {"index/base", "kindred/v1"}},
      // A command that works on files without a daemon counts features itself, with the daemon's own code.
      {"client/cli",
       {"index/base", "index/graph", "index/kernels", "wire", "client", "client/formats", "client/drawing",
        "kindred/v1"}},
  };
  return allowed;
}

// "index/base/ids.h" is of index/base, "client/cli/main/main.cc" of client/cli: the longest known prefix.
std::string FolderOf(const std::string& path) {
  std::string best;
  for (const auto& [folder, allowed] : Allowed()) {
    if (path.starts_with(folder + "/") && folder.size() > best.size()) {
      best = folder;
    }
  }
  return best.empty() && path.starts_with("kindred/v1/") ? "kindred/v1" : best;
}

struct Include {
  std::string file;
  int line;
  std::string path;
};

std::vector<Include> Includes() {
  static const std::regex pattern(R"re(^\s*#include\s+["<]([^">]+)[">])re");
  std::vector<Include> includes;
  for (const char* root : {"index", "wire", "daemon", "client"}) {
    for (const std::string& file : SourceFiles(root, {".h", ".cc"})) {
      int number = 0;
      for (const std::string& line : Lines(file)) {
        ++number;
        if (std::smatch match; std::regex_search(line, match, pattern)) {
          includes.push_back({file, number, match[1]});
        }
      }
    }
  }
  return includes;
}

TEST(Layers, EveryFolderIncludesOnlyThoseItMay) {
  int checked = 0;
  for (const Include& include : Includes()) {
    const std::string from = FolderOf(include.file);
    ASSERT_NE(from, "") << include.file << " lies in a folder that has no rule";
    const std::string to = FolderOf(include.path);
    const bool ours = std::filesystem::exists(SourceRoot() / include.path) || !to.empty();
    if (!ours || to == from) {
      continue;
    }
    ++checked;
    EXPECT_TRUE(Allowed().at(from).contains(to))
        << include.file << ":" << include.line << ": " << from << " may not include " << include.path;
  }
  EXPECT_GT(checked, 50) << "the test reads no includes any more";
}

TEST(Layers, IndexKnowsNeitherGrpcNorProtobuf) {
  for (const Include& include : Includes()) {
    if (include.file.starts_with("index/")) {
      EXPECT_FALSE(include.path.starts_with("grpc") || include.path.starts_with("google/") ||
                   include.path.starts_with("kindred/v1"))
          << include.file << ":" << include.line;
    }
  }
}

TEST(Layers, OnlyTheStoreKnowsRocksDb) {
  for (const Include& include : Includes()) {
    if (include.path.starts_with("rocksdb/")) {
      EXPECT_EQ(FolderOf(include.file), "index/store") << include.file << ":" << include.line;
    }
  }
}

TEST(Layers, OnlyFormatsAndDrawingKnowRdkit) {
  for (const Include& include : Includes()) {
    if (include.path.starts_with("GraphMol/") || include.path.starts_with("RDGeneral/")) {
      const std::string folder = FolderOf(include.file);
      EXPECT_TRUE(folder == "client/formats" || folder == "client/drawing")
          << include.file << ":" << include.line;
    }
  }
}

}  // namespace
}  // namespace kindred::test
