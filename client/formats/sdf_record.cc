#include "client/formats/sdf_record.h"

#include <GraphMol/Chirality.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include "absl/status/status.h"
#include "client/formats/molecule_graph.h"
#include "client/formats/rdkit_access.h"

namespace kindred::formats {

namespace {

std::string_view TrimmedText(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// Takes the next line off; nothing at the end.
std::optional<std::string_view> TakeLine(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const size_t bytes = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, bytes);
  text.remove_prefix(std::min(bytes + 1, text.size()));
  return line;
}

// Of "> 25 <MELTING.POINT> (MD-0894)": "MELTING.POINT"; of "> DT12": "DT12".
std::string_view PropertyName(std::string_view header) {
  const size_t begin = header.find('<');
  const size_t end = header.rfind('>');
  if (begin != std::string_view::npos && end > begin) return header.substr(begin + 1, end - begin - 1);
  return TrimmedText(header.substr(1));
}

void AddProperty(std::string_view name, std::string value, SdfParts& parts) {
  const auto same = std::ranges::find(parts.properties, name, &std::pair<std::string, std::string>::first);
  if (same == parts.properties.end()) {
    parts.properties.emplace_back(name, std::move(value));
  } else {
    same->second += '\n';
    same->second += value;
  }
}

std::unique_ptr<RDKit::RWMol> ParseOnly(std::string_view mol_block, uint64_t line) {
  constexpr bool kSanitize = false;
  constexpr bool kRemoveHs = false;
  std::istringstream stream{std::string(mol_block)};
  auto lines_before = static_cast<unsigned>(line - 1);
  return std::unique_ptr<RDKit::RWMol>(RDKit::MolDataStreamToMol(stream, lines_before, kSanitize, kRemoveHs));
}

// Throws what RDKit throws.
absl::StatusOr<SdfMolecule> Parse(std::string_view mol_block, uint64_t line, const MoleculeScheme& scheme) {
  const auto lock = RdkitAccess::Shared();
  const std::unique_ptr<RDKit::RWMol> molecule = ParseOnly(mol_block, line);
  if (molecule == nullptr) return absl::InvalidArgumentError("the connection table is empty");
  if (const absl::Status status = SanitizeMolecule(*molecule, scheme); !status.ok()) return status;
  if (molecule->getNumAtoms() > kWrittenAtomsMax) return SdfMolecule{GraphOfMolecule(*molecule, scheme), ""};
  if (molecule->getNumConformers() > 0) RDKit::MolOps::detectBondStereochemistry(*molecule);
  RDKit::SmilesWriteParams params;
  params.canonical = false;
  std::string smiles = RDKit::MolToSmiles(*molecule, params);
  const auto order =
      molecule->getProp<std::vector<unsigned>>(RDKit::common_properties::_smilesAtomOutputOrder);
  return SdfMolecule{GraphOfMolecule(*molecule, scheme, order), std::move(smiles)};
}

}  // namespace

SdfParts SplitSdfRecord(std::string_view text) {
  SdfParts parts;
  std::string_view rest = text;
  parts.title = TrimmedText(TakeLine(rest).value_or(""));
  parts.mol_block = text;
  // Properties of a record that lacks its "M  END" are found all the same; the table is then the reader's to
  // judge.
  while (const std::optional<std::string_view> line = TakeLine(rest)) {
    if (line->starts_with("M  END")) {
      parts.mol_block = text.substr(0, text.size() - rest.size());
      break;
    }
  }
  while (const std::optional<std::string_view> header = TakeLine(rest)) {
    if (!header->starts_with('>')) continue;
    std::string value;
    while (const std::optional<std::string_view> line = TakeLine(rest)) {
      if (TrimmedText(*line).empty()) break;
      if (!value.empty()) value += '\n';
      value += *line;
    }
    AddProperty(PropertyName(*header), std::move(value), parts);
  }
  return parts;
}

absl::StatusOr<SdfMolecule> MoleculeFromMolBlock(std::string_view mol_block, uint64_t line,
                                                 const MoleculeScheme& scheme) {
  // RDKit throws FileParseException, MolSanitizeException, Invariant and what the standard library throws.
  try {
    return Parse(mol_block, line, scheme);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(RdkitReason(error.what()));
  }
}

}  // namespace kindred::formats
