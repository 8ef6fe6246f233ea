// What released versions wrote, this one reads: every data directory and backup in tests/golden is opened,
// verified, exported and compared (docs/formats.md).

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/damage.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// tests/golden/VERSION/KIND, each with data/, backups/ and export.jsonl.
std::vector<fs::path> GoldenDirectories() {
  std::vector<fs::path> found;
  for (const fs::path& file : FilesOf(SourceDir() / "tests" / "golden", "export.jsonl")) {
    found.push_back(file.parent_path());
  }
  return found;
}

std::string ReadText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Serves a directory, and says what an export and an audit print.
std::string ExportOf(const std::string& data) {
  DaemonProcess daemon(data);
  const Finished verified = RunProgram(KindredPath(), {"--server", daemon.address(), "verify"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  Finished exported = RunProgram(KindredPath(), {"--server", daemon.address(), "export"});
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  return exported.out;
}

class Golden : public ::testing::TestWithParam<fs::path> {
 protected:
  const TempDir dir_;
};

INSTANTIATE_TEST_SUITE_P(Release, Golden, ::testing::ValuesIn(GoldenDirectories()),
                         [](const ::testing::TestParamInfo<fs::path>& golden) {
                           std::string name = golden.param.parent_path().filename().string() + "_" +
                                              golden.param.filename().string();
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST_P(Golden, DataDirectoryOpensVerifiesAndExportsTheSame) {
  const std::string data = dir_.Sub("data");
  CopyDirectory(GetParam() / "data", data);
  const Finished offline = RunProgram(KindreddPath(), {"--data-dir", data, "--verify"});
  EXPECT_EQ(offline.exit_code, 0) << offline.out << offline.err;
  const bool earlier = GetParam().parent_path().filename() == "schema_5";
  EXPECT_EQ(offline.err.find("upgraded from schema version ") != std::string::npos, earlier) << offline.err;
  const std::string expected = ReadText(GetParam() / "export.jsonl");
  EXPECT_EQ(ExportOf(data), expected);
  EXPECT_EQ(ExportOf(data), expected) << "after this version wrote to it";
}

TEST_P(Golden, BackupsAreRestored) {
  for (const char* const id : {"1", "2"}) {
    const std::string data = dir_.Sub(id);
    const Finished restored =
        RunProgram(KindreddPath(), {"--data-dir", data, "--restore-from", (GetParam() / "backups").string(),
                                    "--backup-id", id, "--verify"});
    EXPECT_EQ(restored.exit_code, 0) << restored.out << restored.err;
    EXPECT_THAT(restored.out, HasSubstr(": 0 findings\n"));
  }
  // What came after the last backup is not in it; all else is as the index had it.
  const std::string later = ReadText(GetParam() / "export.jsonl");
  const std::string then = ExportOf(dir_.Sub("2"));
  EXPECT_THAT(then, HasSubstr("\"id\""));
  EXPECT_NE(then, later);
}

TEST(GoldenSet, HasEveryKind) { EXPECT_GE(GoldenDirectories().size(), 2u) << "scripts/golden makes them"; }

}  // namespace
}  // namespace kindred::test
