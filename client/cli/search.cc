// kindred search: the nearest graphs of a molecule, of a stored graph, or of each graph of a file.

#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/hit_flags.h"
#include "client/cli/level_flags.h"
#include "client/cli/read_flags.h"
#include "client/cli/rejection_log.h"
#include "client/cli/search_picture.h"
#include "client/cli/search_printer.h"
#include "client/cli/search_text.h"
#include "client/cli/session.h"
#include "client/formats/smiles_graph.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct SearchFlags {
  std::string smiles;
  std::string id;
  std::string file;
  ReadFlags read;
  uint32_t k = 10;
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  std::optional<double> min_similarity;
  LevelFlags levels;
  v1::SearchMode mode = v1::SEARCH_MODE_PRUNED;
  uint64_t min_sequence = 0;
  uint32_t threads = 1;
  FilterFlags filter;
  PageFlags page;
  Fields fields = Fields::kDefault;
  std::string svg;
};

// Everything but the query.
absl::StatusOr<v1::SearchRequest> ToRequest(const SearchFlags& flags, bool json) {
  v1::SearchRequest request;
  request.set_k(flags.k);
  request.set_measure(flags.measure);
  if (flags.min_similarity.has_value()) {
    request.set_min_similarity(*flags.min_similarity);
  }
  KINDRED_RETURN_IF_ERROR(SetLevels(flags.levels, request));
  request.set_mode(flags.mode);
  request.set_min_sequence(flags.min_sequence);
  request.set_threads(flags.threads);
  SetFilter(flags.filter, request);
  SetFields(flags.fields, json, request);
  if (!flags.page.after.empty()) {
    auto after = ParseHit(flags.page.after);
    if (!after.ok()) {
      return Annotate(after.status(), "--after: ");
    }
    *request.mutable_after() = *std::move(after);
  }
  return request;
}

// The daemon's complaint about this very graph; any other would meet the next one as well.
bool IsAboutGraph(const absl::Status& status) {
  const std::string message(status.message());
  return message.starts_with("graph.") || message.starts_with("molecule_scheme:");
}

// False when some graphs of the file could not be searched for; each is reported. Reading the file, searching
// and printing run at the same time; what is printed keeps the order of the file.
absl::StatusOr<bool> SearchFile(const Session& session, client::Client& client, v1::SearchRequest request,
                                const SearchFlags& flags, const formats::ReadOptions& options) {
  KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(flags.file, options));
  SearchPrinter printer(session, client, request);
  // Touched by the stream's thread, and by this one only when nothing is under way.
  bool all = true;
  const auto report = [&](uint64_t position, const std::string& id, const absl::Status& status) {
    all = false;
    session.Say(ToLine({flags.file, position, id, status}));
  };
  const auto stream = client.SearchMany();
  while (auto result = reader->Next()) {
    if (!result->record.ok()) {
      KINDRED_RETURN_IF_ERROR(stream->Settle());
      report(result->position, result->id, result->record.status());
      continue;
    }
    *request.mutable_graph() = std::move(*result->record->mutable_graph());
    request.set_molecule_scheme(result->record->molecule_scheme());
    KINDRED_RETURN_IF_ERROR(stream->Ask(request, [&, position = result->position, id = result->id](
                                                     const absl::StatusOr<v1::SearchResponse>& answer) {
      if (answer.ok()) {
        return printer.Print(id, *answer);
      }
      if (!IsAboutGraph(answer.status())) {
        return answer.status();
      }
      report(position, id, answer.status());
      return absl::OkStatus();
    }));
  }
  KINDRED_RETURN_IF_ERROR(stream->Finish());
  return all;
}

// This page, found by going through those before it; without hits if they end before.
absl::StatusOr<v1::SearchResponse> SearchPage(client::Client& client, v1::SearchRequest request,
                                              uint32_t page) {
  v1::SearchRequest before = request;
  before.clear_with_payload();
  before.clear_with_tags();
  for (; page > 1; --page) {
    KINDRED_ASSIGN_OR_RETURN(v1::SearchResponse response, client.Search(before));
    if (static_cast<uint32_t>(response.hits_size()) < request.k()) {
      response.clear_hits();
      return response;
    }
    *before.mutable_after() = response.hits(response.hits_size() - 1);
    *request.mutable_after() = before.after();
  }
  return client.Search(request);
}

absl::StatusOr<ExitCode> SearchOnce(const Session& session, client::Client& client,
                                    const v1::SearchRequest& request, const std::string& name,
                                    const SearchFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(const v1::SearchResponse response, SearchPage(client, request, flags.page.page));
  if (flags.svg != "-") {
    const uint64_t first_rank = uint64_t{flags.page.page - 1} * request.k() + 1;
    KINDRED_RETURN_IF_ERROR(SearchPrinter(session, client, request, first_rank).Print(name, response));
  }
  return flags.svg.empty() ? ExitCode::kOk : DrawSearch(session, client, request, name, response, flags.svg);
}

absl::StatusOr<ExitCode> RunSearch(const Session& session, const SearchFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::SearchRequest request, ToRequest(flags, session.options.json));
  if (!flags.svg.empty()) {
    KINDRED_RETURN_IF_ERROR(CheckDrawable(request));
  }
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  if (!flags.id.empty()) {
    request.set_id(flags.id);
    return SearchOnce(session, *client, request, flags.id, flags);
  }
  KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client->Stats());
  KINDRED_ASSIGN_OR_RETURN(const formats::ReadOptions options,
                           ReadOptionsFor(flags.read, stats.molecule_scheme()));
  if (!flags.file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const bool all,
                             SearchFile(session, *client, std::move(request), flags, options));
    return all ? ExitCode::kOk : ExitCode::kPartly;
  }
  auto graph = formats::GraphFromSmiles(flags.smiles, options.molecules);
  if (!graph.ok()) {
    return Annotate(graph.status(), "--smiles: ");
  }
  *request.mutable_graph() = *std::move(graph);
  request.set_molecule_scheme(formats::ToText(options.molecules));
  return SearchOnce(session, *client, request, flags.smiles, flags);
}

std::string CheckCount(const std::string& text) {
  uint32_t count = 0;
  const bool fine = CLI::detail::lexical_cast(text, count) && count > 0;
  return fine ? std::string() : "\"" + text + "\" is not a number from 1 up";
}

void AddQueryFlags(CLI::App& app, SearchFlags& flags) {
  CLI::App& query = *app.add_option_group("Query", "one of these");
  const auto not_empty = [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); };
  query.add_option("--smiles", flags.smiles, "a molecule")->type_name("SMILES")->check(not_empty);
  query.add_option("--id", flags.id, "a stored graph")->type_name("ID")->check(not_empty);
  CLI::Option* const file =
      query.add_option("--file", flags.file, "each graph of a file; - is standard input");
  file->type_name("FILE")->check(not_empty);
  query.require_option(1);
  app.add_option("--svg", flags.svg,
                 "also draw the query and its neighbours (molecules) into a file; - draws instead of a table")
      ->type_name("FILE")
      ->check(not_empty)
      ->excludes(file);
  AddPageFlags(app, flags.page, file);
  AddReadFlags(app, flags.read);
}

}  // namespace

Command AddSearch(CLI::App& parent) {
  const auto flags = std::make_shared<SearchFlags>();
  CLI::App& app = *parent.add_subcommand("search", "nearest graphs, exactly");
  AddQueryFlags(app, *flags);
  app.add_option("-k", flags->k, "how many")->type_name("K")->check(CheckCount)->capture_default_str();
  AddChoice<v1::Measure>(app, "--measure", flags->measure, MeasureChoices(), "what similar means");
  app.add_option("--min-similarity", flags->min_similarity, "only those at least this similar")
      ->type_name("X");
  AddFilterFlags(app, flags->filter);
  AddFields(app, flags->fields);
  AddLevelFlags(app, flags->levels);
  AddChoice<v1::SearchMode>(
      app, "--mode", flags->mode,
      {{"pruned", v1::SEARCH_MODE_PRUNED}, {"exhaustive", v1::SEARCH_MODE_EXHAUSTIVE}},
      "from the lists in memory, or by reading everything stored: the same answer, slowly");
  app.add_option("--min-sequence", flags->min_sequence, "fail unless the index has at least this commit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--threads", flags->threads,
                 "threads of the daemon for one search; the graphs of a file keep all of them busy anyway")
      ->type_name("N")
      ->check(CheckCount)
      ->capture_default_str();
  app.footer(
      "Exit code 3: some graphs of the file could not be searched for, or some hits not drawn; they are "
      "reported.");
  return {&app, [flags](Session& session) { return RunSearch(session, *flags); }};
}

}  // namespace kindred::cli
