// kindred verify: audits everything the daemon stores and keeps in memory.

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/json.h"
#include "client/cli/output.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "client/cli/text.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

Json ToJson(const v1::VerifyResponse& report) {
  Json findings = Json::array();
  for (const v1::VerifyFinding& finding : report.findings()) {
    findings.push_back({{"family", finding.family()},
                        {"key", Printable(finding.key())},
                        {"what", Printable(finding.what())}});
  }
  return {{"sequence", report.sequence()},
          {"graphs", report.graphs_checked()},
          {"listed", report.graphs_listed()},
          {"colours", report.colours()},
          {"labels", report.labels()},
          {"finding_count", report.finding_count()},
          {"findings", findings}};
}

std::string ToText(const v1::VerifyResponse& report) {
  std::string text;
  for (const v1::VerifyFinding& finding : report.findings()) {
    text += fmt::format("{} {}: {}\n", finding.family(), Printable(finding.key()), Printable(finding.what()));
  }
  return text + fmt::format("verified {} graphs, {} colours, {} labels at sequence {}: {} findings\n",
                            report.graphs_checked(), report.colours(), report.labels(), report.sequence(),
                            report.finding_count());
}

absl::StatusOr<ExitCode> RunVerify(const Session& session) {
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  Progress progress(session.err(), IsTerminal(session.err()), "graphs");
  v1::VerifyResponse last;
  KINDRED_RETURN_IF_ERROR(client->Verify([&](v1::VerifyResponse message) {
    progress.Update(message.graphs_checked());
    last = std::move(message);
    return absl::OkStatus();
  }));
  if (!last.done()) {
    return DataLoss("the daemon ended the audit before its end");
  }
  KINDRED_RETURN_IF_ERROR(
      Output(session.out()).Write(session.options.json ? JsonLine(ToJson(last)) : ToText(last)));
  return last.finding_count() == 0 ? ExitCode::kOk : ExitCode::kFailed;
}

}  // namespace

Command AddVerify(CLI::App& parent) {
  CLI::App& app = *parent.add_subcommand("verify", "audit everything the daemon stores");
  app.footer("Exits 1 when something is wrong. The whole has no time limit unless --timeout is given.");
  return {&app, RunVerify};
}

}  // namespace kindred::cli
