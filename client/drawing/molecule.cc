#include "client/drawing/molecule.h"

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/PeriodicTable.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "client/drawing/valence.h"
#include "index/base/status.h"

namespace kindred::drawing {
namespace {

using RDKit::Bond;

constexpr int kDummy = 0;
constexpr int kElementLast = 118;

const std::map<std::string, int, std::less<>>& Elements() {
  static const auto* const elements = [] {
    auto* const map = new std::map<std::string, int, std::less<>>{{"*", kDummy}};
    for (int number = 1; number <= kElementLast; ++number) {
      map->emplace(RDKit::PeriodicTable::getTable()->getElementSymbol(static_cast<unsigned>(number)), number);
    }
    return map;
  }();
  return *elements;
}

// The atomic number a label stands for.
std::optional<int> ElementOf(std::string_view label) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  size_t length = label.starts_with('*') ? 1 : 0;
  while (length < label.size() && is_letter(label[length])) {
    ++length;
  }
  if (length < label.size() && is_digit(label[length])) {
    return std::nullopt;
  }
  const auto found = Elements().find(label.substr(0, length));
  return found == Elements().end() ? std::nullopt : std::optional(found->second);
}

// Of the labels that molecules are read with, and of none, which leaves open what bond it is.
std::optional<Bond::BondType> BondTypeOf(std::string_view label) {
  static constexpr std::array<std::pair<std::string_view, Bond::BondType>, 12> kTypes{{
      {"", Bond::UNSPECIFIED},
      {"single", Bond::SINGLE},
      {"double", Bond::DOUBLE},
      {"triple", Bond::TRIPLE},
      {"quadruple", Bond::QUADRUPLE},
      {"aromatic", Bond::AROMATIC},
      {"dative", Bond::DATIVE},
      {"hydrogen", Bond::HYDROGEN},
      {"ionic", Bond::IONIC},
      {"zero", Bond::ZERO},
      {"unspecified", Bond::UNSPECIFIED},
      {"other", Bond::OTHER},
  }};
  const auto found = std::ranges::find(kTypes, label, &decltype(kTypes)::value_type::first);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

absl::Status CheckSize(const v1::Graph& graph) {
  const auto atoms = static_cast<size_t>(graph.vertices_size());
  const auto bonds = static_cast<size_t>(graph.edges_size() / 2);
  if (atoms > kDrawnAtomsMax) {
    return MakeStatus(absl::StatusCode::kResourceExhausted, "it has {} vertices; at most {} are drawn", atoms,
                      kDrawnAtomsMax);
  }
  if (bonds > kDrawnBondsMax) {
    return MakeStatus(absl::StatusCode::kResourceExhausted, "it has {} edges; at most {} are drawn", bonds,
                      kDrawnBondsMax);
  }
  return absl::OkStatus();
}

absl::Status AddAtoms(const v1::Graph& graph, RDKit::RWMol& molecule) {
  for (int v = 0; v < graph.vertices_size(); ++v) {
    if (graph.vertices(v) >= static_cast<uint32_t>(graph.labels_size())) {
      return InvalidArgument("vertex {} has no label", v);
    }
    const std::string& label = graph.labels(static_cast<int>(graph.vertices(v)));
    const std::optional<int> element = ElementOf(label);
    if (!element) {
      return InvalidArgument("vertex {} has the label \"{}\", which names no element", v, label);
    }
    RDKit::Atom atom(*element);
    molecule.addAtom(&atom);
  }
  return absl::OkStatus();
}

absl::Status AddBonds(const v1::Graph& graph, RDKit::RWMol& molecule) {
  const bool labelled = graph.edge_labels_size() > 0;
  const int edges = graph.edges_size() / 2;
  if (labelled && graph.edge_labels_size() != edges) {
    return InvalidArgument("there are {} edge labels for {} edges", graph.edge_labels_size(), edges);
  }
  for (int e = 0; e < edges; ++e) {
    const uint32_t from = graph.edges(2 * e);
    const uint32_t to = graph.edges(2 * e + 1);
    const uint32_t index = labelled ? graph.edge_labels(e) : 0;
    if (std::max(from, to) >= molecule.getNumAtoms() || from == to ||
        index > static_cast<uint32_t>(graph.labels_size()) ||
        molecule.getBondBetweenAtoms(from, to) != nullptr) {
      return InvalidArgument("edge {} joins what cannot be joined", e);
    }
    const std::string label = index == 0 ? "" : graph.labels(static_cast<int>(index - 1));
    const std::optional<Bond::BondType> type = BondTypeOf(label);
    if (!type) {
      return InvalidArgument("edge {} ({}-{}) has the label \"{}\", which names no bond", e, from, to, label);
    }
    molecule.addBond(from, to, *type);
    if (*type == Bond::AROMATIC) {
      molecule.getBondBetweenAtoms(from, to)->setIsAromatic(true);
      molecule.getAtomWithIdx(from)->setIsAromatic(true);
      molecule.getAtomWithIdx(to)->setIsAromatic(true);
    }
  }
  return absl::OkStatus();
}

// RDKit draws a bond of no type as a question; here it is a line between two atoms, like any.
void DrawPlainly(RDKit::RWMol& molecule) {
  for (RDKit::Atom* const atom : molecule.atoms()) {
    atom->setNoImplicit(true);
  }
  for (Bond* const bond : molecule.bonds()) {
    if (bond->getBondType() == Bond::UNSPECIFIED || bond->getBondType() == Bond::OTHER) {
      bond->setBondType(Bond::SINGLE);
    }
  }
  molecule.updatePropertyCache(/*strict=*/false);
  RDKit::MolOps::symmetrizeSSSR(molecule);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RDKit::RWMol>> MoleculeFromGraph(const v1::Graph& graph) {
  KINDRED_RETURN_IF_ERROR(CheckSize(graph));
  auto molecule = std::make_unique<RDKit::RWMol>();
  try {
    KINDRED_RETURN_IF_ERROR(AddAtoms(graph, *molecule));
    KINDRED_RETURN_IF_ERROR(AddBonds(graph, *molecule));
    if (auto complete = CompleteByValence(*molecule)) {
      molecule = std::move(complete);
    } else {
      DrawPlainly(*molecule);
    }
    RDDepict::compute2DCoords(*molecule, nullptr, /*canonOrient=*/true);
  } catch (const std::exception& error) {
    return MakeStatus(absl::StatusCode::kInternal, "RDKit cannot place its atoms: {}", error.what());
  }
  return molecule;
}

}  // namespace kindred::drawing
