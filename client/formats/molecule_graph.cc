#include "client/formats/molecule_graph.h"

#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>

#include "absl/status/status.h"
#include "client/formats/graph_builder.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

std::string_view BondLabel(RDKit::Bond::BondType type) {
  using RDKit::Bond;
  switch (type) {
    case Bond::SINGLE:
      return "single";
    case Bond::DOUBLE:
      return "double";
    case Bond::TRIPLE:
      return "triple";
    case Bond::QUADRUPLE:
      return "quadruple";
    case Bond::AROMATIC:
      return "aromatic";
    case Bond::DATIVE:
    case Bond::DATIVEONE:
    case Bond::DATIVEL:
    case Bond::DATIVER:
      return "dative";
    case Bond::HYDROGEN:
      return "hydrogen";
    case Bond::IONIC:
      return "ionic";
    case Bond::ZERO:
      return "zero";
    case Bond::UNSPECIFIED:
      return "unspecified";  // As written by '~'.
    default:
      return "other";
  }
}

std::string EcfpLabel(const RDKit::RWMol& molecule, const RDKit::Atom& atom) {
  constexpr bool kIncludeNeighbours = true;
  unsigned heavy = 0;
  for (const RDKit::Atom* neighbour : molecule.atomNeighbors(&atom)) {
    if (neighbour->getAtomicNum() != 1) ++heavy;
  }
  const unsigned hydrogens = atom.getTotalNumHs(kIncludeNeighbours);
  const int valence = static_cast<int>(atom.getTotalValence()) - static_cast<int>(hydrogens);
  std::string label;
  const auto out = std::back_inserter(label);
  if (atom.getIsotope() != 0) fmt::format_to(out, "{}", atom.getIsotope());
  fmt::format_to(out, "{};D{};V{};H{}", atom.getSymbol(), heavy, std::max(valence, 0), hydrogens);
  if (atom.getFormalCharge() != 0) fmt::format_to(out, ";{:+}", atom.getFormalCharge());
  if (molecule.getRingInfo()->numAtomRings(atom.getIdx()) != 0) label += ";R";
  return label;
}

std::string AtomLabel(const RDKit::RWMol& molecule, const RDKit::Atom& atom, AtomLabels labels) {
  return labels == AtomLabels::kEcfp ? EcfpLabel(molecule, atom) : atom.getSymbol();
}

// The number of each atom's component, and that of the largest: the one with most heavy atoms, then most
// bonds, then the heaviest, so that it does not depend on the order of the input; then the first.
struct Components {
  std::vector<int> of_atom;
  int largest = 0;
};

Components FindComponents(const RDKit::RWMol& molecule) {
  struct Size {
    size_t heavy_atoms = 0;
    size_t bonds = 0;
    int atomic_numbers = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): takes a 0 in what is generated for a pointer.
    auto operator<=>(const Size&) const = default;
  };
  Components components;
  std::vector<Size> sizes(RDKit::MolOps::getMolFrags(molecule, components.of_atom));
  for (const RDKit::Atom* atom : molecule.atoms()) {
    Size& size = sizes[static_cast<size_t>(components.of_atom[atom->getIdx()])];
    size.heavy_atoms += atom->getAtomicNum() != 1 ? 1 : 0;
    size.bonds += atom->getDegree();  // Twice, for all.
    size.atomic_numbers += atom->getAtomicNum();
  }
  components.largest = static_cast<int>(std::ranges::max_element(sizes) - sizes.begin());
  return components;
}

}  // namespace

absl::Status SanitizeMolecule(RDKit::RWMol& molecule, const MoleculeScheme& scheme) {
  if (molecule.getNumAtoms() > kMoleculeAtomsMax) {
    return absl::ResourceExhaustedError(
        fmt::format("the molecule has {} atoms; at most {}", molecule.getNumAtoms(), kMoleculeAtomsMax));
  }
  if (scheme.hydrogens) {
    RDKit::MolOps::sanitizeMol(molecule);
  } else {
    constexpr bool kImplicitOnly = false;
    constexpr bool kUpdateExplicitCount = true;
    constexpr bool kSanitize = true;
    RDKit::MolOps::removeHs(molecule, kImplicitOnly, kUpdateExplicitCount, kSanitize);
  }
  if (molecule.getNumAtoms() == 0) return absl::InvalidArgumentError("the molecule has no atoms");
  return absl::OkStatus();
}

v1::Graph GraphOfMolecule(const RDKit::RWMol& molecule, const MoleculeScheme& scheme,
                          const std::vector<unsigned>& atoms) {
  constexpr uint32_t kLeftOut = UINT32_MAX;
  std::vector<unsigned> order = atoms;
  if (order.empty()) {
    order.resize(molecule.getNumAtoms());
    std::iota(order.begin(), order.end(), 0U);
  }
  const Components components = scheme.largest_fragment ? FindComponents(molecule) : Components();
  std::vector<uint32_t> vertex_of(molecule.getNumAtoms(), kLeftOut);
  GraphBuilder graph;
  for (const unsigned index : order) {
    if (scheme.largest_fragment && components.of_atom[index] != components.largest) continue;
    vertex_of[index] = static_cast<uint32_t>(graph.vertex_count());
    graph.AddVertex(AtomLabel(molecule, *molecule.getAtomWithIdx(index), scheme.labels));
  }
  for (const RDKit::Bond* bond : molecule.bonds()) {
    const uint32_t from = vertex_of[bond->getBeginAtomIdx()];
    if (from == kLeftOut) continue;  // And so is its other end.
    graph.AddEdge(from, vertex_of[bond->getEndAtomIdx()],
                  scheme.bonds ? BondLabel(bond->getBondType()) : std::string_view());
  }
  return std::move(graph).Take();
}

}  // namespace kindred::formats
