#include "client/formats/sdf_reader.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "client/formats/molecule_graph.h"
#include "client/formats/sdf_record.h"
#include "client/formats/sdf_records.h"
#include "client/formats/smiles_graph.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

// Methanol with its hydrogen on oxygen, as V2000.
std::string MolBlock(const std::string& title) {
  return title +
         "\n  test\n\n"
         "  3  2  0  0  0  0  0  0  0  0999 V2000\n"
         "    0.0000    0.0000    0.0000 C   0  0\n"
         "    1.0000    0.0000    0.0000 O   0  0\n"
         "    2.0000    0.0000    0.0000 H   0  0\n"
         "  1  2  1  0\n"
         "  2  3  1  0\n"
         "M  END\n";
}

// A chain of carbons and one oxygen at its end, as V3000.
std::string V3000Block(const std::string& title, size_t atoms, bool bonds = true) {
  std::string block = title + "\n  test\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n";
  block += fmt::format("M  V30 COUNTS {} {} 0 0 0\nM  V30 BEGIN ATOM\n", atoms, bonds ? atoms - 1 : 0);
  for (size_t i = 1; i <= atoms; ++i) {
    block += fmt::format("M  V30 {} {} {}.0 0.0 0.0 0\n", i, i == atoms ? "O" : "C", i);
  }
  block += "M  V30 END ATOM\n";
  if (bonds) {
    block += "M  V30 BEGIN BOND\n";
    for (size_t i = 1; i < atoms; ++i) block += fmt::format("M  V30 {} {} {} {}\n", i, 1, i, i + 1);
    block += "M  V30 END BOND\n";
  }
  return block + "M  V30 END CTAB\nM  END\n";
}

Strings ReadSdf(std::string_view text, const ReadOptions& options = {}) {
  const TestFiles files;
  return Summary(ReadAll(files.Write("x.sdf", text), options));
}

TEST(SdfReader, ReadsARecord) {
  const ReadResult result = ReadSdfRecord(1, MolBlock("methanol") + "> <CAS>\n67-56-1\n\n", {});
  ASSERT_TRUE(result.record.ok()) << result.record.status();
  EXPECT_EQ(result.id, "methanol");
  EXPECT_EQ(result.record->ShortDebugString(),
            R"(id: "methanol" graph { labels: "C" labels: "O" labels: "single" vertices: 0 vertices: 1 )"
            R"(edges: 0 edges: 1 edge_labels: 3 } payload: "CO" molecule_scheme: "element,bonds")");
}

TEST(SdfReader, ReadsBothVersions) {
  const ReadResult v3000 = ReadSdfRecord(1, V3000Block("butanol", 5), {});
  ASSERT_TRUE(v3000.record.ok()) << v3000.record.status();
  EXPECT_EQ(v3000.record->payload(), "CCCCO");
  EXPECT_EQ(v3000.record->graph().SerializeAsString(), GraphFromSmiles("CCCCO", {})->SerializeAsString());
}

TEST(SdfReader, FollowsTheScheme) {
  const ReadOptions options{.molecules = {AtomLabels::kEcfp, false, true, false}};
  const ReadResult result = ReadSdfRecord(1, MolBlock("x"), options);
  ASSERT_TRUE(result.record.ok()) << result.record.status();
  EXPECT_EQ(result.record->molecule_scheme(), "ecfp,hydrogens");
  EXPECT_EQ(result.record->graph().ShortDebugString(),
            R"(labels: "C;D1;V1;H3" labels: "O;D1;V1;H1" labels: "H;D1;V1;H0" vertices: 0 vertices: 1 )"
            R"(vertices: 2 edges: 0 edges: 1 edges: 1 edges: 2)");
}

TEST(SdfReader, PartsRecordsAtTheirEnds) {
  const std::string text = MolBlock("a") + "$$$$\n" + MolBlock("b") + "> <X>\n1\n\n$$$$\r\n" + MolBlock("c");
  EXPECT_EQ(ReadSdf(text), (Strings{"1: a", "12: b", "26: c"}));
  EXPECT_EQ(ReadSdf(text + "$$$$\n\n  \n"), (Strings{"1: a", "12: b", "26: c"})) << "blank lines at the end";
  EXPECT_EQ(ReadSdf(""), Strings());
}

TEST(SdfReader, TakesTheIdFromAPropertyWhenAsked) {
  const std::string text =
      MolBlock("title") + ">  <CAS> (7)\n67-56-1\n\n$$$$\n" + MolBlock("other") + "$$$$\n";
  EXPECT_EQ(ReadSdf(text, {.id_property = "CAS"}),
            (Strings{"1: 67-56-1", "15: there is no property 'CAS' to be its id"}));
}

TEST(SdfReader, TakesTheSmilesAsIdWithoutATitle) {
  EXPECT_EQ(ReadSdf(MolBlock("")), (Strings{"1: CO"}));
  EXPECT_EQ(ReadSdf(MolBlock("  ")), (Strings{"1: CO"}));
}

TEST(SdfReader, MakesTagsOrAPayloadOfProperties) {
  const std::string text = MolBlock("x") +
                           "> <CAS>\n67-56-1\n\n"
                           "> 25 <NOTE>\ntwo\nlines\n\n"
                           "> <CAS>\nagain\n\n"
                           "> <EMPTY>\n\n";
  const ReadResult tags = ReadSdfRecord(1, text, {.properties = Properties::kTags});
  ASSERT_TRUE(tags.record.ok()) << tags.record.status();
  ASSERT_EQ(tags.record->tags_size(), 3);
  EXPECT_EQ(tags.record->tags(0).ShortDebugString(), R"(key: "CAS" value: "67-56-1\nagain")");
  EXPECT_EQ(tags.record->tags(1).ShortDebugString(), R"(key: "NOTE" value: "two\nlines")");
  EXPECT_EQ(tags.record->tags(2).ShortDebugString(), R"(key: "EMPTY")");
  EXPECT_EQ(tags.record->payload(), "CO");
  EXPECT_EQ(ReadSdfRecord(1, text, {.properties = Properties::kPayload}).record->payload(),
            R"({"CAS":"67-56-1\nagain","NOTE":"two\nlines","EMPTY":""})");
  EXPECT_EQ(ReadSdfRecord(1, text, {}).record->tags_size(), 0);
}

TEST(SdfReader, RefusesPropertiesThatAreNotText) {
  const std::string text = MolBlock("x") + "> <NAME>\n\xFF\n\n";
  EXPECT_EQ(Message(ReadSdfRecord(1, text, {.properties = Properties::kTags}).record.status()),
            "the property 'NAME' is not UTF-8");
  EXPECT_TRUE(ReadSdfRecord(1, text, {}).record.ok()) << "nobody asked for it";
}

TEST(SdfReader, ReportsABadRecordWithItsLineAndIdAndGoesOn) {
  std::string four_on_oxygen = MolBlock("bad");
  four_on_oxygen.replace(four_on_oxygen.find("  1  2  1  0"), 12, "  1  2  3  0");
  std::string no_bond = MolBlock("worse");
  no_bond.replace(no_bond.find("  1  2  1  0"), 12, "  1  9  1  0");
  const TestFiles files;
  const std::vector<ReadResult> results = ReadAll(files.Write(
      "x.sdf", four_on_oxygen + "$$$$\n" + no_bond + "$$$$\nempty\n\n\n$$$$\n" + MolBlock("good")));
  ASSERT_EQ(results.size(), 4U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(results[i].record.ok()) << i;
    EXPECT_FALSE(results[i].record.status().message().empty());
  }
  EXPECT_EQ(results[0].id, "bad");
  EXPECT_EQ(Message(results[0].record.status()),
            "Explicit valence for atom # 1 O, 4, is greater than permitted");
  EXPECT_EQ(results[1].id, "worse");
  EXPECT_EQ(results[1].position, 12U);
  EXPECT_EQ(results[2].id, "empty");
  EXPECT_TRUE(results[3].record.ok()) << results[3].record.status();
}

TEST(SdfReader, NamesTheLineOfTheFileInAReason) {
  std::string bad = MolBlock("bad");
  bad.replace(bad.find("  3  2"), 6, "  x  2");
  const Strings lines = ReadSdf(MolBlock("good") + "$$$$\n" + bad);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[1].starts_with("12: ")) << lines[1];
  EXPECT_NE(lines[1].find("15"), std::string::npos) << "the counts line: " << lines[1];
}

TEST(SdfReader, TakesAMoleculeOfAsManyAtomsAsAreAllowed) {
  const ReadResult largest = ReadSdfRecord(1, V3000Block("x", kMoleculeAtomsMax, false), {});
  ASSERT_TRUE(largest.record.ok()) << largest.record.status();
  EXPECT_EQ(largest.record->graph().vertices_size(), static_cast<int>(kMoleculeAtomsMax));
  EXPECT_EQ(Message(ReadSdfRecord(1, V3000Block("x", kMoleculeAtomsMax + 1, false), {}).record.status()),
            "the molecule has 8193 atoms; at most 8192");
}

TEST(SdfReader, WritesTheSmilesOfAMoleculeUpToItsLimit) {
  EXPECT_EQ(ReadSdfRecord(1, V3000Block("x", kWrittenAtomsMax), {}).record->payload().size(),
            kWrittenAtomsMax);
  const ReadResult large = ReadSdfRecord(1, V3000Block("x", kWrittenAtomsMax + 1), {});
  ASSERT_TRUE(large.record.ok()) << large.record.status();
  EXPECT_EQ(large.record->payload(), "");
  EXPECT_EQ(Message(ReadSdfRecord(1, V3000Block("", kWrittenAtomsMax + 1), {}).record.status()),
            "id: the title is empty, and the SMILES too long to be one");
}

TEST(SdfReader, ReportsARecordTooLongAndGoesOn) {
  const std::string longest = "a\n" + std::string(kSdfRecordBytesMax - 3, 'x') + "\n";
  const std::string text = longest + "$$$$\n" + longest + "y\n$$$$\n" + MolBlock("good");
  const Strings lines = ReadSdf(text);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].find("longer"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1], fmt::format("4: record is longer than {} bytes", kSdfRecordBytesMax));
  EXPECT_EQ(lines[2], "8: good");
}

TEST(SdfReader, KeepsTheOrderOfManyRecordsOnAnyNumberOfThreads) {
  std::string text;
  for (size_t i = 0; i < 1'500; ++i) {
    text += V3000Block(fmt::format("m{}", i), 2 + i % 37) + "$$$$\n";
  }
  for (const unsigned threads : {1U, 2U, 7U}) {
    const TestFiles files;
    const std::vector<ReadResult> results = ReadAll(files.Write("x.sdf", text), {.threads = threads});
    ASSERT_EQ(results.size(), 1'500U);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_TRUE(results[i].record.ok()) << results[i].record.status();
      ASSERT_EQ(results[i].id, fmt::format("m{}", i));
      ASSERT_EQ(results[i].record->graph().vertices_size(), static_cast<int>(2 + i % 37));
    }
  }
}

TEST(SdfReader, IsToldByNameOrContentHoweverItIsCompressed) {
  const TestFiles files;
  const std::string text = MolBlock("a") + "$$$$\n";
  for (const char* name : {"x.sdf", "x.SDF.gz", "x.sd", "x.mol", "x", "x.txt"}) {
    EXPECT_EQ(Summary(ReadAll(files.Write(name, text))), (Strings{"1: a"})) << name;
  }
  for (const Compression compression :
       {Compression::kGzip, Compression::kXz, Compression::kZstd, Compression::kBzip2}) {
    EXPECT_EQ(Summary(ReadAll(files.WriteCompressed("y", compression, text))), (Strings{"1: a"}));
  }
  const std::string blank_title = files.Write("z", V3000Block("", 3) + "$$$$\n");
  EXPECT_EQ(Summary(ReadAll(blank_title)), (Strings{"1: CCO"}));
  const StandardInput standard_input(::open(blank_title.c_str(), O_RDONLY));
  EXPECT_EQ(Summary(ReadAll("-")), (Strings{"1: CCO"}));
}

TEST(SdfReader, WritesNothingToTheStandardStreams) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  std::string bad = MolBlock("bad");
  bad.replace(bad.find(" C   0"), 6, " Xx  0");
  (void)ReadSdf(MolBlock("good") + "$$$$\n" + bad + "$$$$\nrubbish\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

// Everything in the shared SDF files is a molecule, and the same graph as by the SMILES that is kept of it.
TEST(SdfReader, ReadsRealFilesAsTheSameGraphsAsTheirSmiles) {
  const std::map<std::string, size_t> files = {
      {"nci200", 200}, {"pubchem200", 200}, {"witch_salts", 240}, {"zinc_leads500", 500}};
  for (const auto& [name, count] : files) {
    const std::string path = SharedPath("data/sdf/" + name + ".sdf.gz");
    KINDRED_SKIP_WITHOUT(path);
    for (const AtomLabels labels : {AtomLabels::kElement, AtomLabels::kEcfp}) {
      const std::vector<ReadResult> results = ReadAll(path, {.molecules = {.labels = labels}});
      EXPECT_EQ(results.size(), count) << name;
      for (const ReadResult& result : results) {
        ASSERT_TRUE(result.record.ok()) << name << ":" << result.position << ": " << result.record.status();
        const auto graph = GraphFromSmiles(result.record->payload(), {.labels = labels});
        ASSERT_TRUE(graph.ok()) << result.record->payload() << ": " << graph.status();
        Strings from_sdf;
        Strings from_smiles;
        for (const uint32_t v : result.record->graph().vertices()) {
          from_sdf.push_back(result.record->graph().labels(static_cast<int>(v)));
        }
        for (const uint32_t v : graph->vertices()) from_smiles.push_back(graph->labels(static_cast<int>(v)));
        EXPECT_EQ(from_sdf, from_smiles)
            << name << ":" << result.position << ": vertices in the order of atoms";
        EXPECT_EQ(result.record->graph().edges_size(), graph->edges_size()) << name << ":" << result.position;
      }
    }
  }
}

}  // namespace
}  // namespace kindred::formats
