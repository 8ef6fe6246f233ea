// kindred novel: streams the records of files into the daemon, but stores only those that are novel.

#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "client/cli/choice.h"
#include "client/cli/commands.h"
#include "client/cli/ingestion.h"
#include "client/cli/level_flags.h"
#include "client/cli/not_novel_printer.h"
#include "client/cli/search_text.h"
#include "client/cli/session.h"
#include "index/base/status.h"

namespace kindred::cli {
namespace {

struct NovelFlags {
  IngestFlags ingest;
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  double min_similarity = 0;
  LevelFlags levels;
  std::string filter;
  bool isomorphic = false;
};

absl::StatusOr<v1::NoveltyRule> ToRule(const NovelFlags& flags) {
  v1::NoveltyRule rule;
  rule.set_measure(flags.measure);
  rule.set_min_similarity(flags.min_similarity);
  KINDRED_RETURN_IF_ERROR(SetLevels(flags.levels, rule));
  rule.set_filter(flags.filter);
  rule.set_isomorphic(flags.isomorphic);
  return rule;
}

absl::StatusOr<ExitCode> RunNovel(Session& session, const NovelFlags& flags) {
  KINDRED_ASSIGN_OR_RETURN(v1::NoveltyRule rule, ToRule(flags));
  NotNovelPrinter printer(session, flags.ingest.records.files);
  return Ingestion(session, flags.ingest, Novelty{std::move(rule), printer}).Run();
}

}  // namespace

Command AddNovel(CLI::App& parent) {
  const auto flags = std::make_shared<NovelFlags>();
  CLI::App& app = *parent.add_subcommand("novel", "store what nothing stored is too similar to");
  app.add_option("--min-similarity", flags->min_similarity,
                 "a record is not stored when a stored graph is at least this similar")
      ->type_name("X")
      ->required();
  AddChoice<v1::Measure>(app, "--measure", flags->measure, MeasureChoices(), "what similar means");
  AddLevelFlags(app, flags->levels);
  app.add_option("--filter", flags->filter, "compare only with stored graphs whose tags match")
      ->type_name("F");
  app.add_flag("--isomorphic", flags->isomorphic,
               "a stored graph with the same histogram counts only if it is the same graph");
  AddIngestFlags(app, flags->ingest);
  app.footer(
      "Decided record by record in the order of the files, as things stand when a record's turn comes: a "
      "second\n"
      "copy in the same file is found as well. For each record that is not stored the most similar stored "
      "graph\n"
      "is printed: isomorphic (the same graph), equal histogram (not the same, but no difference within the\n"
      "depth), undecided (telling would have taken too long) or different.\n"
      "Ctrl-C stops reading, waits for what is under way and prints the summary; twice ends at once.\n"
      "Exit code 0: every record was stored or is not novel; 3: some were rejected.");
  return {&app, [flags](Session& session) { return RunNovel(session, *flags); }};
}

}  // namespace kindred::cli
