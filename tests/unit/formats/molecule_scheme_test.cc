#include "client/formats/molecule_scheme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "client/formats/record_check.h"
#include "client/formats/smiles_graph.h"
#include "index/base/molecule_scheme.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

// The labels of the atoms, in their order.
Strings AtomLabelsOf(std::string_view smiles, const MoleculeScheme& scheme) {
  const absl::StatusOr<v1::Graph> graph = GraphFromSmiles(smiles, scheme);
  EXPECT_TRUE(graph.ok()) << smiles << ": " << graph.status();
  Strings labels;
  if (!graph.ok()) return labels;
  for (const uint32_t label : graph->vertices()) labels.push_back(graph->labels(static_cast<int>(label)));
  return labels;
}

Strings Sorted(Strings labels) {
  std::ranges::sort(labels);
  return labels;
}

constexpr MoleculeScheme kEcfp{.labels = AtomLabels::kEcfp};

TEST(MoleculeScheme, IsATextThatReadsBack) {
  EXPECT_EQ(ToText({}), "element,bonds");
  EXPECT_EQ(ToText({.bonds = false}), "element");
  EXPECT_EQ(ToText({AtomLabels::kEcfp, true, true, true}), "ecfp,bonds,hydrogens,largest-fragment");
  std::set<std::string> texts;
  for (const AtomLabels labels : {AtomLabels::kElement, AtomLabels::kEcfp}) {
    for (int bits = 0; bits < 8; ++bits) {
      const MoleculeScheme scheme{labels, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
      const auto parsed = ParseMoleculeScheme(ToText(scheme));
      ASSERT_TRUE(parsed.ok());
      EXPECT_EQ(*parsed, scheme);
      EXPECT_TRUE(CheckMoleculeScheme(ToText(scheme)).ok());
      texts.insert(ToText(scheme));
    }
  }
  EXPECT_EQ(texts.size(), 16U) << "two schemes share a text";
}

TEST(MoleculeScheme, RefusesATextOfAnotherKindred) {
  for (const char* text :
       {"", "bonds", "element,bonds,", "element,hydrogens,bonds", "Element", "maccs,bonds"}) {
    EXPECT_EQ(ParseMoleculeScheme(text).status().code(), absl::StatusCode::kFailedPrecondition) << text;
  }
}

TEST(MoleculeScheme, LosesItsBondsWithTheEdgeLabelsOfARecord) {
  v1::Record record;
  EXPECT_TRUE(DropBondsOfScheme(record).ok());
  EXPECT_EQ(record.molecule_scheme(), "") << "a plain graph states none";
  record.set_molecule_scheme("ecfp,bonds,hydrogens");
  EXPECT_TRUE(DropBondsOfScheme(record).ok());
  EXPECT_EQ(record.molecule_scheme(), "ecfp,hydrogens");
  record.set_molecule_scheme("maccs");
  EXPECT_FALSE(DropBondsOfScheme(record).ok());
}

TEST(EcfpLabels, HoldTheSevenInvariants) {
  EXPECT_EQ(AtomLabelsOf("CC(=O)[O-]", kEcfp),
            (Strings{"C;D1;V1;H3", "C;D3;V4;H0", "O;D1;V2;H0", "O;D1;V1;H0;-1"}));
  EXPECT_EQ(AtomLabelsOf("[13CH3][NH3+]", kEcfp), (Strings{"13C;D1;V1;H3", "N;D1;V1;H3;+1"}));
  EXPECT_EQ(AtomLabelsOf("[Fe+2]", kEcfp), (Strings{"Fe;D0;V0;H0;+2"}));
}

TEST(EcfpLabels, TellRingsAndAromaticAtoms) {
  EXPECT_EQ(AtomLabelsOf("C1CC1C", kEcfp),
            (Strings{"C;D2;V2;H2;R", "C;D2;V2;H2;R", "C;D3;V3;H1;R", "C;D1;V1;H3"}));
  EXPECT_EQ(AtomLabelsOf("c1ccccc1", kEcfp), Strings(6, "C;D2;V3;H1;R"));
  EXPECT_EQ(AtomLabelsOf("C1=CC=CC=C1", kEcfp), Strings(6, "C;D2;V3;H1;R")) << "however it is drawn";
  EXPECT_EQ(AtomLabelsOf("c1cc[nH]c1", kEcfp)[3], "N;D2;V2;H1;R");
}

TEST(EcfpLabels, DoNotDependOnHowHydrogensAreWritten) {
  const Strings wanted{"C;D1;V1;H3", "O;D1;V1;H1"};
  for (const char* methanol : {"CO", "[CH3][OH]", "[H]C([H])([H])O[H]"}) {
    EXPECT_EQ(Sorted(AtomLabelsOf(methanol, kEcfp)), wanted) << methanol;
  }
  EXPECT_EQ(Sorted(AtomLabelsOf("[H]O[H]", {AtomLabels::kEcfp, true, true, false})),
            (Strings{"H;D1;V1;H0", "H;D1;V1;H0", "O;D0;V0;H2"}))
      << "kept, they are vertices, and still no heavy neighbours";
}

TEST(EcfpLabels, DoNotDependOnTheOrderOfAtoms) {
  EXPECT_EQ(Sorted(AtomLabelsOf("CC(=O)Oc1ccccc1C(=O)O", kEcfp)),
            Sorted(AtomLabelsOf("OC(=O)c1c(OC(C)=O)cccc1", kEcfp)));
}

TEST(Hydrogens, AreRemovedUnlessTheSchemeKeepsThem) {
  EXPECT_EQ(AtomLabelsOf("[H]OC", {}), (Strings{"O", "C"}));
  EXPECT_EQ(AtomLabelsOf("[H]OC", {.hydrogens = true}), (Strings{"H", "O", "C"}));
  EXPECT_EQ(AtomLabelsOf("[CH3][OH]", {.hydrogens = true}), (Strings{"C", "O"}))
      << "none is added that is not an atom of the input";
}

TEST(Fragments, AreAllKeptUnlessTheSchemeTakesTheLargest) {
  EXPECT_EQ(AtomLabelsOf("[Na+].CC(=O)[O-].O", {}), (Strings{"Na", "C", "C", "O", "O", "O"}));
  EXPECT_EQ(AtomLabelsOf("[Na+].CC(=O)[O-].O", {.largest_fragment = true}), (Strings{"C", "C", "O", "O"}));
  EXPECT_EQ(GraphFromSmiles("[Na+].CC(=O)[O-]", {.largest_fragment = true})->edges_size(), 6);
}

TEST(Fragments, OfEqualSizeAreToldApartWhateverTheirOrder) {
  for (const char* salt : {"[K+].[Cl-].[Na+]", "[Cl-].[Na+].[K+]", "[Na+].[K+].[Cl-]"}) {
    EXPECT_EQ(AtomLabelsOf(salt, {.largest_fragment = true}), (Strings{"K"})) << salt << ": the heaviest";
  }
  for (const char* pair : {"C1CC1.CCC", "CCC.C1CC1"}) {
    EXPECT_EQ(GraphFromSmiles(pair, {.largest_fragment = true})->edges_size(), 6) << pair << ": most bonds";
  }
}

TEST(CheckMoleculeScheme, TakesPrintableTextUpToItsLimit) {
  EXPECT_TRUE(CheckMoleculeScheme(std::string(kMoleculeSchemeBytesMax, '~')).ok());
  EXPECT_EQ(Message(CheckMoleculeScheme(std::string(kMoleculeSchemeBytesMax + 1, '~'))),
            "molecule_scheme: has 129 bytes; at most 128 are allowed");
  EXPECT_EQ(Message(CheckMoleculeScheme("")), "molecule_scheme: is empty");
  EXPECT_EQ(Message(CheckMoleculeScheme("a b")), "molecule_scheme: byte 2 is not printable ASCII");
  EXPECT_EQ(Message(CheckMoleculeScheme("\xC3\xA4")), "molecule_scheme: byte 1 is not printable ASCII");
}

}  // namespace
}  // namespace kindred::formats
