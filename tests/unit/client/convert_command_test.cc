// kindred convert, and what reads its files again.

#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_ingest.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

class ConvertCommandTest : public CliTest {
 protected:
  ConvertCommandTest() {
    server_.index.ingest = [this](client::FakeIndex::IngestCall& call) { return ingest_.Serve(call); };
  }

  bool Exists(const std::string& name) const { return std::filesystem::exists(Path(name)); }

  client::FakeIngest ingest_;
};

TEST_F(ConvertCommandTest, WritesWhatIngestReads) {
  const std::string smiles = WriteFile("a.smi", "CCO\tx\nCC\ty\n");
  const std::string json = WriteFile("b.jsonl", "{\"id\":\"z\",\"vertices\":[\"C\"]}\n");
  for (const char* name : {"all.pb", "all.pb.zst"}) {
    const CliResult result = Run({"convert", smiles, json, Path(name)});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, testing::MatchesRegex("read +3\nwritten +3\nrejected +0\nbytes +[0-9]+\n"
                                                  "seconds +[0-9.]+\ngraphs/s +[0-9]+\n"));
    EXPECT_FALSE(Exists(std::string(name) + ".part"));
    EXPECT_EQ(Run({"ingest", Path(name)}).code, 0);
  }
  EXPECT_THAT(ingest_.ids(), testing::ElementsAre("x", "y", "z", "x", "y", "z"));
  EXPECT_EQ(Run({"convert", Path("all.pb.zst"), Path("again.pb")}).code, 0);
  EXPECT_EQ(ReadFile(Path("again.pb")), ReadFile(Path("all.pb")));
}

TEST_F(ConvertCommandTest, LeavesOutWhatIsRejected) {
  const std::string file = WriteFile("a.smi", "CCO\tx\nC((\tbad\nCC\ty\n");
  const CliResult result = Run({"convert", file, Path("all.pb"), "--json"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr(file + ":2: bad: "));
  const auto summary = nlohmann::json::parse(result.out);
  EXPECT_EQ(summary["read"], 3);
  EXPECT_EQ(summary["written"], 2);
  EXPECT_EQ(summary["rejections"].size(), 1u);
  EXPECT_EQ(summary["bytes"], std::filesystem::file_size(Path("all.pb")));
}

TEST_F(ConvertCommandTest, LeavesNothingBehindWhenItStops) {
  const std::string bad = WriteFile("a.smi", "CCO\tx\nC((\tbad\nCC\ty\n");
  EXPECT_EQ(Run({"convert", bad, Path("all.pb"), "--on-error", "stop"}).code, 3);
  EXPECT_EQ(Run({"convert", bad, Path("missing.smi"), Path("all.pb")}).code, 1);
  EXPECT_EQ(Run({"convert", bad, WriteFile("b", std::string("\x7F\0", 2)), Path("all.pb")}).code, 1);
  EXPECT_FALSE(Exists("all.pb"));
  EXPECT_FALSE(Exists("all.pb.part"));
}

TEST_F(ConvertCommandTest, LeavesNothingBehindWhenItIsInterrupted) {
  const std::string pipe = Path("pipe.smi");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread feeder([&] {
    std::ofstream feed(pipe);  // Stays open while the command runs.
    feed << "CCO\tx\n" << std::flush;
    while (!Exists("all.pb.part")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  });
  const CliResult result = Run({"convert", pipe, Path("all.pb")});
  feeder.join();
  EXPECT_EQ(result.code, 130);
  EXPECT_THAT(result.out, HasSubstr("written"));
  EXPECT_FALSE(Exists("all.pb"));
  EXPECT_FALSE(Exists("all.pb.part"));
}

TEST_F(ConvertCommandTest, DoesNotTakeAnInputForTheOutput) {
  const std::string a = WriteFile("a.smi", "CCO\tx\n");
  const std::string b = WriteFile("b.smi", "CC\ty\n");
  const CliResult result = Run({"convert", a, b});
  EXPECT_EQ(result.code, 64);
  EXPECT_THAT(result.err, HasSubstr("ends neither in .pb nor in .pb.zst"));
  EXPECT_EQ(ReadFile(b), "CC\ty\n");
  EXPECT_EQ(Run({"convert", a}).code, 64);
}

TEST_F(ConvertCommandTest, WritesToStandardOutput) {
  const std::string file = WriteFile("a.smi", "CCO\tx\n");
  const CliResult result = Run({"convert", file, "-"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("written"));
  ASSERT_EQ(Run({"convert", file, Path("all.pb")}).code, 0);
  EXPECT_EQ(result.out, ReadFile(Path("all.pb")));
}

TEST_F(ConvertCommandTest, NamesTheRecordWhereAFileEndsTooSoon) {
  const std::string file = WriteFile("a.smi", "CCO\tx\nCC\ty\n");
  ASSERT_EQ(Run({"convert", file, Path("all.pb")}).code, 0);
  const std::string bytes = ReadFile(Path("all.pb"));
  const std::string cut = WriteFile("cut.pb", bytes.substr(0, bytes.size() - 3));
  const CliResult result = Run({"ingest", cut});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.err, HasSubstr(cut + ":2: the file ends after "));
  EXPECT_THAT(ingest_.ids(), testing::ElementsAre("x"));
}

TEST_F(ConvertCommandTest, SearchReadsItsFiles) {
  std::vector<std::string> asked;
  server_.index.search = [&](const v1::SearchRequest& request, v1::SearchResponse&) {
    asked.push_back(std::to_string(request.graph().vertices_size()));
    return grpc::Status::OK;
  };
  ASSERT_EQ(Run({"convert", WriteFile("a.smi", "CCO\tx\nCC\ty\n"), Path("all.pb.zst")}).code, 0);
  const CliResult result = Run({"search", "--json", "--file", Path("all.pb.zst")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(asked, testing::ElementsAre("3", "2"));
  EXPECT_THAT(result.out, HasSubstr("\"query\":\"y\""));
}

}  // namespace
}  // namespace kindred::cli
