// kindred search: the nearest graphs of a molecule, of a stored graph, or of each graph of a file.

#include <memory>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/output.h"
#include "client/cli/read_flags.h"
#include "client/cli/record_text.h"
#include "client/cli/rejection_log.h"
#include "client/cli/search_text.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
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
  return request;
}

class Searcher {
 public:
  Searcher(const Session& session, std::unique_ptr<client::Client> client, v1::SearchRequest request)
      : session_(session), client_(std::move(client)), request_(std::move(request)), output_(session.out()) {}

  absl::Status SearchId(const std::string& id) {
    request_.set_id(id);
    return Search(id);
  }

  absl::Status SearchGraph(const std::string& name, v1::Graph graph) {
    *request_.mutable_graph() = std::move(graph);
    return Search(name);
  }

  // False when some graphs of the file could not be searched for; each is reported.
  absl::StatusOr<bool> SearchFile(const std::string& path, const formats::ReadOptions& options) {
    KINDRED_ASSIGN_OR_RETURN(const auto reader, formats::OpenRecords(path, options));
    bool all = true;
    while (auto result = reader->Next()) {
      absl::Status status = result->record.status();
      if (status.ok()) {
        status = SearchGraph(result->id, std::move(*result->record->mutable_graph()));
        // The daemon's complaint about this very graph; any other would meet the next one as well.
        const bool about_graph = std::string(status.message()).starts_with("graph.");
        if (!status.ok() && !about_graph) {
          return status;
        }
      }
      if (!status.ok()) {
        all = false;
        session_.Say(ToLine({path, result->position, result->id, status}));
      }
    }
    return all;
  }

 private:
  absl::Status Search(const std::string& name) {
    KINDRED_ASSIGN_OR_RETURN(const v1::SearchResponse response, client_->Search(request_));
    if (session_.options.json) {
      return output_.Write(SearchJsonLine(name, response));
    }
    if (!depth_.has_value()) {
      LearnDepth();
    }
    const std::string gap = printed_ ? "\n" : "";
    printed_ = true;
    KINDRED_RETURN_IF_ERROR(output_.Write(gap + SearchText(name, request_.measure(), *depth_, response,
                                                           Payloads(response), WantsColour(session_.out()))));
    return output_.Flush();
  }

  // The daemon uses the depth of the index unless told otherwise, and does not say so in its answer.
  void LearnDepth() {
    if (request_.has_depth()) {
      depth_ = std::to_string(request_.depth());
      return;
    }
    const auto stats = client_->Stats();
    depth_ = stats.ok() ? std::to_string(stats->depth()) : "?";
  }

  // One for each hit, empty where there is nothing short to show; none at all when they cannot be had.
  std::vector<std::string> Payloads(const v1::SearchResponse& response) {
    if (response.hits().empty()) {
      return {};
    }
    v1::GetRequest request;
    for (const v1::Hit& hit : response.hits()) {
      request.add_ids(hit.id());
    }
    const auto answer = client_->Get(request);
    if (!answer.ok() || answer->entries_size() != response.hits_size()) {
      return {};
    }
    std::vector<std::string> payloads;
    for (const v1::GetResponse::Entry& entry : answer->entries()) {
      payloads.push_back(ShortPayload(entry.record()));
    }
    return payloads;
  }

  const Session& session_;
  const std::unique_ptr<client::Client> client_;
  v1::SearchRequest request_;
  Output output_;
  std::optional<std::string> depth_;
  bool printed_ = false;
};

absl::StatusOr<ExitCode> RunSearch(const Session& session, const SearchFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::SearchRequest request, ToRequest(flags));
  KINDRED_ASSIGN_OR_RETURN(auto client, session.Connect());
  Searcher searcher(session, std::move(client), std::move(request));
  if (!flags.file.empty()) {
    KINDRED_ASSIGN_OR_RETURN(const bool all, searcher.SearchFile(flags.file, flags.read));
    return all ? ExitCode::kOk : ExitCode::kPartly;
  }
  if (!flags.id.empty()) {
    KINDRED_RETURN_IF_ERROR(searcher.SearchId(flags.id));
    return ExitCode::kOk;
  }
  auto graph = formats::GraphFromSmiles(flags.smiles, flags.read.edge_labels);
  if (!graph.ok()) {
    return Annotate(graph.status(), "--smiles: ");
  }
  KINDRED_RETURN_IF_ERROR(searcher.SearchGraph(flags.smiles, *std::move(graph)));
  return ExitCode::kOk;
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
  app.add_option("-k", flags->k, "how many")
      ->type_name("K")
      ->check([](const std::string& text) {
        uint32_t k = 0;
        const bool fine = CLI::detail::lexical_cast(text, k) && k > 0;
        return fine ? std::string() : "\"" + text + "\" is not a number of hits from 1 up";
      })
      ->capture_default_str();
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
  app.footer("Exit code 3: some graphs of the file could not be searched for; they are reported.");
  return {&app, [flags](Session& session) { return RunSearch(session, *flags); }};
}

}  // namespace kindred::cli
