// What the command line takes, what it refuses, and its exit codes.

#include <unistd.h>

#include <csignal>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CommandLineTest, WrongUsageIsExplainedOnStandardErrorAndExits64) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"frobnicate"},
      {"stats", "--frobnicate"},
      {"stats", "extra"},
      {"ingest"},
      {"ingest", "f", "--format", "mol2"},
      {"ingest", "f", "--labels", "maccs"},
      {"ingest", "f", "--hydrogens", "add"},
      {"search", "--file", "f", "--fragments", "smallest"},
      {"convert", "f", "x.pb", "--properties", "all"},
      {"ingest", "f", "--edge-labels", "maybe"},
      {"ingest", "f", "--on-error", "cry"},
      {"ingest", "f", "--mode", "append"},
      {"search"},
      {"search", "--smiles", "C", "--id", "x"},
      {"search", "--id", ""},
      {"search", "--id", "x", "-k", "0"},
      {"search", "--id", "x", "-k", "-1"},
      {"search", "--id", "x", "--measure", "euclid"},
      {"search", "--id", "x", "--weights", "1,,2"},
      {"search", "--id", "x", "--weights", "1,-2"},
      {"search", "--id", "x", "--depth", "deep"},
      {"search", "--id", "x", "--min-similarity", "much"},
      {"search", "--id", "x", "--threads", "0"},
      {"get"},
      {"delete"},
      {"kernel", "--kernel", "rbf"},
      {"kernel", "--format", "xml"},
      {"stats", "--timeout", "0"},
      {"stats", "--timeout", "soon"},
      {"stats", "--server", "nowhere"},
  };
  for (const auto& words : wrong) {
    const CliResult result = RunCli(words);
    const std::string line = testing::PrintToString(words);
    EXPECT_EQ(result.code, 64) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_THAT(result.err, StartsWith("kindred: ")) << line;
    EXPECT_THAT(result.err, HasSubstr("--help")) << line;
  }
  EXPECT_THAT(RunCli({"frobnicate"}).err, HasSubstr("there is no command \"frobnicate\""));
}

TEST(CommandLineTest, HelpAndVersionGoToStandardOutput) {
  EXPECT_THAT(RunCli({"--version"}).out, testing::MatchesRegex("kindred [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(RunCli({"stats", "--version"}).out, StartsWith("kindred "));
  for (const char* const command : {"ingest", "search", "get", "delete", "export", "stats", "kernel"}) {
    EXPECT_THAT(RunCli({"--help"}).out, HasSubstr(command));
    const CliResult result = RunCli({command, "--help"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("Usage: kindred " + std::string(command)));
    EXPECT_EQ(result.err, "");
  }
}

TEST(CommandLineTest, AnUnreachableDaemonExits69AndSaysWhatToDo) {
  const std::string address = client::DeadAddress();
  const std::vector<std::vector<std::string>> commands = {
      {"stats"},      {"get", "x"}, {"delete", "x"}, {"export"}, {"kernel"}, {"search", "--id", "x"},
      {"ingest", "-"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.begin(), {"--server", address});
    const CliResult result = RunCli(words);
    EXPECT_EQ(result.code, 69) << words[2];
    EXPECT_EQ(result.out, "") << words[2];
    EXPECT_THAT(result.err, StartsWith("kindred: cannot reach the daemon at " + address)) << words[2];
    EXPECT_THAT(result.err, HasSubstr("kindredd --data-dir")) << words[2];
  }
}

TEST_F(CliTest, TakesTheServerFromTheEnvironmentUnlessTold) {
  server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse&) { return grpc::Status::OK; };
  ::setenv("KINDRED_SERVER", server_.address().c_str(), 1);
  EXPECT_EQ(RunCli({"stats"}).code, 0);
  EXPECT_EQ(RunCli({"stats", "--server", client::DeadAddress()}).code, 69);
  ::unsetenv("KINDRED_SERVER");
}

TEST_F(CliTest, TakesGlobalOptionsBehindTheCommand) {
  server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse& response) {
    response.set_graphs(7);
    return grpc::Status::OK;
  };
  const CliResult result = Run({"stats", "--json", "--timeout", "5"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("{\"graphs\":7,"));
}

TEST_F(CliTest, TakesIdsOfAnyLookAsTheyAre) {
  std::vector<std::string> ids;
  server_.index.get = [&](const v1::GetRequest& request, v1::GetResponse& response) {
    ids.assign(request.ids().begin(), request.ids().end());
    for (const std::string& id : request.ids()) {
      response.add_entries()->set_id(id);
    }
    return grpc::Status::OK;
  };
  EXPECT_EQ(Run({"get", "[Na+]", "stats", "[a,b]", "{}", "x=y", "%"}).code, 3);
  EXPECT_THAT(ids, ElementsAre("[Na+]", "stats", "[a,b]", "{}", "x=y", "%"));
  EXPECT_EQ(RunCli({"--server", server_.address(), "get", "--json", "a", "--", "-k", "--", "--json"}).code,
            3);
  EXPECT_THAT(ids, ElementsAre("a", "-k", "--", "--json"));
}

TEST_F(CliTest, AnythingElseThatFailsExits1WithTheDaemonsWords) {
  server_.index.search = [](const v1::SearchRequest&, v1::SearchResponse&) {
    return grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "depth: 9 is beyond the index");
  };
  const CliResult result = Run({"search", "--id", "x", "--depth", "9"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "kindred: depth: 9 is beyond the index\n");
}

TEST_F(CliTest, ATimeoutIsNamedAsOne) {
  server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    return grpc::Status::OK;
  };
  const CliResult result = Run({"stats", "--timeout", "0.1"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("--timeout"));
}

TEST_F(CliTest, AFullDiskExits1AndAReaderThatLeftIsNoFailure) {
  server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse&) { return grpc::Status::OK; };
  const std::vector<const char*> argv = {"kindred", "stats", "--server", server_.address().c_str()};
  MemoryFile err;
  FILE* const full = std::fopen("/dev/full", "w");
  EXPECT_EQ(RunCommandLine(4, argv.data(), full, err.get()), ExitCode::kFailed);
  EXPECT_THAT(err.Text(), HasSubstr("No space left"));
  std::fclose(full);

  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  FILE* const left = ::fdopen(ends[1], "w");
  MemoryFile quiet;
  EXPECT_EQ(RunCommandLine(4, argv.data(), left, quiet.get()), ExitCode::kOk);
  EXPECT_EQ(quiet.Text(), "");
  std::fclose(left);
}

}  // namespace
}  // namespace kindred::cli
