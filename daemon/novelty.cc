#include "daemon/novelty.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/convert.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

absl::StatusOr<NoveltyRule> ToRule(const v1::NoveltyRule& message, const Engine& engine) {
  NoveltyParts parts;
  KINDRED_ASSIGN_OR_RETURN(parts.measure, ToMeasure(message.measure()));
  parts.min_similarity = message.min_similarity();
  if (message.has_depth()) {
    parts.depth = message.depth();
  }
  parts.weights.assign(message.weights().begin(), message.weights().end());
  parts.filter = message.filter();
  parts.isomorphic = message.isomorphic();
  return MakeNoveltyRule(parts, engine.depth(), engine.limits());
}

v1::ClosestGraph::Identity ToIdentity(Identity identity) {
  switch (identity) {
    case Identity::kDifferent:
      return v1::ClosestGraph::DIFFERENT;
    case Identity::kEqualHistogram:
      return v1::ClosestGraph::EQUAL_HISTOGRAM;
    case Identity::kIsomorphic:
      return v1::ClosestGraph::ISOMORPHIC;
    case Identity::kUndecided:
      break;
  }
  return v1::ClosestGraph::UNDECIDED;
}

// `message` must live until the request is answered; it is read on the writer's threads.
absl::StatusOr<WriteRequest> ToWriteRequest(const v1::PutIfNovelRequest& message, const Engine& engine) {
  const Limits& limits = engine.limits();
  KINDRED_RETURN_IF_ERROR(CheckBatch("records", message.records_size(), limits));
  if (!message.has_rule()) {
    return InvalidArgument("rule: is missing");
  }
  WriteRequest request;
  KINDRED_ASSIGN_OR_RETURN(NoveltyRule rule, ToNoveltyRule(message.rule(), "rule", engine));
  request.novelty = std::make_shared<const NoveltyRule>(std::move(rule));
  KINDRED_ASSIGN_OR_RETURN(const WriteMode mode, ToWriteMode(message.mode()));
  request.read = [&message, &limits, mode](WriteRequest& filled) {
    filled.mutations.reserve(static_cast<size_t>(message.records_size()));
    for (int i = 0; i < message.records_size(); ++i) {
      filled.mutations.push_back(ToPut(message.records(i), mode, fmt::format("records[{}]", i), limits));
    }
  };
  request.bytes = message.ByteSizeLong();
  return request;
}

void AddEntries(const WriteResult& result, v1::PutIfNovelResponse& response) {
  for (const Outcome& outcome : result.outcomes) {
    v1::PutIfNovelResponse::Entry& entry = *response.add_entries();
    *entry.mutable_outcome() = ToProto(outcome);
    if (outcome.closest != nullptr) {
      *entry.mutable_closest() = ToProto(*outcome.closest);
    }
  }
  response.set_sequence(Raw(result.sequence));
}

// Of a slow one. Its time is that until the commit, of others' writes before it, too.
std::vector<LogField> LogFieldsOf(const v1::PutIfNovelRequest& request, const WriteResult& result) {
  const auto not_novel = std::ranges::count(result.outcomes, Outcome::Kind::kNotNovel, &Outcome::kind);
  return {{"records", int64_t{request.records_size()}},
          {"measure", MeasureName(request.rule().measure())},
          {"filter_bytes", static_cast<int64_t>(request.rule().filter().size())},
          {"isomorphic", int64_t{request.rule().isomorphic() ? 1 : 0}},
          {"not_novel", int64_t{not_novel}},
          {"sequence", static_cast<int64_t>(Raw(result.sequence))}};
}

}  // namespace

absl::StatusOr<NoveltyRule> ToNoveltyRule(const v1::NoveltyRule& message, std::string_view path,
                                          const Engine& engine) {
  auto rule = ToRule(message, engine);
  return rule.ok() ? std::move(rule) : Annotate(rule.status(), fmt::format("{}.", path));
}

v1::ClosestGraph ToProto(const ClosestGraph& closest) {
  v1::ClosestGraph message;
  message.set_id(closest.id);
  message.set_kernel(closest.kernel);
  message.set_similarity(closest.similarity);
  message.set_identity(ToIdentity(closest.identity));
  return message;
}

void SubmitPutIfNovel(PutIfNovelCall& call) {
  auto write = ToWriteRequest(call.request(), call.engine());
  absl::Status status = write.status();
  if (status.ok()) {
    write->done = [&call, start = std::chrono::steady_clock::now()](const WriteResult& result) {
      AddEntries(result, call.response());
      call.serving().monitor().Count(QuestionSeen{call.context(), result.status.code(),
                                                  std::chrono::steady_clock::now() - start,
                                                  [&] { return LogFieldsOf(call.request(), result); }});
      call.Answer(result.status);
    };
    status = call.engine().writer().TrySubmit(*std::move(write));
  }
  if (!status.ok()) {
    call.Answer(status);
  }
}

}  // namespace kindred::daemon
