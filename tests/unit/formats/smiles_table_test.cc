// SMILES in tables: which columns are taken, quotes, and what a bad row costs.

#include "client/formats/smiles_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/formats/smiles_reader.h"
#include "client/formats/table.h"
#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

// "3: id SMILES" for each record, or its error.
Strings ReadTable(std::string_view text, const ReadOptions& options = {}) {
  const TestFiles files;
  Strings lines;
  for (const ReadResult& result : ReadAll(files.Write("table.csv", text), options)) {
    lines.push_back(
        result.record.ok()
            ? fmt::format("{}: {} {}", result.position, result.id, result.record->payload())
            : fmt::format("{}: {}! {}", result.position, result.id, Message(result.record.status())));
  }
  return lines;
}

std::string OpenProblem(std::string_view text, const ReadOptions& options) {
  const TestFiles files;
  const auto reader = OpenRecords(files.Write("t.csv", text), options);
  EXPECT_FALSE(reader.ok());
  const std::string message = Message(reader.status());
  return message.substr(message.find("': ") + 3);
}

TEST(SplitFields, SplitsAsCsvDoes) {
  EXPECT_EQ(*SplitFields("a,b,,c d", ','), (Strings{"a", "b", "", "c d"}));
  EXPECT_EQ(*SplitFields(R"("a,b","say ""x""", "c" ,)", ','), (Strings{"a,b", "say \"x\"", "c", ""}));
  EXPECT_EQ(*SplitFields("a\t b ", '\t'), (Strings{"a", "b"}));
  EXPECT_EQ(*SplitFields("  a  b\tc ", ' '), (Strings{"a", "b", "c"}));
  EXPECT_EQ(*SplitFields("\"a\nb\",c", ','), (Strings{"a\nb", "c"}));
  EXPECT_EQ(*SplitFields("5\" tube,c", ','), (Strings{"5\" tube", "c"})) << "no quote where none may begin";
  EXPECT_FALSE(SplitFields("a,\"b", ',').ok());
  EXPECT_TRUE(EndsInQuotes("a,\"b", ','));
  EXPECT_TRUE(EndsInQuotes("a,\"b\"\"", ','));
  EXPECT_FALSE(EndsInQuotes("a,\"b\"", ','));
}

TEST(SmilesTable, GoesByItsHeader) {
  EXPECT_EQ(ReadTable("id,smiles,logP\nethanol,CCO,-0.3\nmethane,C,1.1\n"),
            (Strings{"2: ethanol CCO", "3: methane C"}));
  EXPECT_EQ(ReadTable("logP\tcanonical_smiles\tCHEMBL_ID\n-0.3\tCCO\tCHEMBL545\n"),
            (Strings{"2: CHEMBL545 CCO"}));
  EXPECT_EQ(ReadTable("catalogue;SMILES\nX-1;CCO\n"), (Strings{"2: X-1 CCO"})) << "of two columns the other";
  EXPECT_EQ(ReadTable("smiles,logP,qed\nCCO,-0.3,0.4\n"), (Strings{"2: CCO CCO"})) << "no column names an id";
}

TEST(SmilesTable, TakesTheColumnsAskedForByName) {
  const std::string text = "a,structure,b\n1,CCO,x\n2,C,y\n";
  EXPECT_EQ(ReadTable(text, {.smiles_column = "structure", .id_column = "b"}),
            (Strings{"2: x CCO", "3: y C"}));
  EXPECT_EQ(ReadTable(text, {.smiles_column = "STRUCTURE", .id_column = "1"}),
            (Strings{"2: 1 CCO", "3: 2 C"}));
  EXPECT_EQ(ReadTable(text, {.smiles_column = "structure"}), (Strings{"2: CCO CCO", "3: C C"}));
}

TEST(SmilesTable, TakesTheColumnsAskedForByNumber) {
  EXPECT_EQ(ReadTable("x,CCO,1\ny,C,2\n", {.smiles_column = "2", .id_column = "1"}),
            (Strings{"1: x CCO", "2: y C"}));
  EXPECT_EQ(ReadTable("id smiles\nx CCO\n", {.smiles_column = "2", .id_column = "1"}), (Strings{"2: x CCO"}));
}

TEST(SmilesTable, RefusesAColumnThatIsNotThere) {
  EXPECT_EQ(OpenProblem("id,smiles\nx,C\n", {.smiles_column = "structure"}),
            "there is no column 'structure'; there are id, smiles");
  EXPECT_EQ(OpenProblem("id,smiles\nx,C\n", {.id_column = "name"}),
            "there is no column 'name'; there are id, smiles");
  EXPECT_EQ(OpenProblem("id,smiles\nx,C\n", {.id_column = "0"}), "columns are counted from 1");
}

TEST(SmilesTable, ReadsQuotedFieldsOverSeveralLines) {
  // As the ZINC 250k set is distributed.
  EXPECT_EQ(ReadTable("smiles,logP,qed\n\"CCO\n\",5.05,0.7\n\"C\n\",3.1,0.9\n"),
            (Strings{"2: CCO CCO", "4: C C"}));
  EXPECT_EQ(ReadTable("\"CCO\",\"ethanol, pure\"\n\"C\",methane\n"),
            (Strings{"1: ethanol, pure CCO", "2: methane C"}));
}

TEST(SmilesTable, PaysForAQuoteThatIsNotClosedWithOneLine) {
  std::string text = "id,smiles\n\"a,C\n";
  for (size_t i = 0; i < kRowLinesMax + 3; ++i) text += fmt::format("x{},C\n", i);
  const Strings lines = ReadTable(text);
  ASSERT_EQ(lines.size(), kRowLinesMax + 4);
  EXPECT_EQ(lines[0], "2: ! a quote is opened and not closed");
  EXPECT_EQ(lines[1], "3: x0 C");
}

TEST(SmilesTable, ReadsARowOfAsManyLinesAsAreAllowed) {
  const auto row = [](size_t lines) {
    std::string text = "id,smiles\n\"";
    for (size_t i = 1; i < lines; ++i) text += "a\n";
    return text + "b\",C\n";
  };
  EXPECT_EQ(ReadTable(row(kRowLinesMax)).size(), 1U);
  EXPECT_GT(ReadTable(row(kRowLinesMax + 1)).size(), 1U);
}

TEST(SmilesTable, ReportsABadRowWithItsIdAndGoesOn) {
  EXPECT_EQ(ReadTable("id,smiles\na,C1CC\nb\nc,\nd,C\n,CC\n"),
            (Strings{"2: a! unclosed ring", "3: b! the row has 1 columns; the SMILES is in column 2",
                     "4: c! the SMILES is empty", "5: d C", "6: CC CC"}));
}

TEST(SmilesTable, DoesNotTakeAMoleculeForAHeader) {
  EXPECT_EQ(ReadTable("CO\tsmiles\nCCO\tx\n"), (Strings{"1: smiles CO", "2: x CCO"}));
  EXPECT_EQ(ReadTable("CCO,a,1.5\nC,b,2\n"), (Strings{"1: a CCO", "2: b C"}));
  EXPECT_EQ(ReadTable("CCO\ta b\t1.5\n"), (Strings{"1: a b CCO"}));
}

TEST(SmilesTable, FindsItsHeaderBehindCommentsAndBlankLines) {
  EXPECT_EQ(ReadTable("# made by hand\n\nid,smiles,x\na,C,1\n"), (Strings{"4: a C"}));
  EXPECT_EQ(ReadTable("# made by hand\nsmiles id\nC a b\n"), (Strings{"3: a b C"}));
}

}  // namespace
}  // namespace kindred::formats
