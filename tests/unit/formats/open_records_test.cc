#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "client/formats/record_reader.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view kJson = "{\"id\":\"json\",\"vertices\":[\"C\"]}\n";
constexpr std::string_view kSmiles = "CO\tsmiles\n";

absl::Status OpenStatus(const std::string& path, const ReadOptions& options = {}) {
  return OpenRecords(path, options).status();
}

TEST(OpenRecords, TellsTheFormatByTheName) {
  const TestFiles files;
  for (const char* name :
       {"x.jsonl", "x.ndjson", "x.json", "X.JSONL", "x.smi.jsonl", "x.jsonl.gz", "x.jsonl.2"}) {
    EXPECT_EQ(Summary(ReadAll(files.Write(name, kJson))), (Strings{"1: json"})) << name;
  }
  for (const char* name :
       {"x.smi", "x.smiles", "x.ism", "x.csv", "X.SMI.GZ", "x.json.smi", "x.smi.xz.part"}) {
    EXPECT_EQ(Summary(ReadAll(files.Write(name, kSmiles))), (Strings{"1: smiles"})) << name;
  }
}

TEST(OpenRecords, BelievesTheNameMoreThanTheContent) {
  const TestFiles files;
  EXPECT_EQ(Summary(ReadAll(files.Write("x.smi", kJson))), (Strings{"1: syntax error"}));
}

TEST(OpenRecords, TellsTheFormatByTheContentWhenTheNameSaysNothing) {
  const TestFiles files;
  for (const char* name : {"x", "x.txt", "x.gz", "smi", "json"}) {
    EXPECT_EQ(Summary(ReadAll(files.Write(name, fmt::format("\n \n{}", kJson)))), (Strings{"3: json"}))
        << name;
    EXPECT_EQ(Summary(ReadAll(files.Write(name, fmt::format("\n{}", kSmiles)))), (Strings{"2: smiles"}))
        << name;
    EXPECT_EQ(Summary(ReadAll(files.WriteCompressed(name, Compression::kZstd, kJson))), (Strings{"1: json"}));
  }
}

TEST(OpenRecords, TellsTheFormatOfStandardInputByItsContent) {
  const TestFiles files;
  for (const Compression compression : {Compression::kNone, Compression::kGzip}) {
    const std::string json = files.WriteCompressed("x", compression, kJson);
    const StandardInput standard_input(::open(json.c_str(), O_RDONLY));
    EXPECT_EQ(Summary(ReadAll("-")), (Strings{"1: json"}));
  }
  const std::string tar = files.WriteArchive("y", Container::kTar, Compression::kXz,
                                             {{"DS/DS_A.txt", ""}, {"DS/DS_graph_indicator.txt", "1\n"}});
  const StandardInput standard_input(::open(tar.c_str(), O_RDONLY));
  EXPECT_EQ(Summary(ReadAll("-")), (Strings{"1: DS-1"}));
}

TEST(OpenRecords, ReadsAsToldWhateverTheName) {
  const TestFiles files;
  EXPECT_EQ(Summary(ReadAll(files.Write("x.smi", kJson), {.format = Format::kJsonLines})),
            (Strings{"1: json"}));
  EXPECT_EQ(Summary(ReadAll(files.Write("x_A.txt", kSmiles), {.format = Format::kSmiles})),
            (Strings{"1: smiles"}));
}

TEST(OpenRecords, PassesOnWhetherEdgeLabelsAreWanted) {
  const TestFiles files;
  const std::string json =
      files.Write("x.jsonl", R"({"id":"x","vertices":["C","C"],"edges":[[0,1,"double"]]})");
  EXPECT_EQ(ReadAll(json)[0].record->graph().edge_labels_size(), 1);
  EXPECT_EQ(ReadAll(json, {.edge_labels = false})[0].record->graph().edge_labels_size(), 0);
  const std::string smiles = files.Write("x.smi", "C=C");
  EXPECT_EQ(ReadAll(smiles)[0].record->graph().edge_labels_size(), 1);
  EXPECT_EQ(ReadAll(smiles, {.molecules = {.bonds = false}})[0].record->graph().edge_labels_size(), 0);
}

TEST(OpenRecords, ReadsNothingFromAnEmptyFile) {
  const TestFiles files;
  for (const char* name : {"x", "x.smi", "x.jsonl"}) {
    EXPECT_EQ(Summary(ReadAll(files.Write(name, ""))), Strings{});
    EXPECT_EQ(Summary(ReadAll(files.Write(name, " \n\n"))), Strings{});
  }
}

TEST(OpenRecords, RefusesWhatIsNotText) {
  const TestFiles files;
  const std::string path = files.Write("x.bin", std::string_view("\x7F"
                                                                 "ELF\0\0",
                                                                 6));
  EXPECT_EQ(Message(OpenStatus(path)), fmt::format("'{}' has no format known here (it is not text): there "
                                                   "are SMILES, SDF, TU data sets, JSON lines and .pb",
                                                   path));
}

TEST(OpenRecords, OpensMoleculesOnlyByTheSchemeThatIsRequired) {
  const TestFiles files;
  const ReadOptions options{.molecules = {.labels = AtomLabels::kEcfp}, .required_scheme = "element,bonds"};
  for (const char* name : {"x.smi", "x.sdf"}) {
    const absl::Status status = OpenStatus(files.Write(name, kSmiles), options);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << name;
    EXPECT_NE(Message(status).find("'ecfp,bonds'"), std::string::npos) << status;
    EXPECT_NE(Message(status).find("'element,bonds'"), std::string::npos) << status;
  }
  EXPECT_TRUE(OpenStatus(files.Write("x.jsonl", kJson), options).ok()) << "plain graphs have no scheme";
  EXPECT_TRUE(OpenStatus(files.Write("x.smi", kSmiles), {.required_scheme = "element,bonds"}).ok());
}

TEST(OpenRecords, NamesAMissingFile) {
  const TestFiles files;
  for (const char* name : {"missing.smi", "missing.tar.gz", "missing_A.txt", "no/folder"}) {
    const absl::Status status = OpenStatus(files.Path(name));
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(Message(status), fmt::format("cannot open '{}': No such file or directory", files.Path(name)));
  }
}

// Root may read every file: be somebody else while it lives.
class NotRoot {
 public:
  NotRoot() : was_root_(::geteuid() == 0) {
    if (was_root_) is_root_ = ::seteuid(kNobody) != 0;
  }
  ~NotRoot() {
    if (was_root_) {
      EXPECT_EQ(::seteuid(0), 0);
      // Lost with the user id; LeakSanitizer needs it.
      EXPECT_EQ(::prctl(PR_SET_DUMPABLE, 1), 0);
    }
  }
  bool is_root() const { return is_root_; }

 private:
  static constexpr uid_t kNobody = 65534;
  bool was_root_;
  bool is_root_ = false;
};

TEST(OpenRecords, NamesAFileThatMayNotBeRead) {
  const TestFiles files;
  const std::string path = files.Write("x.smi", "C");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  const NotRoot not_root;
  if (not_root.is_root()) GTEST_SKIP() << "root may read every file";
  EXPECT_EQ(OpenStatus(path).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(Message(OpenStatus(path)), fmt::format("cannot open '{}': Permission denied", path));
}

TEST(OpenRecords, NamesAPathThroughAFile) {
  const TestFiles files;
  const std::string path = files.Write("x.smi", "C") + "/y.smi";
  EXPECT_EQ(Message(OpenStatus(path)), fmt::format("cannot open '{}': Not a directory", path));
}

TEST(OpenRecords, RefusesAFormatThatDoesNotFit) {
  const TestFiles files;
  EXPECT_EQ(
      Message(OpenStatus(files.directory(), {.format = Format::kSmiles})),
      fmt::format("'{}' is a directory: only a TU data set is read from a directory", files.directory()));
  const std::string text = files.Write("x.smi", "C");
  EXPECT_EQ(
      Message(OpenStatus(text, {.format = Format::kTu})),
      fmt::format(
          "'{}' is not a TU data set: neither a directory, nor a tar or zip archive, nor a file NAME_A.txt",
          text));
  const std::string tar = files.WriteArchive("x.tar", Container::kTar, Compression::kNone, {{"a.smi", "C"}});
  EXPECT_EQ(Message(OpenStatus(tar, {.format = Format::kJsonLines})),
            fmt::format("'{}' is an archive of files: from an archive only a TU data set is read", tar));
}

}  // namespace
}  // namespace kindred::formats
