// kindred search: the nearest graphs of a molecule, of a stored graph, or of each graph of a file.

#include <memory>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/read_flags.h"
#include "client/cli/rejection_log.h"
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
  formats::ReadOptions read;
  uint32_t k = 10;
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  std::optional<double> min_similarity;
  std::optional<uint32_t> depth;
  std::string weights;
  v1::SearchMode mode = v1::SEARCH_MODE_PRUNED;
  uint64_t min_sequence = 0;
  uint32_t threads = 1;
};

// Everything but the query.
absl::StatusOr<v1::SearchRequest> ToRequest(const SearchFlags& flags) {
  v1::SearchRequest request;
  request.set_k(flags.k);
  request.set_measure(flags.measure);
  if (flags.min_similarity.has_value()) {
    request.set_min_similarity(*flags.min_similarity);
  }
  if (flags.depth.has_value()) {
    request.set_depth(*flags.depth);
  }
  if (!flags.weights.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const std::vector<double> weights, ParseWeights(flags.weights));
    request.mutable_weights()->Assign(weights.begin(), weights.end());
  }
  request.set_mode(flags.mode);
  request.set_min_sequence(flags.min_sequence);
  request.set_threads(flags.threads);
  return request;
}

// The daemon's complaint about this very graph; any other would meet the next one as well.
bool IsAboutGraph(const absl::Status& status) { return std::string(status.message()).starts_with("graph."); }

// False when some graphs of the file could not be searched for; each is reported. Reading the file, searching
// and printing run at the same time; what is printed keeps the order of the file.
absl::StatusOr<bool> SearchFile(const Session& session, client::Client& client, v1::SearchRequest request,
                                const SearchFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(flags.file, flags.read));
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

absl::Status SearchOnce(const Session& session, client::Client& client, const v1::SearchRequest& request,
                        const std::string& name) {
  KINDRED_ASSIGN_OR_RETURN(const v1::SearchResponse response, client.Search(request));
  return SearchPrinter(session, client, request).Print(name, response);
}

absl::StatusOr<ExitCode> RunSearch(const Session& session, const SearchFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::SearchRequest request, ToRequest(flags));
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  if (!flags.file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const bool all, SearchFile(session, *client, std::move(request), flags));
    return all ? ExitCode::kOk : ExitCode::kPartly;
  }
  if (!flags.id.empty()) {
    request.set_id(flags.id);
    KINDRED_RETURN_IF_ERROR(SearchOnce(session, *client, request, flags.id));
    return ExitCode::kOk;
  }
  auto graph = formats::GraphFromSmiles(flags.smiles, flags.read.edge_labels);
  if (!graph.ok()) {
    return Annotate(graph.status(), "--smiles: ");
  }
  *request.mutable_graph() = *std::move(graph);
  KINDRED_RETURN_IF_ERROR(SearchOnce(session, *client, request, flags.smiles));
  return ExitCode::kOk;
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
  query.add_option("--file", flags.file, "each graph of a file; - is standard input")
      ->type_name("FILE")
      ->check(not_empty);
  query.require_option(1);
  AddFormatFlag(app, flags.read);
  AddEdgeLabelsFlag(app, flags.read);
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
  app.add_option("--depth", flags->depth, "levels 0 to D count (default: all the index has)")->type_name("D");
  app.add_option("--weights", flags->weights, "a weight for each level (default: 1 each)")
      ->type_name("W0,W1,..")
      ->check([](const std::string& text) {
        const auto weights = ParseWeights(text);
        return weights.ok() ? std::string() : std::string(weights.status().message());
      });
  AddChoice<v1::SearchMode>(
      app, "--mode", flags->mode,
      {{"pruned", v1::SEARCH_MODE_PRUNED}, {"exhaustive", v1::SEARCH_MODE_EXHAUSTIVE}},
      "from the lists in memory, or by reading everything stored: the same answer, slowly");
  app.add_option("--min-sequence", flags->min_sequence, "fail unless the index has at least this commit")
      ->type_name("N");
  app.add_option("--threads", flags->threads,
                 "threads of the daemon for one search; the graphs of a file keep all of them busy anyway")
      ->type_name("N")
      ->check(CheckCount)
      ->capture_default_str();
  app.footer("Exit code 3: some graphs of the file could not be searched for; they are reported.");
  return {&app, [flags](Session& session) { return RunSearch(session, *flags); }};
}

}  // namespace kindred::cli
