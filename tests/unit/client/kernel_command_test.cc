// kindred kernel: what it asks the daemon for, what it writes, and matrices of files without a daemon.

#include <cstring>

#include "client/cli/kernel_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

// a: C-C-O, class 1; b: C-C, class -1; c: a triangle, without a class.
constexpr char kGraphs[] =
    R"({"id":"a","vertices":["C","C","O"],"edges":[[0,1],[1,2,"="]],"tags":{"class":"1","kind":"x y"}})"
    "\n"
    R"({"id":"b","vertices":["C","C"],"edges":[[0,1]],"tags":{"class":"-1"}})"
    "\n"
    R"({"id":"c","vertices":["C","C","C"],"edges":[[0,1],[1,2],[0,2]]})"
    "\n";

class KernelCommandTest : public CliTest {
 protected:
  KernelCommandTest() {
    server_.index.kernel = [this](const v1::KernelRequest& request,
                                  grpc::ServerWriter<v1::KernelRow>& writer) {
      asked_ = request;
      for (uint64_t i = 0; i < rows_; ++i) {
        v1::KernelRow row;
        row.set_index(i);
        row.set_id(i == 0 ? "a" : "b c");
        row.set_tag(i == 0 ? "1" : "");
        row.add_values(12);
        row.add_values(0.5);
        if (i + 1 == rows_) {
          row.mutable_stats()->set_entries(9);
          row.mutable_stats()->set_memory_bytes(2048);
          row.mutable_stats()->set_micros(30000);
        }
        writer.Write(row);
      }
      return grpc::Status::OK;
    };
  }

  // Of the graphs above; the daemon is not asked.
  CliResult OfFile(std::vector<std::string> words) {
    words.insert(words.begin(), {"kernel", "--file", WriteFile("graphs.jsonl", kGraphs)});
    return RunCli(words);
  }

  uint64_t rows_ = 2;
  v1::KernelRequest asked_;
};

std::vector<double> Doubles(const std::string& bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

TEST_F(KernelCommandTest, AsksForEveryKernelByItsWord) {
  const std::vector<std::pair<std::string, v1::KernelKind>> words = {
      {"wloa", v1::KERNEL_KIND_WLOA}, {"voa", v1::KERNEL_KIND_VOA}, {"eoa", v1::KERNEL_KIND_EOA},
      {"wl", v1::KERNEL_KIND_WL},     {"v", v1::KERNEL_KIND_V},     {"e", v1::KERNEL_KIND_E},
      {"gl", v1::KERNEL_KIND_GL},     {"sp", v1::KERNEL_KIND_SP}};
  for (const auto& [word, kind] : words) {
    EXPECT_EQ(Run({"kernel", "--kernel", word}).code, 0);
    EXPECT_EQ(asked_.kernel(), kind) << word;
    EXPECT_FALSE(asked_.has_depth());
  }
}

TEST_F(KernelCommandTest, TellsWhatTheMatrixCostTheDaemon) {
  EXPECT_EQ(
      Run({"kernel"}).err,
      "kindred: WL-OA of 2 graphs: 3 pairs in 0.03 s, 10000000 ns a pair; 9 counted features in 2.0 KiB\n");
}

TEST_F(KernelCommandTest, WritesNpyFromTheDaemon) {
  ASSERT_EQ(Run({"kernel", "--format", "npy", "-o", Path("k.npy")}).code, 0);
  const std::string bytes = ReadFile(Path("k.npy"));
  EXPECT_THAT(bytes, HasSubstr("'shape': (2, 2)"));
  EXPECT_THAT(Doubles(bytes.substr(bytes.size() - 32)), ElementsAre(12, 0.5, 12, 0.5));
  rows_ = 0;
  ASSERT_EQ(Run({"kernel", "--format", "npy", "-o", Path("none.npy")}).code, 0);
  EXPECT_THAT(ReadFile(Path("none.npy")), HasSubstr("'shape': (0, 0)"));
}

TEST_F(KernelCommandTest, OfAFileWithClassesAsLibsvm) {
  const CliResult result = OfFile({"--kernel", "voa"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "1 0:1 1:3 2:2 3:2\n-1 0:2 1:2 2:2 3:2\n0 0:3 1:2 2:2 3:3\n");
  EXPECT_THAT(result.err, ContainsRegex("^kindred: V-OA of 3 graphs: 6 pairs in [0-9.]+ s, [0-9]+ ns a pair; "
                                        "[0-9]+ counted features in .*, at most .* resident\n$"));
}

TEST_F(KernelCommandTest, OfAFileByEveryKernel) {
  // Edge labels count: the double bond of a has no equal.
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"voa", "3,2,2|2,2,2|2,2,3"}, {"eoa", "2,1,1|1,1,1|1,1,3"}, {"v", "5,4,6|4,4,6|6,6,9"},
      {"e", "2,1,3|1,1,3|3,3,9"},   {"gl", "1,0,0|0,0,0|0,0,1"},  {"sp", "8,4,12|4,4,12|12,12,36"}};
  for (const auto& [word, matrix] : expected) {
    const CliResult result = OfFile({"--kernel", word, "--format", "csv"});
    std::string rows = matrix;
    std::string text = "id,a,b,c\n";
    for (const char id : {'a', 'b', 'c'}) {
      const size_t end = rows.find('|');
      text += std::string(1, id) + "," + rows.substr(0, end) + "\n";
      rows.erase(0, end == std::string::npos ? rows.size() : end + 1);
    }
    EXPECT_EQ(result.out, text) << word;
  }
}

TEST_F(KernelCommandTest, OfAFileToAnyDepth) {
  // b: both vertices alike at each level; a shares no colour with it from level 1 on but one: C with one C.
  EXPECT_EQ(OfFile({"--depth", "0"}).out, "1 0:1 1:3 2:2 3:2\n-1 0:2 1:2 2:2 3:2\n0 0:3 1:2 2:2 3:3\n");
  EXPECT_EQ(OfFile({"--depth", "1"}).out, "1 0:1 1:6 2:3 3:2\n-1 0:2 1:3 2:4 3:2\n0 0:3 1:2 2:2 3:6\n");
  EXPECT_EQ(OfFile({"--kernel", "wl", "--depth", "1"}).out,
            "1 0:1 1:8 2:6 3:6\n-1 0:2 1:6 2:8 3:6\n0 0:3 1:6 2:6 3:18\n");
  EXPECT_EQ(OfFile({}).out, OfFile({"--depth", "3"}).out);
  EXPECT_EQ(OfFile({"--depth", "15"}).code, 0);
  const CliResult beyond = OfFile({"--depth", "16"});
  EXPECT_EQ(beyond.code, 1);
  EXPECT_EQ(beyond.err, "kindred: --depth: 16 is deeper than 15, the deepest there is\n");
}

TEST_F(KernelCommandTest, OfAFileNormalizedAsNpyAndJson) {
  const CliResult npy = OfFile({"--kernel", "gl", "--normalize", "--format", "npy"});
  EXPECT_THAT(Doubles(npy.out.substr(npy.out.size() - 72)), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0, 1));
  const CliResult json = OfFile({"--kernel", "eoa", "--normalize", "--json"});
  EXPECT_EQ(nlohmann::json::parse(json.out.substr(0, json.out.find('\n')))["values"][0], 1);
}

TEST_F(KernelCommandTest, EdgeLabelsCanBeLeftOut) {
  const std::string file = WriteFile("bonds.smi", "CC\tsingle\nC=C\tdouble\n");
  for (const char* const kernel : {"eoa", "e"}) {
    EXPECT_EQ(RunCli({"kernel", "--file", file, "--kernel", kernel}).out, "0 0:1 1:1 2:0\n0 0:2 1:0 2:1\n");
    EXPECT_EQ(RunCli({"kernel", "--file", file, "--kernel", kernel, "--edge-labels", "no"}).out,
              "0 0:1 1:1 2:1\n0 0:2 1:1 2:1\n");
  }
}

TEST_F(KernelCommandTest, TheClassIsTheTagAskedForAndOneWord) {
  EXPECT_THAT(OfFile({"--class-tag", "none"}).out, testing::StartsWith("0 0:1 "));
  const CliResult result = OfFile({"--class-tag", "kind", "-o", Path("k")});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("the class of \"a\" is \"x y\", which is not one word"));
  EXPECT_FALSE(std::filesystem::exists(Path("k")));
}

TEST_F(KernelCommandTest, RejectedRecordsAreReportedAndLeftOut) {
  const std::string file = WriteFile("bad.jsonl", R"({"id":"a","vertices":["C"]})"
                                                  "\n"
                                                  R"({"id":"loop","vertices":["C"],"edges":[[0,0]]})"
                                                  "\n{\n");
  const CliResult result = RunCli({"kernel", "--file", file, "--kernel", "v"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "0 0:1 1:1\n");
  EXPECT_THAT(result.err, HasSubstr(file + ":2: loop: graph.edges[0]"));
  EXPECT_THAT(result.err, HasSubstr("2 of 3 records rejected"));
  const CliResult stopped = RunCli({"kernel", "--file", file, "--on-error", "stop", "-o", Path("k")});
  EXPECT_EQ(stopped.code, 3);
  EXPECT_FALSE(std::filesystem::exists(Path("k")));
}

TEST_F(KernelCommandTest, ManyFilesAreOneMatrixWhateverTheThreads) {
  const std::string graphs = WriteFile("graphs.jsonl", kGraphs);
  const std::string more = WriteFile("more.smi", "CCO\td\n");
  std::string first;
  for (const char* const threads : {"1", "2", "7"}) {
    const CliResult result = RunCli({"kernel", "--file", graphs, "--file", more, "--threads", threads});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("of 4 graphs"));
    first = first.empty() ? result.out : first;
    EXPECT_EQ(result.out, first);
  }
  const CliResult empty = RunCli({"kernel", "--file", WriteFile("empty.smi", "")});
  EXPECT_EQ(empty.code, 0) << empty.err;
  EXPECT_EQ(empty.out, "");
}

TEST_F(KernelCommandTest, OfAFileEndsWhenItsTimeIsOver) {
  std::string molecules;
  for (int i = 0; i < 1000; ++i) {  // Reading them takes many times as long.
    molecules += "CCO\tx" + std::to_string(i) + "\n";
  }
  const CliResult result =
      RunCli({"kernel", "--file", WriteFile("many.smi", molecules), "--timeout", "0.001", "-o", Path("k")});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "kindred: --timeout: the matrix was not complete in 0.001 seconds\n");
  EXPECT_FALSE(std::filesystem::exists(Path("k")));
}

TEST_F(KernelCommandTest, RefusesWhatDoesNotGoTogether) {
  const std::vector<std::vector<std::string>> wrong = {
      {"kernel", "--kernel", "rbf"},
      {"kernel", "--format", "xml"},
      {"kernel", "--threads", "2"},
      {"kernel", "--edge-labels", "no"},
      {"kernel", "--file-format", "tu"},
      {"kernel", "--file", "f", "--threads", "0"},
      {"kernel", "--file", "f", "--ids-file", "g"},
  };
  for (const auto& words : wrong) {
    EXPECT_EQ(RunCli(words).code, 64) << testing::PrintToString(words);
  }
  const CliResult missing = RunCli({"kernel", "--file", Path("missing.smi")});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("cannot read " + Path("missing.smi")));
}

TEST(ProgressBarTest, FillsUp) {
  EXPECT_EQ(ProgressBar(0, 40), "[                    ] 0%");
  EXPECT_EQ(ProgressBar(21, 40), "[==========          ] 52%");
  EXPECT_EQ(ProgressBar(40, 40), "[====================] 100%");
  EXPECT_EQ(ProgressBar(0, 0), "[====================] 100%");
}

}  // namespace
}  // namespace kindred::cli
