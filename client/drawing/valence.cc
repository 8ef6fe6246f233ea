#include "client/drawing/valence.h"

#include <GraphMol/MolOps.h>

#include <algorithm>
#include <array>
#include <vector>

namespace kindred::drawing {
namespace {

using RDKit::Atom;
using RDKit::Bond;

constexpr int kNitrogen = 7;
constexpr int kOxygen = 8;

// Rings of more nitrogens than this are not guessed at: each try costs a sanitizing.
constexpr size_t kCandidatesMax = 12;

// Only what SMILES writes without brackets has hydrogens that go without saying; a lone halogen is an ion.
bool HasImpliedHydrogens(const Atom& atom) {
  static constexpr std::array kOrganic{5, 6, 7, 8, 9, 15, 16, 17, 35, 53};
  static constexpr std::array kHalogens{9, 17, 35, 53};
  const int element = atom.getAtomicNum();
  return std::ranges::find(kOrganic, element) != kOrganic.end() &&
         (atom.getDegree() > 0 || std::ranges::find(kHalogens, element) == kHalogens.end());
}

bool HasPlainBonds(const RDKit::RWMol& molecule) {
  bool plain = true;
  for (const Bond* const bond : molecule.bonds()) {
    const Bond::BondType type = bond->getBondType();
    plain = plain &&
            (type == Bond::SINGLE || type == Bond::DOUBLE || type == Bond::TRIPLE || type == Bond::AROMATIC);
  }
  return plain;
}

double ValenceOf(const RDKit::RWMol& molecule, const Atom& atom) {
  double valence = 0;
  for (const Bond* const bond : molecule.atomBonds(&atom)) {
    valence += bond->getBondTypeAsDouble();
  }
  return valence;
}

// Makes a nitrogen positive, and negative what hangs on it by one bond too few: the end of a nitro group, of
// an N-oxide, of an azide.
void ChargeNitrogen(RDKit::RWMol& molecule, Atom& nitrogen) {
  nitrogen.setFormalCharge(1);
  bool balanced = false;
  for (const Bond* const bond : molecule.atomBonds(&nitrogen)) {
    Atom& other = *bond->getOtherAtom(&nitrogen);
    const bool end = other.getDegree() == 1;
    const bool oxide = other.getAtomicNum() == kOxygen && bond->getBondType() == Bond::SINGLE;
    const bool azide = other.getAtomicNum() == kNitrogen && bond->getBondType() == Bond::DOUBLE;
    if (end && !balanced && (oxide || azide)) {
      other.setFormalCharge(-1);
      balanced = true;
    }
  }
}

void ChargePlainNitrogens(RDKit::RWMol& molecule) {
  for (Atom* const atom : molecule.atoms()) {
    if (atom->getAtomicNum() == kNitrogen && !atom->getIsAromatic() && ValenceOf(molecule, *atom) == 4) {
      ChargeNitrogen(molecule, *atom);
    }
  }
}

bool Sanitize(RDKit::RWMol& molecule) {
  try {
    RDKit::MolOps::sanitizeMol(molecule);
    RDKit::MolOps::Kekulize(molecule, /*markAtomsBonds=*/true);
    return true;
  } catch (const RDKit::MolSanitizeException&) {
    return false;
  }
}

// A copy with these nitrogens of its rings hydrogenated (two bonds) or charged (three).
std::unique_ptr<RDKit::RWMol> TryWith(const RDKit::RWMol& molecule, const std::vector<unsigned>& nitrogens) {
  auto tried = std::make_unique<RDKit::RWMol>(molecule);
  for (const unsigned index : nitrogens) {
    Atom& atom = *tried->getAtomWithIdx(index);
    if (atom.getDegree() == 2) {
      atom.setNumExplicitHs(1);
    } else {
      ChargeNitrogen(*tried, atom);
    }
  }
  return Sanitize(*tried) ? std::move(tried) : nullptr;
}

std::vector<unsigned> RingNitrogens(const RDKit::RWMol& molecule) {
  std::vector<unsigned> candidates;
  for (const Atom* const atom : molecule.atoms()) {
    if (atom->getAtomicNum() == kNitrogen && atom->getIsAromatic() && atom->getDegree() <= 3) {
      candidates.push_back(atom->getIdx());
    }
  }
  return candidates;
}

}  // namespace

std::unique_ptr<RDKit::RWMol> CompleteByValence(const RDKit::RWMol& molecule) {
  if (!HasPlainBonds(molecule)) {
    return nullptr;
  }
  RDKit::RWMol base(molecule);
  for (Atom* const atom : base.atoms()) {
    atom->setNoImplicit(!HasImpliedHydrogens(*atom));
  }
  ChargePlainNitrogens(base);
  if (auto complete = TryWith(base, {})) {
    return complete;
  }
  const std::vector<unsigned> candidates = RingNitrogens(base);
  if (candidates.size() > kCandidatesMax) {
    return nullptr;
  }
  for (const unsigned one : candidates) {
    if (auto complete = TryWith(base, {one})) {
      return complete;
    }
  }
  for (const unsigned one : candidates) {
    for (const unsigned other : candidates) {
      if (auto complete = one < other ? TryWith(base, {one, other}) : nullptr) {
        return complete;
      }
    }
  }
  return nullptr;
}

}  // namespace kindred::drawing
