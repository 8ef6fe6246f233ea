#include "client/formats/smiles_graph.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "fmt/format.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

// "C N | 0-1 double", atoms and bonds.
std::string Shape(const v1::Graph& graph) {
  std::string shape;
  for (const uint32_t label : graph.vertices()) shape += graph.labels(static_cast<int>(label)) + " ";
  shape += "|";
  for (int e = 0; e < graph.edges_size() / 2; ++e) {
    shape += fmt::format(" {}-{}", graph.edges(2 * e), graph.edges(2 * e + 1));
    if (graph.edge_labels_size() == 0 || graph.edge_labels(e) == 0) continue;
    shape += " " + graph.labels(static_cast<int>(graph.edge_labels(e)) - 1);
  }
  return shape;
}

std::string Shape(std::string_view smiles, bool edge_labels = true) {
  const absl::StatusOr<v1::Graph> graph = GraphFromSmiles(smiles, {.bonds = edge_labels});
  EXPECT_TRUE(graph.ok()) << smiles << ": " << graph.status();
  return graph.ok() ? Shape(*graph) : "";
}

std::string SmilesProblem(std::string_view smiles) {
  const absl::StatusOr<v1::Graph> graph = GraphFromSmiles(smiles, {});
  EXPECT_FALSE(graph.ok()) << smiles;
  EXPECT_EQ(graph.status().code(), absl::StatusCode::kInvalidArgument);
  return Message(graph.status());
}

TEST(GraphFromSmiles, LabelsAtomsByElementAndBondsByType) {
  EXPECT_EQ(Shape("CC(=O)N"), "C C O N | 0-1 single 1-2 double 1-3 single");
  EXPECT_EQ(Shape("C#N"), "C N | 0-1 triple");
  EXPECT_EQ(Shape("[Ga-]$[As+]"), "Ga As | 0-1 quadruple");
  EXPECT_EQ(Shape("N->[Fe]"), "N Fe | 0-1 dative");
  EXPECT_EQ(Shape("C~C"), "C C | 0-1 unspecified");
  EXPECT_EQ(Shape("*C"), "* C | 0-1 single");
}

TEST(GraphFromSmiles, MakesRingsAromatic) {
  const std::string furan = "O C C C C | 0-1 aromatic 1-2 aromatic 2-3 aromatic 3-4 aromatic 4-0 aromatic";
  EXPECT_EQ(Shape("o1cccc1"), furan);
  EXPECT_EQ(Shape("O1C=CC=C1"), furan);
}

TEST(GraphFromSmiles, RemovesExplicitHydrogens) {
  EXPECT_EQ(Shape("[H]C([H])([H])[H]"), "C |");
  EXPECT_EQ(Shape("[CH4]"), "C |");
  EXPECT_EQ(Shape("[H][H]"), "H H | 0-1 single") << "nothing else is there";
}

TEST(GraphFromSmiles, LeavesBondTypesOutWhenTheyAreNotWanted) {
  EXPECT_EQ(Shape("CC(=O)N", false), "C C O N | 0-1 1-2 1-3");
  EXPECT_EQ(GraphFromSmiles("C=O", {.bonds = false})->labels_size(), 2);
}

TEST(GraphFromSmiles, TakesSeveralComponents) { EXPECT_EQ(Shape("[Na+].[Cl-]"), "Na Cl |"); }

TEST(GraphFromSmiles, TakesWhiteSpaceAroundButNotWithin) {
  EXPECT_EQ(Shape(" \tCO\r\n"), "C O | 0-1 single");
  EXPECT_EQ(SmilesProblem("C O"), "byte 2 of the SMILES is white space or a control character");
  EXPECT_EQ(SmilesProblem("CC\nO"), "byte 3 of the SMILES is white space or a control character");
  EXPECT_EQ(SmilesProblem(std::string_view("C\0O", 3)),
            "byte 2 of the SMILES is white space or a control character");
}

TEST(GraphFromSmiles, SaysWhyASmilesIsRefused) {
  EXPECT_EQ(SmilesProblem("CC(C)(=C)C"), "Explicit valence for atom # 1 C, 5, is greater than permitted");
  EXPECT_EQ(SmilesProblem("c1cccc1"), "Can't kekulize mol.  Unkekulized atoms: 0 1 2 3 4");
  EXPECT_EQ(SmilesProblem("ccc"), "non-ring atom 0 marked aromatic");
  EXPECT_EQ(SmilesProblem("C1CC"), "unclosed ring");
  EXPECT_EQ(SmilesProblem("CC11C"), "duplicated ring closure 1 bonds atom 1 to itself");
  EXPECT_EQ(SmilesProblem("C12CCCCC12"), "ring closure 2 duplicates bond between atom 0 and atom 5");
  EXPECT_EQ(SmilesProblem("CCCC(CCCC"), "extra open parentheses");
  EXPECT_EQ(SmilesProblem("CCCCCC)CCC"), "extra close parentheses");
  EXPECT_EQ(SmilesProblem("[Fe@TH3]"), "Invalid chiral specification on atom 0");
  EXPECT_EQ(SmilesProblem("[555555555555555555C]"), "number too large");
  EXPECT_EQ(SmilesProblem("fff"), "syntax error");
  EXPECT_EQ(SmilesProblem("\xFF\xFE"), "syntax error");
}

TEST(GraphFromSmiles, RefusesAMoleculeWithoutAtoms) {
  EXPECT_EQ(SmilesProblem(""), "the SMILES is empty");
  EXPECT_EQ(SmilesProblem(" \t"), "the SMILES is empty");
}

TEST(GraphFromSmiles, RefusesASmilesTooLong) {
  EXPECT_EQ(GraphFromSmiles(std::string(kSmilesBytesMax, 'C'), {})->vertices_size(),
            static_cast<int>(kSmilesBytesMax));
  EXPECT_EQ(SmilesProblem(std::string(kSmilesBytesMax + 1, 'C')), "the SMILES has 8193 bytes; at most 8192");
}

TEST(GraphFromSmiles, SurvivesDeepNesting) {
  std::string smiles;
  for (int i = 0; i < 2'700; ++i) smiles += "C(";
  EXPECT_EQ(SmilesProblem(smiles), "syntax error");
  EXPECT_EQ(SmilesProblem(smiles + "C"), "extra open parentheses");
  EXPECT_EQ(GraphFromSmiles(smiles + "C" + std::string(2'700, ')'), {})->vertices_size(), 2'701);
}

TEST(GraphFromSmiles, CutsAnEndlessReasonShort) {
  // An odd number of aromatic carbons in each ring: RDKit names every atom.
  std::string smiles = "c1cccc1";
  for (int i = 0; i < 200; ++i) smiles += ".c1cccc1";
  EXPECT_LE(SmilesProblem(smiles).size(), 203U);
}

TEST(GraphFromSmiles, WritesNothingToTheStandardStreams) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  for (const char* smiles : {"C1CC", "CC(C)(=C)C", "c1cccc1", "fff", "[Fe@TH3]", "C[O@]C"}) {
    (void)GraphFromSmiles(smiles, {});
  }
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(GraphFromSmiles, GivesEachThreadItsOwnReason) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"C1CC", "unclosed ring"},
      {"CCCC(CCCC", "extra open parentheses"},
      {"fff", "syntax error"},
      {"CC(C)(=C)C", "Explicit valence for atom # 1 C, 5, is greater than permitted"},
  };
  std::vector<std::jthread> threads;
  for (size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&cases, t] {
      for (size_t i = 0; i < 200; ++i) {
        const auto& [smiles, reason] = cases[(t + i) % cases.size()];
        EXPECT_EQ(Message(GraphFromSmiles(smiles, {}).status()), reason);
        EXPECT_TRUE(GraphFromSmiles("c1ccccc1O", {}).ok());
      }
    });
  }
}

}  // namespace
}  // namespace kindred::formats
