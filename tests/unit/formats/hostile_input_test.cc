// Inputs that toolkits must refuse, odd ones they must take, and those that once broke a parser.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "client/formats/jsonl_reader.h"
#include "client/formats/sdf_reader.h"
#include "client/formats/smiles_graph.h"
#include "client/formats/smiles_reader.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

// What RDKit 2022.09 takes though others refuse it, and why it may.
const std::map<std::string, std::string>& RefusedByOthersOnly() {
  static const std::map<std::string, std::string> cases = {
      {"[HH]", "molecular hydrogen; smiles_odd_valid.tsv lists it as well"},
      {"C=1CC-1", "the two ends of a ring closure differ in bond order: RDKit takes the first"},
      {"C-1CCCCC=1", "the two ends of a ring closure differ in bond order: RDKit takes the first"},
      {"CC=C-1.C=1", "the two ends of a ring closure differ in bond order: RDKit takes the first"},
      {"F/C=CF", "half a double bond's stereo: RDKit drops it"},
      {"C[O@]C", "a chiral mark on an atom that cannot be chiral: RDKit drops it"},
      {"C.C(O)1C.C1", "a ring closure behind a branch: RDKit takes it as one before"},
      {"C1.C(O)1C.C", "a ring closure behind a branch: RDKit takes it as one before"},
      {"c1c(ccc(c1)F)c2/c3n/c(c(\\c4[nH]c(/c(c/5\\nc(/c(c/6\\s\\c2\\cc6)/c7ccc(cc7)F)C=C5)/"
       "c8ccc(cc8)S(=O)(=O)[O-])cc4)/c9ccc(cc9)S(=O)(=O)[O-])/C=C3.[Na+].[Na+]",
       "directions of bonds that contradict each other: RDKit drops them"},
  };
  return cases;
}

// What RDKit 2022.09 refuses though the list says that it is valid, and why.
const std::map<std::string, std::string>& TakenByOthersOnly() {
  static const std::map<std::string, std::string> cases = {
      {"\\tC1=CC=CN(=O)=C1\\r\\n",
       "the list holds the escapes of a source file, not the white space they stand for"},
      {"['Db']['Sg']['Bh']['Hs']['Mt']['Ds']['Rg']['Cn']['Nh']['Fl']['Mc']['Lv']['",
       "the list holds one SMILES broken into two lines"},
      {"Ts']['Og']", "the list holds one SMILES broken into two lines"},
      {"[013CH3-:1]", "RDKit takes no isotope that starts with 0"},
  };
  return cases;
}

// The SMILES of a line of the lists, as the reader sees it.
std::string FirstField(const std::string& line) {
  const size_t begin = line.find_first_not_of(' ');
  return line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST(HostileSmiles, RefusesWhatMustFail) {
  const std::string path = SharedPath("data/hostile/smiles_must_fail.tsv");
  KINDRED_SKIP_WITHOUT(path);
  const std::vector<std::string> lines = SplitLines(ReadBytes(path));
  const std::vector<ReadResult> results = ReadAll(path, {.format = Format::kSmiles});
  ASSERT_EQ(results.size(), lines.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string smiles = FirstField(lines[i]);
    EXPECT_EQ(results[i].record.ok(), RefusedByOthersOnly().contains(smiles))
        << "line " << i + 1 << ": " << smiles;
    EXPECT_TRUE(results[i].record.ok() || !results[i].record.status().message().empty());
  }
}

TEST(HostileSmiles, TakesWhatIsOddButValid) {
  const std::string path = SharedPath("data/hostile/smiles_odd_valid.tsv");
  KINDRED_SKIP_WITHOUT(path);
  const std::vector<std::string> lines = SplitLines(ReadBytes(path));
  const std::vector<ReadResult> results = ReadAll(path, {.format = Format::kSmiles});
  ASSERT_EQ(results.size(), lines.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string smiles = FirstField(lines[i]);
    EXPECT_EQ(!results[i].record.ok(), TakenByOthersOnly().contains(smiles))
        << "line " << i + 1 << ": " << smiles << ": " << results[i].record.status();
    EXPECT_TRUE(!results[i].record.ok() || results[i].record->graph().vertices_size() > 0);
  }
}

// An error with a reason, or a molecule with atoms.
void ExpectAnswer(const absl::StatusOr<v1::Graph>& graph) {
  if (graph.ok()) {
    EXPECT_GT(graph->vertices_size(), 0);
  } else {
    EXPECT_FALSE(graph.status().message().empty());
  }
}

TEST(HostileSmiles, AnswersWhatOnceBrokeAParser) {
  for (const char* folder : {"data/hostile/smiles_fuzz", "data/hostile/mol_fuzz"}) {
    const std::string path = SharedPath(folder);
    KINDRED_SKIP_WITHOUT(path);
    for (const auto& file : std::filesystem::directory_iterator(path)) {
      SCOPED_TRACE(file.path().string());
      const std::string bytes = ReadBytes(file.path().string());
      ExpectAnswer(GraphFromSmiles(bytes, {}));
      ExpectAnswer(GraphFromSmiles(bytes.substr(0, bytes.find('\0')), {}));
      (void)ReadSmilesLine(1, bytes, {});
      (void)ReadJsonLine(1, bytes, {});
      for (const MoleculeScheme& scheme :
           {MoleculeScheme(), MoleculeScheme{AtomLabels::kEcfp, true, true, true}}) {
        const ReadResult sdf =
            ReadSdfRecord(1, bytes, {.molecules = scheme, .properties = Properties::kTags});
        ExpectAnswer(sdf.record.ok() ? absl::StatusOr<v1::Graph>(sdf.record->graph()) : sdf.record.status());
      }
    }
  }
}

TEST(HostileFiles, AreReadInEveryFormat) {
  for (const char* folder : {"data/hostile/smiles_fuzz", "data/hostile/mol_fuzz"}) {
    const std::string path = SharedPath(folder);
    KINDRED_SKIP_WITHOUT(path);
    for (const auto& file : std::filesystem::directory_iterator(path)) {
      for (const Format format : {Format::kAuto, Format::kSmiles, Format::kSdf, Format::kTu,
                                  Format::kJsonLines, Format::kProtobuf}) {
        const auto reader = OpenRecords(file.path().string(), {.format = format});
        if (reader.ok()) (void)ReadAll(**reader);
      }
    }
  }
}

}  // namespace
}  // namespace kindred::formats
