#include "index/engine/explain.h"

#include <string_view>
#include <utility>

#include "index/base/status.h"
#include "index/histogram/measure.h"

namespace kindred {
namespace {

absl::StatusOr<Graph> GraphOf(const Snapshot& snapshot, std::string_view side,
                              std::variant<std::string, Graph> asked) {
  if (Graph* const graph = std::get_if<Graph>(&asked)) {
    return std::move(*graph);
  }
  const std::string& id = std::get<std::string>(asked);
  const std::optional<GraphId> found = snapshot.FindGraph(id);
  if (!found) {
    return MakeStatus(absl::StatusCode::kNotFound, "{}.id: no graph has the id '{}'", side, id);
  }
  KINDRED_ASSIGN_OR_RETURN(StoredRecord record, snapshot.store->ReadRecord(*found));
  return std::move(record.graph);
}

}  // namespace

absl::StatusOr<Explanation> Explain(const Snapshot& snapshot, ExplainRequest request,
                                    const Interrupt& interrupt) {
  const auto scoring = [&](Measure measure) {
    return Scoring::Create(measure, snapshot.store->depth(), request.depth, request.weights);
  };
  KINDRED_ASSIGN_OR_RETURN(const Scoring cosine, scoring(Measure::kCosine));
  KINDRED_ASSIGN_OR_RETURN(const Scoring tanimoto, scoring(Measure::kTanimoto));
  KINDRED_ASSIGN_OR_RETURN(Graph a, GraphOf(snapshot, "a", std::move(request.a)));
  KINDRED_ASSIGN_OR_RETURN(Graph b, GraphOf(snapshot, "b", std::move(request.b)));
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  const PairColours colours = RefinePair(a, b, tanimoto.depth());
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  Assignment assignment = AssignVertices(a, b, colours);

  const Score score{tanimoto.Kernel(assignment.overlaps), b.vertex_count()};
  std::vector<double> weights;
  for (Level level = 0; level <= tanimoto.depth(); ++level) {
    weights.push_back(tanimoto.weight(level));
  }
  const double by_cosine = cosine.Similarity(score, a.vertex_count());
  const double by_tanimoto = tanimoto.Similarity(score, a.vertex_count());
  return Explanation{std::move(a), std::move(b), std::move(assignment), std::move(weights), score.kernel,
                     by_cosine,    by_tanimoto};
}

}  // namespace kindred
