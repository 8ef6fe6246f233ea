#include "client/formats/smiles_graph.h"

#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "client/formats/molecule_graph.h"
#include "client/formats/rdkit_access.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

// Null when it is not a SMILES.
std::unique_ptr<RDKit::RWMol> ParseOnly(const std::string& smiles) {
  RDKit::SmilesParserParams params;
  params.sanitize = false;
  params.removeHs = false;
  params.allowCXSMILES = false;
  params.parseName = false;
  return std::unique_ptr<RDKit::RWMol>(RDKit::SmilesToMol(smiles, params));
}

// Of "[15:18:42] SMILES Parse Error: unclosed ring for input: 'C1CC'" and further lines: "unclosed ring".
std::string ReasonInLog(std::string_view log) {
  constexpr std::string_view kBefore = "SMILES Parse Error: ";
  const size_t before = log.find(kBefore);
  if (before == std::string_view::npos) return "syntax error";
  log.remove_prefix(before + kBefore.size());
  for (const std::string_view behind : {"\n", " while parsing: ", " for input: "}) {
    log = log.substr(0, log.find(behind));
  }
  return std::string(log);
}

std::string WhyNotParsed(const std::string& smiles) {
  const auto lock = RdkitAccess::Alone();
  const RdkitErrors errors;
  ParseOnly(smiles);
  return ReasonInLog(errors.text());
}

// Nothing when it is not a SMILES. Throws what RDKit throws.
std::optional<absl::StatusOr<v1::Graph>> ParseGraph(const std::string& smiles, const MoleculeScheme& scheme) {
  const auto lock = RdkitAccess::Shared();
  const std::unique_ptr<RDKit::RWMol> molecule = ParseOnly(smiles);
  if (molecule == nullptr) return std::nullopt;
  if (const absl::Status status = SanitizeMolecule(*molecule, scheme); !status.ok()) return status;
  return GraphOfMolecule(*molecule, scheme);
}

absl::Status CheckText(std::string_view smiles) {
  if (smiles.size() > kSmilesBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("the SMILES has {} bytes; at most {}", smiles.size(), kSmilesBytesMax));
  }
  // RDKit would read up to the first NUL or line end and take that for the whole.
  for (size_t i = 0; i < smiles.size(); ++i) {
    if (static_cast<unsigned char>(smiles[i]) > ' ') continue;
    return absl::InvalidArgumentError(
        fmt::format("byte {} of the SMILES is white space or a control character", i + 1));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::Graph> GraphFromSmiles(std::string_view smiles, const MoleculeScheme& scheme) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = smiles.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return absl::InvalidArgumentError("the SMILES is empty");
  smiles = smiles.substr(begin, smiles.find_last_not_of(kBlank) - begin + 1);
  if (const absl::Status check = CheckText(smiles); !check.ok()) return check;

  const std::string text(smiles);
  // RDKit throws SmilesParseException, MolSanitizeException, Invariant and what the standard library throws.
  try {
    std::optional<absl::StatusOr<v1::Graph>> graph = ParseGraph(text, scheme);
    if (!graph.has_value()) return absl::InvalidArgumentError(WhyNotParsed(text));
    return *std::move(graph);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(RdkitReason(error.what()));
  }
}

}  // namespace kindred::formats
