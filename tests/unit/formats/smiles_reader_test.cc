#include "client/formats/smiles_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "client/formats/record_check.h"
#include "client/formats/smiles_graph.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

Strings ReadText(std::string_view text) {
  const TestFiles files;
  return Summary(ReadAll(files.Write("molecules.smi", text)));
}

TEST(SmilesReader, ReadsARecord) {
  const std::optional<ReadResult> result = ReadSmilesLine(7, "C=O\tformaldehyde", {});
  ASSERT_TRUE(result.has_value());
  ASSERT_TRUE(result->record.ok()) << result->record.status();
  EXPECT_EQ(result->position, 7U);
  EXPECT_EQ(result->id, "formaldehyde");
  EXPECT_EQ(result->record->ShortDebugString(),
            R"(id: "formaldehyde" graph { labels: "C" labels: "O" labels: "double" vertices: 0 vertices: 1 )"
            R"(edges: 0 edges: 1 edge_labels: 3 } payload: "C=O" molecule_scheme: "element,bonds")");
}

TEST(SmilesReader, LeavesBondTypesOutWhenTheyAreNotWanted) {
  EXPECT_EQ(ReadSmilesLine(1, "C=O x", {.molecules = {.bonds = false}})->record->graph().ShortDebugString(),
            R"(labels: "C" labels: "O" vertices: 0 vertices: 1 edges: 0 edges: 1)");
}

TEST(SmilesReader, PartsSmilesAndIdByTabsSpacesOrCommas) {
  EXPECT_EQ(ReadText("CO\ta\nCO b\nCO,c\nCO \t, d\n  CO\te  \r\n"),
            (Strings{"1: a", "2: b", "3: c", "4: d", "5: e"}));
}

TEST(SmilesReader, TakesTheRestOfTheLineAsId) {
  EXPECT_EQ(ReadText("CO\tmethyl alcohol, 99 %\t\n"), (Strings{"1: methyl alcohol, 99 %"}));
}

TEST(SmilesReader, TakesTheSmilesAsIdWhenThereIsNone) {
  EXPECT_EQ(ReadText("CO\nCCO \nCCCO,\n"), (Strings{"1: CO", "2: CCO", "3: CCCO"}));
}

TEST(SmilesReader, SkipsBlankLinesAndComments) {
  EXPECT_EQ(ReadText("\n# a comment\n  \t\nCO a\n#\nCO b"), (Strings{"4: a", "6: b"}));
}

TEST(SmilesReader, SkipsAHeaderInTheFirstLineOnly) {
  EXPECT_EQ(ReadText("SMILES,name\nCO,a\n"), (Strings{"2: a"}));
  EXPECT_EQ(ReadText("smiles\nCO,a\n"), (Strings{"2: a"}));
  EXPECT_EQ(ReadText("\xEF\xBB\xBFSmiles\tid\nCO,a\n"), (Strings{"2: a"}));
  EXPECT_EQ(ReadText("CO,a\nsmiles,name\n"), (Strings{"1: a", "2: syntax error"}));
}

TEST(SmilesReader, ReportsABadMoleculeWithItsIdAndGoesOn) {
  const TestFiles files;
  const std::vector<ReadResult> results =
      ReadAll(files.Write("x.smi", "CO\tgood\nCC(C)(=C)C\tbad\nC1CC\tworse\nO\tfine\n"));
  EXPECT_EQ(Summary(results),
            (Strings{"1: good", "2: Explicit valence for atom # 1 C, 5, is greater than permitted",
                     "3: unclosed ring", "4: fine"}));
  EXPECT_EQ(results[1].id, "bad");
  EXPECT_EQ(results[2].id, "worse");
}

TEST(SmilesReader, RefusesALineWithoutSmiles) {
  EXPECT_EQ(ReadText(",a\n"), (Strings{"1: the SMILES is empty"}));
  EXPECT_EQ(ReadText(" ,\n"), (Strings{"1: id: is empty"}));
}

TEST(SmilesReader, RefusesABadId) {
  const std::optional<ReadResult> not_text = ReadSmilesLine(1, "CO\ta\xFF", {});
  EXPECT_EQ(Message(not_text->record.status()), "id: is not UTF-8");
  EXPECT_EQ(not_text->id, "");
  const std::optional<ReadResult> too_long =
      ReadSmilesLine(1, "CO\t" + std::string(kIdBytesMax + 1, 'x'), {});
  EXPECT_EQ(Message(too_long->record.status()), "id: has 513 bytes; at most 512");
  EXPECT_EQ(too_long->id, "");
  EXPECT_TRUE(ReadSmilesLine(1, "CO\t" + std::string(kIdBytesMax, 'x'), {})->record.ok());
  EXPECT_EQ(Message(ReadSmilesLine(1, std::string(kIdBytesMax + 1, 'C'), {})->record.status()),
            "id: has 513 bytes; at most 512")
      << "a SMILES too long to be its own id";
}

TEST(SmilesReader, RefusesASmilesTooLong) {
  EXPECT_EQ(Message(ReadSmilesLine(1, std::string(kSmilesBytesMax + 1, 'C') + "\tx", {})->record.status()),
            "the SMILES has 8193 bytes; at most 8192");
}

TEST(SmilesReader, KeepsTheOrderOfManyMolecules) {
  std::string text;
  Strings wanted;
  for (int i = 1; i <= 3'000; ++i) {
    // Of very different cost, and every tenth refused.
    text += fmt::format("{}{}\t{}\n", std::string(1 + i % 40, 'C'), i % 10 == 0 ? "1" : "", i);
    wanted.push_back(i % 10 == 0 ? fmt::format("{}: unclosed ring", i) : fmt::format("{}: {}", i, i));
  }
  EXPECT_EQ(ReadText(text), wanted);
}

TEST(SmilesReader, ReadsRealMoleculesInOrder) {
  const std::string path = SharedPath("data/molecules/zinc250k.smi.gz");
  KINDRED_SKIP_WITHOUT(path);
  const auto reader = OpenRecords(path, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  for (uint64_t line = 1; line <= 3'000; ++line) {
    const std::optional<ReadResult> result = (*reader)->Next();
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->position, line);
    ASSERT_EQ(result->id, fmt::format("ZINC250K-{:06}", line));
    ASSERT_TRUE(result->record.ok()) << result->record.status();
  }
}

// Of many makers, salts among them; by every scheme. Slow to decompress, so a slice.
TEST(SmilesReader, ReadsMoleculesOfManySourcesByEveryLabels) {
  const std::string path = SharedPath("data/molecules/real_1700k.smi.xz");
  KINDRED_SKIP_WITHOUT(path);
  for (const MoleculeScheme& scheme : {MoleculeScheme(), MoleculeScheme{AtomLabels::kEcfp, true, true, false},
                                       MoleculeScheme{AtomLabels::kEcfp, false, false, true}}) {
    const auto reader = OpenRecords(path, {.molecules = scheme});
    ASSERT_TRUE(reader.ok()) << reader.status();
    for (uint64_t line = 1; line <= 1'500; ++line) {
      const std::optional<ReadResult> result = (*reader)->Next();
      ASSERT_TRUE(result.has_value());
      ASSERT_EQ(result->position, line);
      ASSERT_TRUE(result->record.ok()) << result->id << ": " << result->record.status();
      ASSERT_EQ(result->record->molecule_scheme(), ToText(scheme));
    }
  }
}

}  // namespace
}  // namespace kindred::formats
