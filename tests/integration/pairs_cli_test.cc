// kindred pairs and kindred clusters against a real daemon.

#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kAlcohols[] = "CCCCO butanol\nCCCCCO pentanol\nCCCCCCO hexanol\nO water\nc1ccccc1 benzene\n";

class PairsCliTest : public ::testing::Test {
 protected:
  PairsCliTest() {
    const Finished ingest = Kindred({"ingest", WriteFile("alcohols.smi", kAlcohols)});
    EXPECT_EQ(ingest.exit_code, 0) << ingest.err;
  }

  Finished Kindred(std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon_.address()});
    return RunProgram(KindredPath(), args);
  }
  std::string WriteFile(const std::string& name, const std::string& text) {
    std::ofstream(dir_.path() / name) << text;
    return dir_.Sub(name);
  }
  std::string ReadFile(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(dir_.path() / name).rdbuf();
    return text.str();
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d")};
};

TEST_F(PairsCliTest, PairsForPeopleAndAsJson) {
  const Finished text = Kindred({"pairs", "--min-similarity", "0.65"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("a "));
  EXPECT_THAT(text.out, ContainsRegex("\nbutanol +pentanol +0\\.[0-9]{4} +[0-9]+\n"));
  EXPECT_THAT(text.out, ContainsRegex("\nhexanol +pentanol +0\\.[0-9]{4} +[0-9]+\n"));
  EXPECT_THAT(text.out, ContainsRegex("\n2 pairs of 5 graphs at sequence 5, [0-9.]+ s\n$"));
  const Finished json =
      Kindred({"--json", "pairs", "--min-similarity", "0.5", "--measure", "cosine", "--depth", "1"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_THAT(json.out,
              ContainsRegex(R"(\{"a":"butanol","b":"hexanol","similarity":0\.[0-9]+,"kernel":[0-9]+\})"));
  EXPECT_THAT(json.out,
              ContainsRegex(R"(\{"pairs":3,"graphs":5,"sequence":5,"stats":\{"candidates":[0-9]+,)"));
}

TEST_F(PairsCliTest, PairsOfAFileAndTheIndex) {
  const std::string file = WriteFile("mine.smi", "CCCCCO mine\nC1CC broken\nCCCCCO again\n");
  const Finished pairs = Kindred({"--json", "pairs", "--min-similarity", "0.9", "--file", file});
  EXPECT_EQ(pairs.exit_code, 3) << pairs.err;
  EXPECT_EQ(pairs.out.substr(0, pairs.out.find("{\"pairs\"")),
            "{\"a\":\"mine\",\"b\":\"pentanol\",\"similarity\":1,\"kernel\":24}\n"
            "{\"a\":\"again\",\"b\":\"pentanol\",\"similarity\":1,\"kernel\":24}\n");
  EXPECT_THAT(pairs.err, HasSubstr("mine.smi:2"));
  EXPECT_THAT(pairs.err, HasSubstr("broken"));
}

TEST_F(PairsCliTest, WritesAFileThatAppearsWhole) {
  const Finished pairs = Kindred({"pairs", "--min-similarity", "0.65", "-o", dir_.Sub("pairs.txt")});
  EXPECT_EQ(pairs.exit_code, 0) << pairs.err;
  EXPECT_EQ(pairs.out, "");
  EXPECT_THAT(ReadFile("pairs.txt"), HasSubstr("2 pairs of 5 graphs"));
  const Finished refused = Kindred({"pairs", "--min-similarity", "7", "-o", dir_.Sub("none.txt")});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("min_similarity: 7 is not above 0 and at most 1"));
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "none.txt"));
}

TEST_F(PairsCliTest, ClustersForPeopleAndAsJson) {
  const Finished text = Kindred({"clusters", "--min-similarity", "0.65"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, ContainsRegex("^size  representative  members\n"
                                      "   3  pentanol        butanol hexanol pentanol\n"
                                      "1 clusters of 5 graphs, 2 pairs, at sequence 5, [0-9.]+ s\n$"));
  const Finished json = Kindred({"--json", "clusters", "--min-similarity", "0.65", "--size-min", "1"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_THAT(
      json.out,
      StartsWith(
          "{\"representative\":\"pentanol\",\"size\":3,\"members\":[\"butanol\",\"hexanol\",\"pentanol\"]}\n"
          "{\"representative\":\"benzene\",\"size\":1,\"members\":[\"benzene\"]}\n"
          "{\"representative\":\"water\",\"size\":1,\"members\":[\"water\"]}\n"
          "{\"clusters\":3,\"pairs\":2,\"graphs\":5,\"sequence\":5,"));
}

TEST_F(PairsCliTest, NeedsASimilarity) {
  for (const char* const command : {"pairs", "clusters"}) {
    const Finished finished = Kindred({command});
    EXPECT_EQ(finished.exit_code, 64);
    EXPECT_THAT(finished.err, HasSubstr("--min-similarity is required"));
  }
  EXPECT_EQ(Kindred({"clusters", "--min-similarity", "0.65", "--size-min", "0"}).exit_code, 64);
}

}  // namespace
}  // namespace kindred::test
