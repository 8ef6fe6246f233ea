#include "client/cli/pair_flags.h"

#include "client/cli/choice.h"
#include "index/base/status.h"

namespace kindred::cli {

void AddPairFlags(CLI::App& app, PairFlags& flags) {
  app.add_option("--min-similarity", flags.min_similarity, "only pairs at least this similar")
      ->type_name("X")
      ->required();
  AddChoice<v1::Measure>(app, "--measure", flags.measure, MeasureChoices(), "what similar means");
  AddLevelFlags(app, flags.levels);
  app.add_option("--filter", flags.filter, "only stored graphs whose tags match, as: source = demo")
      ->type_name("FILTER");
  app.add_option("--min-sequence", flags.min_sequence, "fail unless the index has at least this commit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--threads", flags.threads, "threads of the daemon that may work on it (default: all)")
      ->type_name("N");
  app.add_option("-o,--output", flags.output, "file to write; it appears when it is complete")
      ->type_name("FILE")
      ->capture_default_str();
}

absl::StatusOr<v1::PairsRequest> ToRequest(const PairFlags& flags) {
  v1::PairsRequest request;
  request.set_measure(flags.measure);
  request.set_min_similarity(flags.min_similarity);
  KINDRED_RETURN_IF_ERROR(SetLevels(flags.levels, request));
  request.set_filter(flags.filter);
  request.set_min_sequence(flags.min_sequence);
  request.set_threads(flags.threads);
  return request;
}

}  // namespace kindred::cli
