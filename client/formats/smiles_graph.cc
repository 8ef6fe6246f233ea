#include "client/formats/smiles_graph.h"

#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "client/formats/graph_builder.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

// RDKit throws when it cannot sanitize a molecule, but of a SMILES that it cannot parse it says why only in
// its log, of which there is one a process (and none until someone makes it: RDKit is silent here). So that
// SMILES is parsed once more with a log of its own, while nobody else parses.
class ParserAccess {
 public:
  static std::shared_lock<std::shared_mutex> Shared() {
    const std::lock_guard queue(queue_);
    return std::shared_lock(log_);
  }

  static std::unique_lock<std::shared_mutex> Alone() {
    // Those who want to share queue up behind us, or we might never find the log unused.
    const std::lock_guard queue(queue_);
    return std::unique_lock(log_);
  }

 private:
  static inline std::mutex queue_;
  static inline std::shared_mutex log_;
};

// Null when it is not a SMILES.
std::unique_ptr<RDKit::RWMol> ParseOnly(const std::string& smiles) {
  RDKit::SmilesParserParams params;
  params.sanitize = false;
  params.removeHs = false;
  params.allowCXSMILES = false;
  params.parseName = false;
  return std::unique_ptr<RDKit::RWMol>(RDKit::SmilesToMol(smiles, params));
}

// What SmilesToMol does with its default parameters, but for the stereochemistry.
void Sanitize(RDKit::RWMol& molecule) {
  constexpr bool kImplicitOnly = false;
  constexpr bool kUpdateExplicitCount = true;
  constexpr bool kSanitize = true;
  RDKit::MolOps::removeHs(molecule, kImplicitOnly, kUpdateExplicitCount, kSanitize);
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

// RDKit's log of errors while it lives.
class ErrorLog {
 public:
  ErrorLog() : before_(std::exchange(rdErrorLog, std::make_shared<boost::logging::rdLogger>(&text_))) {}
  ~ErrorLog() { rdErrorLog = before_; }
  ErrorLog(const ErrorLog&) = delete;
  ErrorLog& operator=(const ErrorLog&) = delete;

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  const RDLogger before_;
};

std::string WhyNotParsed(const std::string& smiles) {
  const auto lock = ParserAccess::Alone();
  const ErrorLog log;
  ParseOnly(smiles);
  return ReasonInLog(log.text());
}

// RDKit lists every atom concerned, some of its messages in several lines.
std::string OneLine(std::string text) {
  constexpr size_t kReasonBytesMax = 200;
  if (text.size() > kReasonBytesMax) text = text.substr(0, kReasonBytesMax) + "...";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

std::unique_ptr<RDKit::RWMol> ParseAndSanitize(const std::string& smiles) {
  const auto lock = ParserAccess::Shared();
  std::unique_ptr<RDKit::RWMol> molecule = ParseOnly(smiles);
  if (molecule != nullptr) Sanitize(*molecule);
  return molecule;
}

absl::StatusOr<std::unique_ptr<RDKit::RWMol>> ParseMolecule(const std::string& smiles) {
  // RDKit throws SmilesParseException, MolSanitizeException, Invariant and what the standard library throws.
  try {
    std::unique_ptr<RDKit::RWMol> molecule = ParseAndSanitize(smiles);
    if (molecule == nullptr) return absl::InvalidArgumentError(WhyNotParsed(smiles));
    return molecule;
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(OneLine(error.what()));
  }
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

}  // namespace

absl::StatusOr<v1::Graph> GraphFromSmiles(std::string_view smiles, bool edge_labels) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = smiles.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return absl::InvalidArgumentError("the SMILES is empty");
  smiles = smiles.substr(begin, smiles.find_last_not_of(kBlank) - begin + 1);
  if (const absl::Status check = CheckText(smiles); !check.ok()) return check;

  const absl::StatusOr<std::unique_ptr<RDKit::RWMol>> molecule = ParseMolecule(std::string(smiles));
  if (!molecule.ok()) return molecule.status();
  if ((*molecule)->getNumAtoms() == 0) return absl::InvalidArgumentError("the molecule has no atoms");

  GraphBuilder graph;
  for (const RDKit::Atom* atom : (*molecule)->atoms()) graph.AddVertex(atom->getSymbol());
  for (const RDKit::Bond* bond : (*molecule)->bonds()) {
    graph.AddEdge(bond->getBeginAtomIdx(), bond->getEndAtomIdx(),
                  edge_labels ? BondLabel(bond->getBondType()) : std::string_view());
  }
  return std::move(graph).Take();
}

}  // namespace kindred::formats
