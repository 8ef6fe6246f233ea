// A quarter of a million real molecules: all in, answers of both modes equal, also after kill -9.
// Takes minutes; labelled slow.

#include <algorithm>
#include <csignal>
#include <future>
#include <string>
#include <vector>

#include "fmt/format.h"
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

// The queries lie in two files, and two clients ask at once: the daemon has a thread for each.
const char* const kQueryFiles[] = {"queries.aa", "queries.ab"};

std::string WithoutStats(std::string lines) {
  for (size_t begin = 0; (begin = lines.find("\"stats\":{", begin)) != std::string::npos;) {
    lines.erase(begin, lines.find('}', begin) + 1 - begin);
  }
  return lines;
}

// The hits of the queries of one file, a line each: what must not depend on the mode, without times and
// counts.
std::string HitsOfFile(const std::string& address, const std::string& file, const std::string& mode) {
  const Finished search = RunProgram(
      KindredPath(), {"--server", address, "--json", "search", "--file", file, "-k", "10", "--mode", mode});
  EXPECT_EQ(search.exit_code, 0) << search.err;
  return WithoutStats(search.out);
}

std::string Hits(const std::string& address, const TempDir& dir, const std::string& mode) {
  std::vector<std::future<std::string>> clients;
  for (const char* const file : kQueryFiles) {
    clients.push_back(std::async(std::launch::async, HitsOfFile, address, dir.Sub(file), mode));
  }
  std::string hits;
  for (std::future<std::string>& client : clients) {
    hits += client.get();
  }
  return hits;
}

TEST(Zinc, BothModesAgreeOnHeldBackMoleculesAlsoAfterKill) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const TempDir dir;
  const std::string source = (*SharedData() / "molecules/zinc250k.smi.gz").string();
  const std::string split = fmt::format(
      "gzip -dc '{0}' | head -n -{1} > '{2}' && gzip -dc '{0}' | tail -n {1} | split -l {3} - '{4}'", source,
      kHeldBack, dir.Sub("stored.smi"), kHeldBack / 2, dir.Sub("queries."));
  ASSERT_EQ(RunProgram("/bin/sh", {"-c", split}).exit_code, 0);

  std::string before;
  {
    DaemonProcess daemon(dir.Sub("d"));
    const Finished ingest =
        RunProgram(KindredPath(), {"--server", daemon.address(), "--json", "ingest", dir.Sub("stored.smi")});
    ASSERT_EQ(ingest.exit_code, 0) << ingest.err;
    EXPECT_THAT(ingest.out, HasSubstr("\"stored\":" + std::to_string(kMolecules - kHeldBack)));
    before = Hits(daemon.address(), dir, "pruned");
    EXPECT_EQ(std::ranges::count(before, '\n'), kHeldBack);
    EXPECT_EQ(Hits(daemon.address(), dir, "exhaustive"), before);
    daemon.Stop(SIGKILL);
  }
  DaemonProcess daemon(dir.Sub("d"));
  EXPECT_THAT(daemon.ready_line(), HasSubstr(" graphs=" + std::to_string(kMolecules - kHeldBack) + " "));
  EXPECT_EQ(Hits(daemon.address(), dir, "pruned"), before);
  EXPECT_EQ(Hits(daemon.address(), dir, "exhaustive"), before);
}

}  // namespace
}  // namespace kindred::test
