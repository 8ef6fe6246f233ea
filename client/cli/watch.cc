// kindred watch: standing queries; prints newly stored graphs that are close enough, as they arrive.

#include <memory>
#include <optional>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/hit_flags.h"
#include "client/cli/interrupt.h"
#include "client/cli/level_flags.h"
#include "client/cli/read_flags.h"
#include "client/cli/record_run.h"
#include "client/cli/rejection_log.h"
#include "client/cli/search_text.h"
#include "client/cli/session.h"
#include "client/cli/watch_printer.h"
#include "client/formats/smiles_graph.h"
#include "index/base/limits.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct WatchFlags {
  std::string smiles;
  std::string id;
  std::string file;
  ReadFlags read;
  double min_similarity = 0;
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  LevelFlags levels;
  std::string filter;
  std::optional<uint64_t> after;
  bool once = false;
  Fields fields = Fields::kDefault;
};

// Everything but the queries.
absl::StatusOr<v1::WatchRequest> ToRequest(const WatchFlags& flags, bool json) {
  v1::WatchRequest request;
  request.set_measure(flags.measure);
  KINDRED_RETURN_IF_ERROR(SetLevels(flags.levels, request));
  request.set_filter(flags.filter);
  if (flags.after.has_value()) {
    request.set_after_sequence(*flags.after);
  }
  SetFields(flags.fields, json, request);
  return request;
}

v1::GraphOrId& AddQuery(const std::string& name, const WatchFlags& flags, v1::WatchRequest& request) {
  v1::WatchRequest::Query& query = *request.add_queries();
  query.set_name(name.size() <= kExternalIdBytesMax ? name : "query");
  query.set_min_similarity(flags.min_similarity);
  return *query.mutable_graph();
}

// False when some graphs of the file are none; each is reported.
absl::StatusOr<bool> AddFile(const Session& session, const WatchFlags& flags,
                             const formats::ReadOptions& options, v1::WatchRequest& request) {
  KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(flags.file, options));
  bool all = true;
  while (auto result = reader->Next()) {
    if (!result->record.ok()) {
      all = false;
      session.Say(ToLine({flags.file, result->position, result->id, result->record.status()}));
      continue;
    }
    *AddQuery(result->record->id(), flags, request).mutable_graph() =
        std::move(*result->record->mutable_graph());
    if (!result->record->molecule_scheme().empty()) {
      request.set_molecule_scheme(result->record->molecule_scheme());
    }
  }
  return all;
}

// False as AddFile.
absl::StatusOr<bool> AddQueries(const Session& session, client::Client& client, const WatchFlags& flags,
                                v1::WatchRequest& request) {
  if (!flags.id.empty()) {
    AddQuery(flags.id, flags, request).set_id(flags.id);
    return true;
  }
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client.Stats());
  KINDRED_ASSIGN_OR_RETURN(const formats::ReadOptions options,
                           ReadOptionsFor(flags.read, stats.molecule_scheme()));
  if (!flags.file.empty()) {
    return AddFile(session, flags, options, request);
  }
  auto graph = formats::GraphFromSmiles(flags.smiles, options.molecules);
  if (!graph.ok()) {
    return Annotate(graph.status(), "--smiles: ");
  }
  *AddQuery(flags.smiles, flags, request).mutable_graph() = *std::move(graph);
  request.set_molecule_scheme(formats::ToText(options.molecules));
  return true;
}

void TellOfConnection(const Session& session, const client::WatchConnectionChange& change) {
  if (change.attempt == 1) {
    session.Say(fmt::format("lost the daemon at {}, and tries to get it back ({})", session.options.server,
                            std::string(change.reason.message())));
  } else if (change.attempt == 0) {
    session.Say(fmt::format("the daemon is back; going on behind sequence {}", change.position));
  }
}

// Until Ctrl-C, or with --once until everything stored so far is told.
absl::Status Follow(const Session& session, const WatchFlags& flags, const InterruptScope& interrupt,
                    client::WatchStream& watch) {
  WatchPrinter printer(session);
  bool caught_up = false;
  while (!interrupt.interrupted() && !(flags.once && caught_up)) {
    KINDRED_ASSIGN_OR_RETURN(const auto message, watch.Next(kTick));
    if (message.has_value()) {
      KINDRED_RETURN_IF_ERROR(printer.Print(*message));
      caught_up = message->behind() == 0;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> RunWatch(const Session& session, const WatchFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::WatchRequest request, ToRequest(flags, session.options.json));
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  KINDRED_ASSIGN_OR_RETURN(const bool all, AddQueries(session, *client, flags, request));
  client::WatchOptions options;
  options.on_connection = [&](const client::WatchConnectionChange& change) {
    TellOfConnection(session, change);
  };
  // From before the watch begins: whoever sees its first match may press Ctrl-C at once.
  const InterruptScope interrupt;
  KINDRED_ASSIGN_OR_RETURN(const auto watch, client->Watch(std::move(request), options));
  const absl::Status status = Follow(session, flags, interrupt, *watch);
  if (!IsReaderGone(status)) {
    session.Say(fmt::format("told everything up to sequence {}; --after {} goes on from there",
                            watch->position(), watch->position()));
  }
  KINDRED_RETURN_IF_ERROR(status);
  return all ? ExitCode::kOk : ExitCode::kPartly;
}

void AddQueryFlags(CLI::App& app, WatchFlags& flags) {
  CLI::App& query = *app.add_option_group("Query", "one of these");
  const auto not_empty = [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); };
  query.add_option("--smiles", flags.smiles, "a molecule")->type_name("SMILES")->check(not_empty);
  query.add_option("--id", flags.id, "a graph that is stored now")->type_name("ID")->check(not_empty);
  query.add_option("--file", flags.file, "each graph of a file, by its id; - is standard input")
      ->type_name("FILE")
      ->check(not_empty);
  query.require_option(1);
  AddReadFlags(app, flags.read);
}

}  // namespace

Command AddWatch(CLI::App& parent) {
  const auto flags = std::make_shared<WatchFlags>();
  CLI::App& app = *parent.add_subcommand("watch", "tell of similar graphs as they are stored");
  AddQueryFlags(app, *flags);
  app.add_option("--min-similarity", flags->min_similarity, "tell of graphs at least this similar")
      ->type_name("X")
      ->required();
  AddChoice<v1::Measure>(app, "--measure", flags->measure, MeasureChoices(), "what similar means");
  AddLevelFlags(app, flags->levels);
  app.add_option("--filter", flags->filter, "only graphs whose tags match")->type_name("FILTER");
  app.add_option("--after", flags->after,
                 "begin behind this commit, 0 for everything stored (default: with what comes now)")
      ->type_name("SEQ")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--once", flags->once, "end when everything stored so far is told");
  AddFields(app, flags->fields);
  app.footer(
      "Runs until Ctrl-C, which is a good end (exit code 0); reconnects by itself. What it says last is "
      "where\n"
      "to go on: --after SEQ. The whole has no time limit unless --timeout is given. Exit code 3: some "
      "graphs\n"
      "of the file could not be watched for; they are reported.");
  return {&app, [flags](Session& session) { return RunWatch(session, *flags); }};
}

}  // namespace kindred::cli
