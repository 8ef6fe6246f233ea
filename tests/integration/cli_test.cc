// The command line against a real daemon: what a new user types first, and the mistakes they make.

#include <csignal>
#include <fstream>
#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/paths.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CliTest : public ::testing::Test {
 protected:
  Finished Kindred(std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon_.address()});
    return RunProgram(KindredPath(), args);
  }

  std::string WriteFile(const std::string& name, const std::string& text) {
    std::ofstream(dir_.path() / name) << text;
    return dir_.Sub(name);
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d")};
};

TEST_F(CliTest, StreamsTheBundledMoleculesInAndFindsNeighbours) {
  const Finished ingest = Kindred({"ingest", (SourceDir() / "examples/molecules.smi").string()});
  EXPECT_EQ(ingest.exit_code, 0) << ingest.err;
  EXPECT_THAT(ingest.out, ContainsRegex("rejected +0\n"));
  const Finished search = Kindred({"--json", "search", "--id", "aspirin", "-k", "2"});
  EXPECT_EQ(search.exit_code, 0) << search.err;
  EXPECT_THAT(search.out, StartsWith(R"({"query":"aspirin","sequence":)"));
  EXPECT_THAT(search.out, HasSubstr(R"({"id":"aspirin","kernel":52,"similarity":1)"));
  EXPECT_THAT(search.out, HasSubstr(R"({"id":"salicylic-acid","kernel":33,"similarity":0.559)"));
  // The molecule drawn by a user, not stored under any id.
  const Finished drawn = Kindred({"search", "--smiles", "O=C(C)Oc1ccccc1C(=O)O", "-k", "1"});
  EXPECT_THAT(drawn.out, HasSubstr("aspirin"));
}

TEST_F(CliTest, ExportsWhatItCanIngestAgain) {
  Kindred({"ingest", (SourceDir() / "examples/molecules.smi").string()});
  const Finished first = Kindred({"export", "-o", dir_.Sub("all.jsonl")});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  DaemonProcess copy(dir_.Sub("copy"));
  const Finished again =
      RunProgram(KindredPath(), {"--server", copy.address(), "ingest", dir_.Sub("all.jsonl")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const Finished second = RunProgram(KindredPath(), {"--server", copy.address(), "export"});
  std::stringstream text;
  text << std::ifstream(dir_.Sub("all.jsonl")).rdbuf();
  EXPECT_EQ(second.out, text.str());
}

TEST_F(CliTest, NamesFileLineAndReasonOfABadRecord) {
  const std::string file =
      WriteFile("bad.smi", "CCO\tethanol\nC1CC\tunclosed\nC(C)(C)(C)(C)C\tfive\nN\tammonia\n");
  const Finished ingest = Kindred({"ingest", file});
  EXPECT_EQ(ingest.exit_code, 3);
  EXPECT_THAT(ingest.err, HasSubstr(file + ":2: unclosed: "));
  EXPECT_THAT(ingest.err, HasSubstr(file + ":3: five: "));
  EXPECT_THAT(ingest.out, HasSubstr("stored       2"));
  EXPECT_EQ(Kindred({"get", "ethanol", "ammonia"}).exit_code, 0);
}

TEST_F(CliTest, NamesLineAndReasonOfWhatTheDaemonRejects) {
  const std::string file = WriteFile("g.jsonl", R"({"id":"ok","vertices":["C"]})"
                                                "\n"
                                                R"({"id":"loop","vertices":["C"],"edges":[[0,0]]})"
                                                "\n");
  const Finished ingest = Kindred({"ingest", file});
  EXPECT_EQ(ingest.exit_code, 3);
  EXPECT_THAT(ingest.err, HasSubstr(file + ":2: loop: "));
}

TEST_F(CliTest, AnswersAFileOfQueriesAsIfAskedOneByOne) {
  const std::string molecules = (SourceDir() / "examples/molecules.smi").string();
  ASSERT_EQ(Kindred({"ingest", molecules}).exit_code, 0);
  // What differs between two runs: the time.
  const auto without_stats = [](std::string line) { return line.substr(0, line.find(",\"stats\"")); };
  const Finished all = Kindred({"--json", "search", "--file", molecules, "-k", "3"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  std::istringstream answers(all.out);
  std::ifstream queries(molecules);
  int asked = 0;
  for (std::string query; asked < 20 && std::getline(queries, query);) {
    if (query.empty() || query.starts_with('#')) {
      continue;
    }
    std::istringstream words(query);
    std::string smiles;
    std::string id;
    words >> smiles >> id;
    std::string answer;
    ASSERT_TRUE(std::getline(answers, answer)) << query;
    EXPECT_THAT(answer, HasSubstr("\"blocks_bounded\":"));
    const Finished alone = Kindred({"--json", "search", "--id", id, "-k", "3", "--threads", "2"});
    EXPECT_EQ(without_stats(answer), without_stats(alone.out));
    ++asked;
  }
  EXPECT_EQ(asked, 20);
}

TEST_F(CliTest, GoesOnAfterAQueryThatTheDaemonRefuses) {
  const std::string file = WriteFile("q.jsonl", R"({"id":"one","vertices":["C"]})"
                                                "\n"
                                                R"({"id":"wide","vertices":["C","N","O"],"edges":[[0,1]]})"
                                                "\n"
                                                R"({"id":"two","vertices":["C"]})"
                                                "\n");
  DaemonProcess strict(dir_.Sub("strict"), {"--vertices-max", "2"});
  const Finished search =
      RunProgram(KindredPath(), {"--server", strict.address(), "--json", "search", "--file", file});
  EXPECT_EQ(search.exit_code, 3);
  EXPECT_THAT(search.out, StartsWith(R"({"query":"one",)"));
  EXPECT_THAT(search.out, HasSubstr("\n{\"query\":\"two\","));
  EXPECT_THAT(search.err, HasSubstr(file + ":2: wide: graph."));
}

TEST_F(CliTest, StatsNameTheVectorTargetAndTheMerges) {
  const std::string json = Kindred({"--json", "stats"}).out;
  EXPECT_THAT(json, HasSubstr("\"merges\":"));
  EXPECT_THAT(json, HasSubstr("\"merging\":"));
  EXPECT_THAT(json, HasSubstr("\"vector_target\":\""));
  EXPECT_THAT(json, ::testing::Not(HasSubstr("\"vector_target\":\"\"")));
}

TEST_F(CliTest, TellsWhatToDoWhenTheDaemonIsNotThere) {
  const Finished search =
      RunProgram(KindredPath(), {"--server", "127.0.0.1:1", "--timeout", "2", "search", "--id", "x"});
  EXPECT_EQ(search.exit_code, 69);
  EXPECT_THAT(search.err, HasSubstr("127.0.0.1:1"));
  EXPECT_THAT(search.err, HasSubstr("kindredd"));
}

TEST_F(CliTest, FailsWhenStandardOutputIsClosed) {
  const std::string stats = KindredPath() + " --server " + daemon_.address() + " stats >&-";
  const Finished finished = RunProgram("/bin/sh", {"-c", stats});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err, "kindred: cannot write standard output: Bad file descriptor\n");
}

TEST_F(CliTest, EndsQuietlyWhenNobodyReadsOnInAFileOfAnswers) {
  const std::string molecules = (SourceDir() / "examples/molecules.smi").string();
  ASSERT_EQ(Kindred({"ingest", molecules}).exit_code, 0);
  const std::string search = KindredPath() + " --server " + daemon_.address() + " search --file " + molecules;
  const Finished finished = RunProgram("/bin/sh", {"-c", "{ " + search + "; echo code $? >&2; } | head -1"});
  EXPECT_THAT(finished.out, StartsWith("query "));
  EXPECT_EQ(finished.err, "code 0\n");
}

TEST_F(CliTest, RefusesWrongUsage) {
  EXPECT_EQ(Kindred({"serach"}).exit_code, 64);
  EXPECT_EQ(Kindred({"search"}).exit_code, 64);
  EXPECT_EQ(Kindred({"search", "--id", "x", "--measure", "euclid"}).exit_code, 64);
  EXPECT_NE(Kindred({"ingest", dir_.Sub("missing.smi")}).exit_code, 0);
  EXPECT_NE(Kindred({"search", "--smiles", "not a molecule"}).exit_code, 0);
  EXPECT_EQ(Kindred({"get", "nobody"}).exit_code, 3);
}

// "It is done when" of the first milestone: file order, classes and values as the paper's authors have them.
TEST_F(CliTest, GivesTheReferenceMatrixOfMutag) {
  KINDRED_SKIP_WITHOUT_SHARED_DATA();
  const Finished ingest =
      Kindred({"ingest", "--edge-labels", "no", (*SharedData() / "tu/MUTAG.tar.gz").string()});
  ASSERT_EQ(ingest.exit_code, 0) << ingest.err;
  for (const std::string depth : {"0", "1", "2", "3"}) {
    const Finished kernel = Kindred({"kernel", "--kernel", "wloa", "--depth", depth, "--format", "libsvm"});
    ASSERT_EQ(kernel.exit_code, 0) << kernel.err;
    const GramMatrix reference = LoadGram("MUTAG", "WLOA_" + depth);
    std::istringstream lines(kernel.out);
    std::string line;
    for (size_t row = 0; row < reference.rows.size(); ++row) {
      ASSERT_TRUE(std::getline(lines, line));
      std::istringstream words(line);
      std::string word;
      words >> word;
      EXPECT_EQ(word, reference.classes[row]);
      words >> word;
      EXPECT_EQ(word, "0:" + std::to_string(row + 1));
      for (size_t column = 0; column < reference.rows.size(); ++column) {
        words >> word;
        const size_t colon = word.find(':');
        ASSERT_EQ(word.substr(0, colon), std::to_string(column + 1));
        EXPECT_EQ(std::stod(word.substr(colon + 1)), reference.rows[row][column]);
      }
      EXPECT_FALSE(words >> word);
    }
    EXPECT_FALSE(std::getline(lines, line));
  }
}

// The same bytes from a daemon's snapshot and from the file itself.
TEST_F(CliTest, KernelOfAFileEqualsThatOfTheIndex) {
  const std::string molecules = (SourceDir() / "examples/molecules.smi").string();
  ASSERT_EQ(Kindred({"ingest", molecules}).exit_code, 0);
  for (const std::string kernel : {"wloa", "voa", "eoa", "wl", "v", "e", "gl", "sp"}) {
    for (const std::string format : {"libsvm", "npy", "csv"}) {
      std::vector<std::string> words{"kernel", "--kernel", kernel, "--format", format};
      if (format == "csv") {
        words.emplace_back("--normalize");
      }
      const Finished stored = Kindred(words);
      ASSERT_EQ(stored.exit_code, 0) << stored.err;
      words.insert(words.end(), {"--file", molecules});
      const Finished file = Kindred(words);
      ASSERT_EQ(file.exit_code, 0) << file.err;
      EXPECT_GT(file.out.size(), 598u * 598u);
      EXPECT_TRUE(stored.out == file.out) << kernel << " as " << format;
    }
  }
}

}  // namespace
}  // namespace kindred::test
