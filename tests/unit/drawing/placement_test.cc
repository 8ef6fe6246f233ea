// AlignTo: a molecule turned or mirrored away comes back.

#include "client/drawing/placement.h"

#include <cmath>
#include <vector>

#include "client/drawing/molecule.h"
#include "client/formats/smiles_graph.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace kindred::drawing {
namespace {

using test::Must;

std::unique_ptr<RDKit::RWMol> MoleculeOf(const std::string& smiles) {
  return Must(MoleculeFromGraph(Must(formats::GraphFromSmiles(smiles, {}))));
}

// Turns by an angle, mirrors if asked to, and moves away.
void Displace(double angle, bool mirror, RDKit::RWMol& molecule) {
  for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
    const RDGeom::Point3D from = molecule.getConformer().getAtomPos(atom);
    const double y = mirror ? -from.y : from.y;
    molecule.getConformer().setAtomPos(
        atom, RDGeom::Point3D(std::cos(angle) * from.x - std::sin(angle) * y + 7,
                              std::sin(angle) * from.x + std::cos(angle) * y - 3, 0));
  }
}

TEST(AlignTo, UndoesATurnAndAMirror) {
  const auto fixed = MoleculeOf("CC(N)C(=O)Oc1ccccc1");
  std::vector<Anchoring> pairs;
  for (unsigned atom = 0; atom < fixed->getNumAtoms(); ++atom) {
    pairs.push_back({atom, atom, 1.0 + atom % 3});
  }
  for (const double angle : {0.0, 1.0, 2.5, -1.5}) {
    for (const bool mirror : {false, true}) {
      RDKit::RWMol moved(*fixed);
      Displace(angle, mirror, moved);
      AlignTo(*fixed, pairs, moved);
      for (unsigned atom = 1; atom < fixed->getNumAtoms(); ++atom) {
        // As seen from the first atom.
        const RDGeom::Point3D& place = moved.getConformer().getAtomPos(atom);
        const RDGeom::Point3D& first = moved.getConformer().getAtomPos(0);
        const RDGeom::Point3D& wanted = fixed->getConformer().getAtomPos(atom);
        const RDGeom::Point3D& wanted_first = fixed->getConformer().getAtomPos(0);
        EXPECT_NEAR(place.x - first.x, wanted.x - wanted_first.x, 1e-9);
        EXPECT_NEAR(place.y - first.y, wanted.y - wanted_first.y, 1e-9);
      }
    }
  }
}

TEST(AlignTo, LeavesAloneWhatHasNoTwoPairs) {
  const auto fixed = MoleculeOf("CCO");
  RDKit::RWMol moved(*fixed);
  Displace(1, false, moved);
  const RDGeom::Point3D before = moved.getConformer().getAtomPos(2);
  AlignTo(*fixed, std::vector<Anchoring>{{0, 0, 1}}, moved);
  EXPECT_EQ(moved.getConformer().getAtomPos(2).x, before.x);
}

TEST(ExtentOf, IsTheSizeOfTheDrawing) {
  EXPECT_EQ(ExtentOf(*MoleculeOf("C")).width, 0);
  const Extent chain = ExtentOf(*MoleculeOf("CCCCCCCC"));
  EXPECT_GT(chain.width, 5 * kBondUnits);
  EXPECT_LT(chain.height, 2 * kBondUnits);
}

}  // namespace
}  // namespace kindred::drawing
