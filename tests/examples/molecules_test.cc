// The bundled molecules: RDKit reads every one, and their formulas are those of the compounds they claim to
// be.

#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/paths.h"

namespace kindred::test {
namespace {

// Two columns, tab-separated, as second -> first.
std::map<std::string, std::string> ReadTable(const std::string& file, bool id_first) {
  std::ifstream in(SourceDir() / file);
  std::map<std::string, std::string> table;
  for (std::string line; std::getline(in, line);) {
    const size_t tab = line.find('\t');
    EXPECT_NE(tab, std::string::npos) << line;
    const std::string first = line.substr(0, tab);
    const std::string second = line.substr(tab + 1);
    EXPECT_TRUE(id_first ? table.emplace(first, second).second : table.emplace(second, first).second)
        << "twice: " << line;
  }
  return table;
}

std::unique_ptr<RDKit::ROMol> Parse(const std::string& smiles) {
  try {
    return std::unique_ptr<RDKit::ROMol>(RDKit::SmilesToMol(smiles));
  } catch (const std::exception&) {
    return nullptr;
  }
}

TEST(BundledMolecules, AreAtLeastFourHundredAndAllDifferent) {
  const auto molecules = ReadTable("examples/molecules.smi", /*id_first=*/false);
  EXPECT_GE(molecules.size(), 400);
  std::set<std::string> canonical;
  for (const auto& [id, smiles] : molecules) {
    const auto molecule = Parse(smiles);
    ASSERT_NE(molecule, nullptr) << id << ": " << smiles;
    EXPECT_TRUE(canonical.insert(RDKit::MolToSmiles(*molecule)).second)
        << id << " is there under another name";
  }
}

TEST(BundledMolecules, HaveTheFormulasOfTheirCompounds) {
  const auto molecules = ReadTable("examples/molecules.smi", /*id_first=*/false);
  const auto formulas = ReadTable("tests/golden/molecular_formulas.tsv", /*id_first=*/true);
  EXPECT_GE(formulas.size(), 100);
  for (const auto& [id, formula] : formulas) {
    ASSERT_TRUE(molecules.contains(id)) << id;
    const auto molecule = Parse(molecules.at(id));
    ASSERT_NE(molecule, nullptr) << id;
    EXPECT_EQ(RDKit::Descriptors::calcMolFormula(*molecule), formula) << id;
  }
}

}  // namespace
}  // namespace kindred::test
