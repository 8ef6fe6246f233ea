// kindred explain: which vertex of one graph goes to which of another, and to what depth they agree.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/explain_text.h"
#include "client/cli/level_flags.h"
#include "client/cli/output.h"
#include "client/cli/read_flags.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "client/cli/text.h"
#include "client/drawing/assignment_picture.h"
#include "client/formats/smiles_graph.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct ExplainFlags {
  std::vector<std::string> ids;
  std::vector<std::string> smiles;
  ReadFlags read;
  LevelFlags levels;
  uint64_t min_sequence = 0;
  std::string svg;
};

// One of the two, as it was written.
struct Asked {
  std::string name;
  bool is_smiles = false;
};

// Ids and SMILES in the order of the command line: A is what was written first.
std::vector<Asked> InOrder(const CLI::App& app, const ExplainFlags& flags) {
  std::vector<Asked> asked;
  size_t ids = 0;
  size_t smiles = 0;
  for (const CLI::Option* const option : app.parse_order()) {
    if (option->get_name() == "ID" && ids < flags.ids.size()) {
      asked.push_back({flags.ids[ids++], false});
    } else if (option->get_name() == "--smiles" && smiles < flags.smiles.size()) {
      asked.push_back({flags.smiles[smiles++], true});
    }
  }
  return asked;
}

absl::StatusOr<v1::GraphOrId> ToMessage(const Asked& asked, const formats::MoleculeScheme& scheme) {
  v1::GraphOrId message;
  if (!asked.is_smiles) {
    message.set_id(asked.name);
    return message;
  }
  auto graph = formats::GraphFromSmiles(asked.name, scheme);
  if (!graph.ok()) {
    return Annotate(graph.status(), fmt::format("--smiles {}: ", asked.name));
  }
  *message.mutable_graph() = *std::move(graph);
  return message;
}

absl::Status Print(const Session& session, const Asked& a, const Asked& b,
                   const v1::ExplainResponse& answer) {
  Output output(session.out());
  KINDRED_RETURN_IF_ERROR(
      output.Write(session.options.json ? ExplainJsonLine(a.name, b.name, answer)
                                        : ExplainText(a.name, b.name, answer, WantsColour(session.out()))));
  return output.Flush();
}

absl::Status Draw(const Session& session, const Asked& a, const Asked& b, const v1::ExplainResponse& answer,
                  const std::string& path) {
  KINDRED_ASSIGN_OR_RETURN(const std::string svg,
                           drawing::DrawAssignment(Printable(a.name), Printable(b.name), answer));
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(path, session.out()));
  KINDRED_RETURN_IF_ERROR(output.Write(svg));
  return output.Close();
}

absl::StatusOr<ExitCode> RunExplain(const Session& session, const CLI::App& app, const ExplainFlags& flags) {
  const std::vector<Asked> asked = InOrder(app, flags);
  if (asked.size() != 2) {
    session.Say(fmt::format(
        "explain takes two graphs, ids or --smiles, not {}; run \"kindred explain --help\"", asked.size()));
    return ExitCode::kUsage;
  }
  const Asked& a = asked[0];
  const Asked& b = asked[1];
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  formats::MoleculeScheme scheme;  // As the index has it.
  if (!flags.smiles.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client->Stats());
    KINDRED_ASSIGN_OR_RETURN(const formats::ReadOptions options,
                             ReadOptionsFor(flags.read, stats.molecule_scheme()));
    scheme = options.molecules;
  }
  v1::ExplainRequest request;
  KINDRED_ASSIGN_OR_RETURN(*request.mutable_a(), ToMessage(a, scheme));
  KINDRED_ASSIGN_OR_RETURN(*request.mutable_b(), ToMessage(b, scheme));
  KINDRED_RETURN_IF_ERROR(SetLevels(flags.levels, request));
  request.set_min_sequence(flags.min_sequence);
  request.set_with_graphs(true);
  KINDRED_ASSIGN_OR_RETURN(const v1::ExplainResponse answer, client->Explain(request));
  KINDRED_RETURN_IF_ERROR(CheckExplanation(answer));
  if (flags.svg != "-") {
    KINDRED_RETURN_IF_ERROR(Print(session, a, b, answer));
  }
  if (!flags.svg.empty()) {
    KINDRED_RETURN_IF_ERROR(Draw(session, a, b, answer, flags.svg));
  }
  return ExitCode::kOk;
}

}  // namespace

Command AddExplain(CLI::App& parent) {
  const auto flags = std::make_shared<ExplainFlags>();
  CLI::App& app = *parent.add_subcommand("explain", "why two graphs are alike, vertex by vertex");
  app.add_option("ID", flags->ids, "stored graphs; after -- also such as start with a dash")->type_name("");
  app.add_option("--smiles", flags->smiles, "a molecule instead of an id; may stand twice")
      ->type_name("SMILES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);  // The word behind it may be an id.
  AddReadFlags(app, flags->read);
  AddLevelFlags(app, flags->levels);
  app.add_option("--min-sequence", flags->min_sequence, "fail unless the index has at least this commit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--svg", flags->svg,
                 "also draw both (molecules) into a file, coloured by depth; - draws instead of a table")
      ->type_name("FILE")
      ->check([](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); });
  app.footer(
      "Two graphs in all, ids and molecules in any mixture: A is the first. A vertex and its partner agree "
      "to\n"
      "depth d when their neighbourhoods up to d edges away look alike; 0: their labels are equal.");
  return {&app, [flags, &app](Session& session) { return RunExplain(session, app, *flags); }};
}

}  // namespace kindred::cli
