// kindred recommend: the stored graphs nearest to several liked ones and away from disliked ones.

#include <memory>
#include <string>
#include <utility>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/example_flags.h"
#include "client/cli/hit_flags.h"
#include "client/cli/level_flags.h"
#include "client/cli/output.h"
#include "client/cli/read_flags.h"
#include "client/cli/recommend_text.h"
#include "client/cli/search_text.h"
#include "client/cli/session.h"
#include "client/cli/terminal.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct RecommendFlags {
  ExampleFlags examples;
  ReadFlags read;
  v1::RecommendRequest::Form form = v1::RecommendRequest::WEIGHTED_SUM;
  uint32_t k = 10;
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  LevelFlags levels;
  std::optional<double> min_score;
  FilterFlags filter;
  Fields fields = Fields::kDefault;
  v1::SearchMode mode = v1::SEARCH_MODE_PRUNED;
  uint64_t min_sequence = 0;
};

// Everything but the examples.
absl::StatusOr<v1::RecommendRequest> ToRequest(const RecommendFlags& flags, bool json) {
  v1::RecommendRequest request;
  request.set_form(flags.form);
  request.set_k(flags.k);
  request.set_measure(flags.measure);
  KINDRED_RETURN_IF_ERROR(SetLevels(flags.levels, request));
  if (flags.min_score.has_value()) {
    request.set_min_score(*flags.min_score);
  }
  SetFilter(flags.filter, request);
  SetFields(flags.fields, json, request);
  request.set_mode(flags.mode);
  request.set_min_sequence(flags.min_sequence);
  return request;
}

absl::StatusOr<ExitCode> RunRecommend(const Session& session, const RecommendFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::RecommendRequest request, ToRequest(flags, session.options.json));
  KINDRED_ASSIGN_OR_RETURN(const auto client, session.Connect());
  formats::ReadOptions options;
  std::string depth = request.has_depth() ? std::to_string(request.depth()) : "";
  if (NeedGraphs(flags.examples) || (depth.empty() && !session.options.json)) {
    KINDRED_ASSIGN_OR_RETURN(const v1::StatsResponse stats, client->Stats());
    KINDRED_ASSIGN_OR_RETURN(options, ReadOptionsFor(flags.read, stats.molecule_scheme()));
    depth = depth.empty() ? std::to_string(stats.depth()) : depth;
  }
  KINDRED_ASSIGN_OR_RETURN(const ExampleNames names, SetExamples(flags.examples, options, request));
  KINDRED_ASSIGN_OR_RETURN(const v1::RecommendResponse response, client->Recommend(request));
  Output output(session.out());
  KINDRED_RETURN_IF_ERROR(output.Write(
      session.options.json ? RecommendJsonLine(request, names, response)
                           : RecommendText(request, names, depth, response, WantsColour(session.out()))));
  KINDRED_RETURN_IF_ERROR(output.Flush());
  return ExitCode::kOk;
}

std::string CheckAtLeastOne(const std::string& text) {
  uint32_t count = 0;
  const bool fine = CLI::detail::lexical_cast(text, count) && count > 0;
  return fine ? std::string() : "\"" + text + "\" is not a number from 1 up";
}

}  // namespace

Command AddRecommend(CLI::App& parent) {
  const auto flags = std::make_shared<RecommendFlags>();
  CLI::App& app =
      *parent.add_subcommand("recommend", "nearest to several liked graphs, away from disliked ones");
  AddExampleFlags(app, flags->examples);
  AddReadFlags(app, flags->read);
  AddChoice<v1::RecommendRequest::Form>(
      app, "--form", flags->form,
      {{"sum", v1::RecommendRequest::WEIGHTED_SUM}, {"minimum", v1::RecommendRequest::BEST_MINIMUM}},
      "score: weights times similarities added up, or the least similarity to any liked graph");
  app.add_option("-k", flags->k, "how many")->type_name("K")->check(CheckAtLeastOne)->capture_default_str();
  AddChoice<v1::Measure>(app, "--measure", flags->measure, MeasureChoices(), "what similar means");
  AddLevelFlags(app, flags->levels);
  app.add_option("--min-score", flags->min_score, "only those with at least this score")->type_name("X");
  AddFilterFlags(app, flags->filter);
  AddFields(app, flags->fields);
  AddChoice<v1::SearchMode>(
      app, "--mode", flags->mode,
      {{"pruned", v1::SEARCH_MODE_PRUNED}, {"exhaustive", v1::SEARCH_MODE_EXHAUSTIVE}},
      "from the lists in memory, or by reading everything stored: the same answer, slowly");
  app.add_option("--min-sequence", flags->min_sequence, "fail unless the index has at least this commit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.footer(
      "At least one graph is liked. Stored graphs that are liked or disliked are not found themselves.\n"
      "A weight is a number above 0, by default 1: --like morphine=2, --like-smiles \"CCO 0.5\".");
  return {&app, [flags](Session& session) { return RunRecommend(session, *flags); }};
}

}  // namespace kindred::cli
