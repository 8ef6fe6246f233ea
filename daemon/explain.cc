#include "daemon/explain.h"

#include <string>
#include <utility>

#include "daemon/convert.h"
#include "daemon/graph_or_id.h"
#include "index/base/status.h"
#include "index/engine/explain.h"

namespace kindred::daemon {
namespace {

v1::ExplainResponse ToResponse(const Explanation& explanation, CommitSequence sequence, bool with_graphs) {
  v1::ExplainResponse message;
  for (const Assignment::Pair& pair : explanation.assignment.pairs) {
    v1::ExplainResponse::Pair& out = *message.add_pairs();
    out.set_a(pair.a);
    out.set_b(pair.b);
    out.set_levels(pair.levels);
  }
  const std::vector<uint32_t>& overlaps = explanation.assignment.overlaps;
  message.mutable_overlaps()->Assign(overlaps.begin(), overlaps.end());
  message.mutable_weights()->Assign(explanation.weights.begin(), explanation.weights.end());
  message.set_kernel(explanation.kernel);
  message.set_cosine(explanation.cosine);
  message.set_tanimoto(explanation.tanimoto);
  message.set_vertices_a(explanation.a.vertex_count());
  message.set_vertices_b(explanation.b.vertex_count());
  message.set_sequence(Raw(sequence));
  if (with_graphs) {
    *message.mutable_graph_a() = ToProto(explanation.a);
    *message.mutable_graph_b() = ToProto(explanation.b);
  }
  return message;
}

}  // namespace

absl::StatusOr<v1::ExplainResponse> AnswerExplain(const Engine& engine, const v1::ExplainRequest& request,
                                                  const Interrupt& interrupt) {
  ExplainRequest asked;
  KINDRED_ASSIGN_OR_RETURN(asked.a, ToGraphOrId("a", request.a(), engine.limits()));
  KINDRED_ASSIGN_OR_RETURN(asked.b, ToGraphOrId("b", request.b(), engine.limits()));
  if (request.has_depth()) {
    asked.depth = request.depth();
  }
  asked.weights.assign(request.weights().begin(), request.weights().end());
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> snapshot,
                           engine.snapshot(CommitSequence{request.min_sequence()}));
  KINDRED_ASSIGN_OR_RETURN(const Explanation explanation, Explain(*snapshot, std::move(asked), interrupt));
  v1::ExplainResponse response = ToResponse(explanation, snapshot->sequence, request.with_graphs());
  const uint64_t bytes = response.ByteSizeLong();
  if (bytes > engine.limits().message_bytes_max) {
    return OverLimit("bytes of the answer", bytes, "message_bytes_max", engine.limits().message_bytes_max);
  }
  return response;
}

std::vector<LogField> LogFieldsOf(const v1::ExplainRequest& request, const v1::ExplainResponse& response) {
  return {{"with_graphs", int64_t{request.with_graphs() ? 1 : 0}},
          {"vertices_a", int64_t{response.vertices_a()}},
          {"vertices_b", int64_t{response.vertices_b()}},
          {"pairs", int64_t{response.pairs_size()}},
          {"sequence", static_cast<int64_t>(response.sequence())}};
}

}  // namespace kindred::daemon
