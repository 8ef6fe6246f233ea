// A quarter of a million real molecules: all in, answers of both modes equal, also after kill -9.
// Takes minutes; labelled slow.

#include <csignal>
#include <fstream>
#include <regex>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/paths.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

constexpr int kMolecules = 249'455;
constexpr int kHeldBack = 200;

// The hits of each query, a line each: what must not depend on the mode, without times and counts.
std::string Hits(const std::string& address, const std::string& file, const std::string& mode) {
  const Finished search = RunProgram(
      KindredPath(), {"--server", address, "--json", "search", "--file", file, "-k", "10", "--mode", mode});
  EXPECT_EQ(search.exit_code, 0) << search.err;
  static const std::regex stats(R"re("stats":\{[^}]*\})re");
  return std::regex_replace(search.out, stats, "");
}

TEST(Zinc, BothModesAgreeOnHeldBackMoleculesAlsoAfterKill) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const TempDir dir;
  const std::string source = (*SharedData() / "molecules/zinc250k.smi.gz").string();
  const std::string split = "gzip -dc '" + source + "' | head -n -" + std::to_string(kHeldBack) + " > '" +
                            dir.Sub("stored.smi") + "'; gzip -dc '" + source + "' | tail -n " +
                            std::to_string(kHeldBack) + " > '" + dir.Sub("queries.smi") + "'";
  ASSERT_EQ(RunProgram("/bin/sh", {"-c", split}).exit_code, 0);

  std::string before;
  {
    DaemonProcess daemon(dir.Sub("d"));
    const Finished ingest = RunProgram(
        KindredPath(), {"--server", daemon.address(), "--json", "ingest", dir.Sub("stored.smi")});
    ASSERT_EQ(ingest.exit_code, 0) << ingest.err;
    EXPECT_THAT(ingest.out, HasSubstr("\"stored\":" + std::to_string(kMolecules - kHeldBack)));
    before = Hits(daemon.address(), dir.Sub("queries.smi"), "pruned");
    EXPECT_EQ(std::ranges::count(before, '\n'), kHeldBack);
    EXPECT_EQ(Hits(daemon.address(), dir.Sub("queries.smi"), "exhaustive"), before);
    daemon.Stop(SIGKILL);
  }
  DaemonProcess daemon(dir.Sub("d"));
  EXPECT_THAT(daemon.ready_line(), HasSubstr(" graphs=" + std::to_string(kMolecules - kHeldBack) + " "));
  EXPECT_EQ(Hits(daemon.address(), dir.Sub("queries.smi"), "pruned"), before);
  EXPECT_EQ(Hits(daemon.address(), dir.Sub("queries.smi"), "exhaustive"), before);
}

}  // namespace
}  // namespace kindred::test
