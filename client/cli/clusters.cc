// kindred clusters: the connected groups of similar graphs, each with the graph that stands for it.

#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/interrupt.h"
#include "client/cli/output.h"
#include "client/cli/pair_flags.h"
#include "client/cli/pairs_text.h"
#include "client/cli/progress.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct ClustersFlags {
  PairFlags pairs;
  uint32_t size_min = 2;
};

absl::StatusOr<ExitCode> RunClusters(const Session& session, const ClustersFlags& flags) {
  v1::ClustersRequest request;
  KINDRED_ASSIGN_OR_RETURN(*request.mutable_pairs(), ToRequest(flags.pairs));
  request.set_size_min(flags.size_min);
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(Output output, Output::Open(flags.pairs.output, session.out()));
  ClustersText text(session.options.json, WantsColour(session.out()) && output.is_standard());
  Progress progress(session.err(),
                    IsTerminal(session.err()) && !(output.is_standard() && IsTerminal(session.out())),
                    "graphs");
  v1::ClustersResponse last;
  const InterruptScope interrupt;
  const absl::Status status = client->Clusters(request, [&](const v1::ClustersResponse& message) {
    if (interrupt.interrupted()) {
      return absl::CancelledError();
    }
    KINDRED_RETURN_IF_ERROR(output.Write(text.Lines(message)));
    progress.Update(message.graphs_done(),
                    fmt::format("of {}, {} clusters", message.graphs(), text.clusters()));
    if (message.has_stats()) {
      last = message;
    }
    return absl::OkStatus();
  });
  if (interrupt.interrupted()) {
    progress.Clear();
    session.Say("interrupted: these are not all clusters");
    return ExitCode::kInterrupted;
  }
  KINDRED_RETURN_IF_ERROR(status);
  if (!last.has_stats()) {
    return DataLoss("the daemon ended the clusters before their end");
  }
  progress.Clear();
  KINDRED_RETURN_IF_ERROR(output.Write(text.End(last)));
  KINDRED_RETURN_IF_ERROR(output.Close());
  return ExitCode::kOk;
}

}  // namespace

Command AddClusters(CLI::App& parent) {
  const auto flags = std::make_shared<ClustersFlags>();
  CLI::App& app = *parent.add_subcommand("clusters", "groups of graphs that similar pairs connect");
  AddPairFlags(app, flags->pairs);
  app.add_option("--size-min", flags->size_min,
                 "only groups of at least so many graphs; 1 lists those that stand alone, too")
      ->type_name("N")
      ->check([](const std::string& text) {
        uint32_t size = 0;
        const bool fine = CLI::detail::lexical_cast(text, size) && size > 0;
        return fine ? std::string() : "\"" + text + "\" is not a number from 1 up";
      })
      ->capture_default_str();
  app.footer(
      "The largest group comes first. The representative is the medoid: the graph that is most similar to "
      "all others\n"
      "of its group. The whole has no time limit unless --timeout is given.");
  return {&app, [flags](Session& session) { return RunClusters(session, *flags); }};
}

}  // namespace kindred::cli
