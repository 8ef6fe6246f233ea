// Graphs as molecules: which are, what is filled in, and what is refused.

#include "client/drawing/molecule.h"

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <fstream>
#include <string>

#include "client/formats/graph_builder.h"
#include "client/formats/smiles_graph.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"

namespace kindred::drawing {
namespace {

using test::IsOk;
using test::Must;
using test::StatusIs;

v1::Graph GraphOf(const std::string& smiles, bool edge_labels = true) {
  return Must(formats::GraphFromSmiles(smiles, {.bonds = edge_labels}));
}

v1::Graph PathOf(const std::vector<std::string>& labels, const std::string& bond) {
  formats::GraphBuilder builder;
  for (const std::string& label : labels) {
    builder.AddVertex(label);
  }
  for (uint32_t v = 1; v < labels.size(); ++v) {
    builder.AddEdge(v - 1, v, bond);
  }
  return std::move(builder).Take();
}

// What a picture of the graph shows, as a SMILES.
std::string Shown(const v1::Graph& graph) { return RDKit::MolToSmiles(*Must(MoleculeFromGraph(graph))); }

unsigned HydrogensOf(const v1::Graph& graph) {
  const auto molecule = Must(MoleculeFromGraph(graph));
  unsigned hydrogens = 0;
  for (const RDKit::Atom* const atom : molecule->atoms()) {
    hydrogens += atom->getTotalNumHs();
  }
  return hydrogens;
}

std::string Canonical(const std::string& smiles) {
  RDKit::SmilesParserParams params;
  std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles, params));
  RDKit::MolOps::Kekulize(*molecule, true);
  return RDKit::MolToSmiles(*molecule);
}

TEST(MoleculeFromGraph, FillsInHydrogensAndCharges) {
  for (const std::string smiles : {
           "CCO", "c1ccccc1O",
           "c1cc[nH]c1",                  // Which nitrogen has the hydrogen,
           "Cn1c(=O)c2[nH]cnc2n(C)c1=O",  // here one of two,
           "c1ccc2c(c1)[nH]c1ccccc12",    //
           "c1c[nH]c(-c2ccc[nH]2)c1",     // and here both.
           "C[N+](=O)[O-]",               // Charges: a nitro group,
           "C[N+](C)(C)C",                // an ammonium,
           "C[n+]1ccccc1",                // a pyridinium,
           "[O-][n+]1ccccc1",             // an N-oxide,
           "CN=[N+]=[N-]",                // an azide.
       }) {
    EXPECT_EQ(Shown(GraphOf(smiles)), Canonical(smiles)) << smiles;
  }
}

TEST(MoleculeFromGraph, GivesIonsNoHydrogens) { EXPECT_EQ(Shown(GraphOf("[Na+].[Cl-]")), "[Cl].[Na]"); }

TEST(MoleculeFromGraph, KeepsTheNumbersOfAtomsAndBonds) {
  const v1::Graph graph = GraphOf("OC(=O)c1ccc[nH]1");
  const auto molecule = Must(MoleculeFromGraph(graph));
  ASSERT_EQ(molecule->getNumAtoms(), 8u);
  for (unsigned v = 0; v < 8; ++v) {
    const int label = static_cast<int>(graph.vertices(static_cast<int>(v)));
    EXPECT_EQ(molecule->getAtomWithIdx(v)->getSymbol(), graph.labels(label));
  }
  for (unsigned e = 0; e < molecule->getNumBonds(); ++e) {
    EXPECT_EQ(molecule->getBondWithIdx(e)->getBeginAtomIdx(), graph.edges(static_cast<int>(2 * e)));
    EXPECT_EQ(molecule->getBondWithIdx(e)->getEndAtomIdx(), graph.edges(static_cast<int>(2 * e + 1)));
  }
}

TEST(MoleculeFromGraph, DrawsAsItIsWhatNoValenceExplains) {
  const v1::Graph odd = PathOf({"O", "C", "O", "C"}, "triple");
  EXPECT_EQ(Shown(odd), "C#O#C#O");
  EXPECT_EQ(HydrogensOf(odd), 0u);
  EXPECT_THAT(MoleculeFromGraph(PathOf({"Fe", "C", "*"}, "dative")), IsOk());
  // Nothing says what the bonds are, so nothing says how many hydrogens there are.
  EXPECT_EQ(HydrogensOf(GraphOf("c1ccccc1", false)), 0u);
  EXPECT_EQ(HydrogensOf(GraphOf("c1ccccc1", true)), 6u);
}

TEST(MoleculeFromGraph, ReadsTheElementBeforeASeparator) {
  EXPECT_EQ(Shown(PathOf({"C;3;0", "Cl|1", "Br "}, "single")), Shown(PathOf({"C", "Cl", "Br"}, "single")));
  EXPECT_THAT(MoleculeFromGraph(PathOf({"C3"}, "single")), StatusIs(test::kInvalid, "\"C3\""));
}

TEST(MoleculeFromGraph, SaysWhyAGraphIsNoMolecule) {
  EXPECT_THAT(MoleculeFromGraph(PathOf({"C", "red", "C"}, "single")),
              StatusIs(test::kInvalid, "vertex 1 has the label \"red\", which names no element"));
  EXPECT_THAT(MoleculeFromGraph(PathOf({"C", ""}, "")),
              StatusIs(test::kInvalid, "vertex 1 has the label \"\""));
  EXPECT_THAT(MoleculeFromGraph(PathOf({"C", "C", "C"}, "thick")),
              StatusIs(test::kInvalid, "edge 0 (0-1) has the label \"thick\", which names no bond"));
}

TEST(MoleculeFromGraph, RefusesAMessageThatIsNoGraph) {
  v1::Graph graph = PathOf({"C", "C"}, "single");
  graph.set_edges(1, 2);
  EXPECT_THAT(MoleculeFromGraph(graph), StatusIs(test::kInvalid, "edge 0"));
  graph.set_edges(1, 0);
  EXPECT_THAT(MoleculeFromGraph(graph), StatusIs(test::kInvalid, "edge 0"));
  graph.set_edges(1, 1);
  graph.set_edge_labels(0, 9);
  EXPECT_THAT(MoleculeFromGraph(graph), StatusIs(test::kInvalid, "edge 0"));
  graph.set_vertices(0, 9);
  EXPECT_THAT(MoleculeFromGraph(graph), StatusIs(test::kInvalid, "vertex 0"));
}

TEST(MoleculeFromGraph, AtomsAtTheEdgeOfTheLimit) {
  EXPECT_THAT(MoleculeFromGraph(PathOf(std::vector<std::string>(kDrawnAtomsMax, "C"), "single")), IsOk());
  EXPECT_THAT(MoleculeFromGraph(PathOf(std::vector<std::string>(kDrawnAtomsMax + 1, "C"), "single")),
              StatusIs(test::kResourceExhausted, "it has 501 vertices; at most 500 are drawn"));
}

TEST(MoleculeFromGraph, BondsAtTheEdgeOfTheLimit) {
  const auto crowd = [](size_t edges) {
    formats::GraphBuilder builder;
    builder.AddVertex("C");
    for (uint32_t v = 1; edges > 0; ++v) {
      builder.AddVertex("C");
      for (uint32_t u = 0; u < v && edges > 0; ++u, --edges) {
        builder.AddEdge(u, v, "single");
      }
    }
    return std::move(builder).Take();
  };
  EXPECT_THAT(MoleculeFromGraph(crowd(kDrawnBondsMax)), IsOk());
  EXPECT_THAT(MoleculeFromGraph(crowd(kDrawnBondsMax + 1)),
              StatusIs(test::kResourceExhausted, "it has 1001 edges; at most 1000 are drawn"));
}

// Of what people try first hardly anything is drawn without its hydrogens.
TEST(MoleculeFromGraph, MakesSenseOfTheBundledMolecules) {
  std::ifstream in(test::SourceDir() / "examples/molecules.smi");
  int all = 0;
  int plain = 0;
  for (std::string line; std::getline(in, line);) {
    const v1::Graph graph = GraphOf(line.substr(0, line.find('\t')));
    const auto molecule = MoleculeFromGraph(graph);
    ASSERT_THAT(molecule, IsOk()) << line;
    ++all;
    // An atom that stands in for a molecule drawn as it is.
    plain += (*molecule)->getNumAtoms() > 1 && (*molecule)->getAtomWithIdx(0)->getNoImplicit() &&
                     (*molecule)->getAtomWithIdx(0)->getSymbol() == "C"
                 ? 1
                 : 0;
  }
  EXPECT_GT(all, 400);
  EXPECT_LT(plain, all / 50);
}

}  // namespace
}  // namespace kindred::drawing
