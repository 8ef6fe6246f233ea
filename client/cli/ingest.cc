// kindred ingest: streams the records of files into the daemon.

#include <memory>

#include "CLI/CLI.hpp"
#include "client/cli/commands.h"
#include "client/cli/ingestion.h"
#include "client/cli/session.h"

namespace kindred::cli {

Command AddIngest(CLI::App& parent) {
  const auto flags = std::make_shared<IngestFlags>();
  CLI::App& app = *parent.add_subcommand("ingest", "stream graphs in");
  AddIngestFlags(app, *flags);
  app.footer(
      "The summary counts what was read, stored (new ones and replaced ones), replaced and rejected.\n"
      "A lost connection is taken up again behind what is durable: nothing is lost or stored twice.\n"
      "Ctrl-C stops reading, waits for what is under way and prints the summary; twice ends at once.\n"
      "The whole has no time limit unless --timeout is given.");
  return {&app, [flags](Session& session) { return Ingestion(session, *flags).Run(); }};
}

}  // namespace kindred::cli
