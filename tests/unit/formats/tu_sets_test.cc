// The published data sets, and the places a set is read from.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "client/formats/archive_source.h"
#include "client/formats/tu_files.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

struct Published {
  const char* name;
  // Counted by an independent program (an edge in both directions once).
  int graphs;
  int vertices;
  int edges;
  const char* first_id;
  bool has_edge_labels;
};

class PublishedTuSet : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedTuSet, IsReadWhole) {
  const Published& set = GetParam();
  const std::string path = SharedPath(fmt::format("data/tu/{}.tar.gz", set.name));
  KINDRED_SKIP_WITHOUT(path);
  const std::vector<ReadResult> results = ReadAll(path);
  ASSERT_EQ(results.size(), static_cast<size_t>(set.graphs));
  int vertices = 0;
  int edges = 0;
  std::string id_before;
  for (size_t i = 0; i < results.size(); ++i) {
    ASSERT_TRUE(results[i].record.ok()) << results[i].record.status();
    const v1::Record& record = *results[i].record;
    EXPECT_EQ(results[i].position, i + 1);
    EXPECT_LT(id_before, record.id());
    id_before = record.id();
    ASSERT_EQ(record.tags_size(), 1);
    EXPECT_EQ(record.tags(0).key(), "class");
    vertices += record.graph().vertices_size();
    edges += record.graph().edges_size() / 2;
    EXPECT_EQ(record.graph().edge_labels_size(), set.has_edge_labels ? record.graph().edges_size() / 2 : 0);
  }
  EXPECT_EQ(results[0].id, set.first_id);
  EXPECT_EQ(vertices, set.vertices);
  EXPECT_EQ(edges, set.edges);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedTuSet,
                         ::testing::Values(Published{"MUTAG", 188, 3371, 3721, "MUTAG-001", true},
                                           Published{"PTC_MR", 344, 4915, 5054, "PTC_MR-001", true},
                                           Published{"ENZYMES", 600, 19580, 37282, "ENZYMES-001", false},
                                           Published{"NCI1", 4110, 122747, 132753, "NCI1-0001", false},
                                           Published{"IMDB-BINARY", 1000, 19773, 96531, "IMDB-BINARY-0001",
                                                     false}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// The files of a set of two graphs of one vertex each, under a folder.
std::vector<std::pair<std::string, std::string>> SmallSet(const std::string& folder,
                                                          const std::string& name) {
  return {{fmt::format("{}README.txt", folder), "what it is"},
          {fmt::format("{}{}_graph_indicator.txt", folder, name), "1\n2\n"},
          {fmt::format("{}{}_node_labels.txt", folder, name), "7\n8\n"},
          {fmt::format("{}{}_node_attributes.txt", folder, name), "not, read"},
          {fmt::format("{}{}_A.txt", folder, name), ""}};
}

void WriteFiles(const TestFiles& files, const std::vector<std::pair<std::string, std::string>>& content) {
  for (const auto& [name, text] : content) files.Write(name, text);
}

const std::vector<std::string> kRead = {"1: DS-1", "2: DS-2"};

std::string TuSetProblem(const std::string& path, const ReadOptions& options = {}) {
  const auto reader = OpenRecords(path, options);
  EXPECT_FALSE(reader.ok());
  return Message(reader.status());
}

TEST(TuFiles, AreReadFromADirectory) {
  const TestFiles files;
  WriteFiles(files, SmallSet("data/", "DS"));
  EXPECT_EQ(Summary(ReadAll(files.Path("data"))), kRead);
  EXPECT_EQ(Summary(ReadAll(files.Path("data/"))), kRead);
  EXPECT_EQ(Summary(ReadAll(files.Path("data"), {.format = Format::kTu})), kRead);
}

TEST(TuFiles, AreReadBesideTheFileOfEdges) {
  const TestFiles files;
  WriteFiles(files, SmallSet("data/", "DS"));
  WriteFiles(files, SmallSet("data/", "OTHER"));
  EXPECT_EQ(Summary(ReadAll(files.Path("data/DS_A.txt"))), kRead);
  EXPECT_EQ(TuSetProblem(files.Path("data")),
            fmt::format("'{}' holds several TU data sets (DS, OTHER): give the path of one NAME_A.txt",
                        files.Path("data")));
}

TEST(TuFiles, AreReadFromArchives) {
  const TestFiles files;
  for (const Compression compression :
       {Compression::kNone, Compression::kGzip, Compression::kXz, Compression::kZstd}) {
    for (const char* folder : {"", "DS/", "./a/b/"}) {
      EXPECT_EQ(Summary(ReadAll(files.WriteArchive("misleading.smi", Container::kTar, compression,
                                                   SmallSet(folder, "DS")))),
                kRead);
    }
  }
  EXPECT_EQ(Summary(ReadAll(
                files.WriteArchive("DS.zip", Container::kZip, Compression::kNone, SmallSet("DS/", "DS")))),
            kRead);
}

TEST(TuFiles, IgnoreWhatMacOsAddsToAnArchive) {
  const TestFiles files;
  auto content = SmallSet("DS/", "DS");
  content.emplace_back("__MACOSX/DS/._DS_A.txt", std::string(100, '\0'));
  EXPECT_EQ(Summary(ReadAll(files.WriteArchive("x.zip", Container::kZip, Compression::kNone, content))),
            kRead);
}

TEST(TuFiles, GiveTheSameRecordsFromArchiveDirectoryAndFile) {
  const std::string path = SharedPath("data/tu/MUTAG.tar.gz");
  KINDRED_SKIP_WITHOUT(path);
  const TestFiles files;
  const auto source = ArchiveSource::Open(path);
  ASSERT_TRUE(source.ok()) << source.status();
  const absl::StatusOr<TuFiles> set = LoadTuArchive(**source);
  ASSERT_TRUE(set.ok()) << set.status();
  files.Write("MUTAG_A.txt", set->edges);
  files.Write("MUTAG_graph_indicator.txt", set->indicator);
  files.Write("MUTAG_graph_labels.txt", *set->graph_labels);
  files.Write("MUTAG_node_labels.txt", *set->node_labels);
  files.Write("MUTAG_edge_labels.txt", *set->edge_labels);
  const std::vector<ReadResult> from_archive = ReadAll(path);
  for (const std::string& other : {files.directory(), files.Path("MUTAG_A.txt")}) {
    const std::vector<ReadResult> results = ReadAll(other);
    ASSERT_EQ(results.size(), from_archive.size());
    for (size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].record->SerializeAsString(), from_archive[i].record->SerializeAsString());
    }
  }
}

TEST(TuFiles, RefuseADirectoryOrArchiveWithoutASet) {
  const TestFiles files;
  EXPECT_EQ(TuSetProblem(files.directory()),
            fmt::format("'{}' is not a TU data set: no file NAME_A.txt is in it", files.directory()));
  const std::string path = files.WriteArchive("x.tar", Container::kTar, Compression::kNone, {{"a.smi", "C"}});
  EXPECT_EQ(TuSetProblem(path), fmt::format("'{}' is not a TU data set: no file NAME_A.txt is in it", path));
}

TEST(TuFiles, RefuseASetWithoutItsIndicator) {
  const TestFiles files;
  files.Write("DS_A.txt", "");
  const std::string wanted =
      fmt::format("'{}' is not a TU data set: DS_graph_indicator.txt is missing", files.directory());
  EXPECT_EQ(TuSetProblem(files.directory()), wanted);
  EXPECT_EQ(TuSetProblem(files.Path("DS_A.txt")), wanted);
}

TEST(TuFiles, RefuseAnArchiveWithAFileTwice) {
  const TestFiles files;
  const std::string path = files.WriteArchive("x.tar", Container::kTar, Compression::kNone,
                                              {{"a/DS_A.txt", ""}, {"b/DS_A.txt", ""}});
  EXPECT_EQ(TuSetProblem(path), fmt::format("'{}' holds two files DS_A.txt", path));
}

TEST(TuFiles, ReportWhatIsWrongInThemWithThePath) {
  const TestFiles files;
  WriteFiles(files, SmallSet("", "DS"));
  files.Write("DS_A.txt", "1, 3\n");
  EXPECT_EQ(TuSetProblem(files.directory()),
            fmt::format("'{}': DS_A.txt, line 1: 3 is not a vertex (the set has 2)", files.directory()));
}

TEST(TuFiles, ReportADamagedArchiveThoughEveryFileOfItIsRead) {
  const TestFiles files;
  std::string bytes =
      ReadBytes(files.WriteArchive("x", Container::kTar, Compression::kGzip, SmallSet("DS/", "DS")));
  bytes[bytes.size() - 6] ^= 1;
  const std::string path = files.Write("damaged", bytes);
  EXPECT_EQ(TuSetProblem(path), fmt::format("cannot read '{}': incorrect data check", path));
}

TEST(TuFiles, ReportATruncatedArchive) {
  const std::string path = SharedPath("data/tu/MUTAG.tar.gz");
  KINDRED_SKIP_WITHOUT(path);
  const TestFiles files;
  const std::string whole = ReadBytes(path);
  const std::string cut = files.Write("cut.tar.gz", whole.substr(0, whole.size() / 2));
  EXPECT_EQ(TuSetProblem(cut), fmt::format("cannot read '{}': truncated gzip input", cut));
}

}  // namespace
}  // namespace kindred::formats
