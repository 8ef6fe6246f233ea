#include "daemon/recommend.h"

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "daemon/convert.h"
#include "daemon/graph_or_id.h"
#include "daemon/hit_fields.h"
#include "index/base/molecule_scheme.h"
#include "index/base/status.h"
#include "index/engine/recommend.h"

namespace kindred::daemon {
namespace {

using Examples = google::protobuf::RepeatedPtrField<v1::RecommendRequest::Example>;

absl::StatusOr<RecommendForm> ToForm(v1::RecommendRequest::Form form) {
  switch (form) {
    case v1::RecommendRequest::FORM_UNSPECIFIED:
    case v1::RecommendRequest::WEIGHTED_SUM:
      return RecommendForm::kWeightedSum;
    case v1::RecommendRequest::BEST_MINIMUM:
      return RecommendForm::kBestMinimum;
    default:
      return InvalidArgument("form: {} is unknown", static_cast<int>(form));
  }
}

absl::StatusOr<std::vector<RecommendRequest::Example>> ToExamples(std::string_view field,
                                                                  const Examples& messages,
                                                                  const Limits& limits) {
  std::vector<RecommendRequest::Example> examples;
  for (int i = 0; i < messages.size(); ++i) {
    KINDRED_ASSIGN_OR_RETURN(auto graph,
                             ToGraphOrId(fmt::format("{}[{}].graph", field, i), messages[i].graph(), limits));
    examples.push_back({std::move(graph), messages[i].weight() == 0 ? 1 : messages[i].weight()});
  }
  return examples;
}

absl::StatusOr<RecommendRequest> ToRequest(const v1::RecommendRequest& message, const Limits& limits) {
  // Before any of them is built.
  const auto examples =
      static_cast<uint64_t>(message.liked_size()) + static_cast<uint64_t>(message.disliked_size());
  if (examples > limits.recommend_examples_max) {
    return OverLimit("liked and disliked", examples, "recommend_examples_max", limits.recommend_examples_max);
  }
  RecommendRequest request;
  KINDRED_ASSIGN_OR_RETURN(request.liked, ToExamples("liked", message.liked(), limits));
  KINDRED_ASSIGN_OR_RETURN(request.disliked, ToExamples("disliked", message.disliked(), limits));
  KINDRED_ASSIGN_OR_RETURN(request.form, ToForm(message.form()));
  request.k = message.k() == 0 ? kNeighboursDefault : message.k();
  KINDRED_ASSIGN_OR_RETURN(request.measure, ToMeasure(message.measure()));
  KINDRED_ASSIGN_OR_RETURN(request.mode, ToSearchMode(message.mode()));
  if (message.has_depth()) {
    request.depth = message.depth();
  }
  request.weights.assign(message.weights().begin(), message.weights().end());
  request.min_sequence = CommitSequence{message.min_sequence()};
  if (!message.molecule_scheme().empty()) {
    KINDRED_RETURN_IF_ERROR(CheckMoleculeScheme(message.molecule_scheme()));
    request.molecule_scheme = message.molecule_scheme();
  }
  KINDRED_ASSIGN_OR_RETURN(request.excluded, ToExcluded(message.exclude_ids(), limits));
  request.fields = ToWantedFields(message.with_payload(), message.with_tags());
  KINDRED_ASSIGN_OR_RETURN(request.filter, Filter::Parse(message.filter(), limits));
  if (message.has_min_score()) {
    request.min_score = message.min_score();
  }
  return request;
}

}  // namespace

absl::StatusOr<v1::RecommendResponse> AnswerRecommend(const Engine& engine,
                                                      const v1::RecommendRequest& request,
                                                      const Interrupt& interrupt) {
  const auto begin = std::chrono::steady_clock::now();
  KINDRED_ASSIGN_OR_RETURN(const RecommendRequest asked, ToRequest(request, engine.limits()));
  KINDRED_ASSIGN_OR_RETURN(const RecommendReply reply, Recommend(engine, asked, interrupt));
  v1::RecommendResponse response;
  for (size_t i = 0; i < reply.answer.hits.size(); ++i) {
    const RecommendHit& hit = reply.answer.hits[i];
    v1::RecommendResponse::Hit& out = *response.add_hits();
    out.set_id(hit.id);
    out.set_score(hit.score);
    out.mutable_similarities()->Assign(hit.similarities.begin(), hit.similarities.end());
    if (!reply.fields.empty()) {
      out.set_payload(reply.fields[i].payload);
      AddTags(reply.fields[i].tags, *out.mutable_tags());
    }
  }
  response.set_sequence(Raw(reply.sequence));
  *response.mutable_stats() = ToProto(reply.answer.stats, std::chrono::steady_clock::now() - begin);
  const uint64_t bytes = response.ByteSizeLong();
  if (bytes > engine.limits().message_bytes_max) {
    return OverLimit("bytes of the answer", bytes, "message_bytes_max", engine.limits().message_bytes_max);
  }
  return response;
}

std::vector<LogField> LogFieldsOf(const v1::RecommendRequest& request,
                                  const v1::RecommendResponse& response) {
  const v1::SearchStats& stats = response.stats();
  return {{"k", int64_t{request.k() == 0 ? kNeighboursDefault : request.k()}},
          {"measure", MeasureName(request.measure())},
          {"mode", ModeName(request.mode())},
          {"liked", int64_t{request.liked_size()}},
          {"disliked", int64_t{request.disliked_size()}},
          {"filter_bytes", static_cast<int64_t>(request.filter().size())},
          {"excluded", int64_t{request.exclude_ids_size()}},
          {"hits", int64_t{response.hits_size()}},
          {"postings", static_cast<int64_t>(stats.postings_read())},
          {"candidates", static_cast<int64_t>(stats.candidates())},
          {"blocks_bounded", static_cast<int64_t>(stats.blocks_bounded())},
          {"blocks_scored", static_cast<int64_t>(stats.blocks_scored())},
          {"sequence", static_cast<int64_t>(response.sequence())}};
}

}  // namespace kindred::daemon
