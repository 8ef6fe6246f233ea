#include "daemon/index_service.h"

#include <chrono>
#include <memory>
#include <utility>

#include "daemon/clusters_stream.h"
#include "daemon/convert.h"
#include "daemon/explain.h"
#include "daemon/export_stream.h"
#include "daemon/ingest_stream.h"
#include "daemon/kernel_stream.h"
#include "daemon/novelty.h"
#include "daemon/pairs_between_stream.h"
#include "daemon/pairs_stream.h"
#include "daemon/process.h"
#include "daemon/recommend.h"
#include "daemon/search_stream.h"
#include "daemon/server_stream.h"
#include "daemon/unary_call.h"
#include "daemon/watch_stream.h"

namespace kindred::daemon {
namespace {

using PutCall = UnaryCall<v1::PutRequest, v1::PutResponse>;

// What is wrong with a request as a whole.
absl::Status CheckRequest(const v1::PutRequest& request, const Limits& limits) {
  KINDRED_RETURN_IF_ERROR(CheckBatch("records", request.records_size(), limits));
  return ToWriteMode(request.mode()).status();
}

absl::Status CheckRequest(const v1::DeleteRequest& request, const Limits& limits) {
  return CheckBatch("ids", request.ids_size(), limits);
}

void ReadRequest(const v1::PutRequest& request, const Limits& limits, std::vector<Mutation>& mutations) {
  const WriteMode mode = *ToWriteMode(request.mode());
  mutations.reserve(static_cast<size_t>(request.records_size()));
  for (int i = 0; i < request.records_size(); ++i) {
    mutations.push_back(ToPut(request.records(i), mode, fmt::format("records[{}]", i), limits));
  }
}

void ReadRequest(const v1::DeleteRequest& request, const Limits&, std::vector<Mutation>& mutations) {
  mutations.reserve(static_cast<size_t>(request.ids_size()));
  for (int i = 0; i < request.ids_size(); ++i) {
    mutations.push_back(ToDelete(request.ids(i), fmt::format("ids[{}]", i)));
  }
}

// What a write that the writer has done, or refused, is answered with.
template <typename Response>
void FillWritten(const WriteResult& result, Response& response) {
  for (const Outcome& outcome : result.outcomes) {
    *response.add_outcomes() = ToProto(outcome);
  }
  response.set_sequence(Raw(result.sequence));
}

// The request as the writer takes it, which reads it on threads of its own, less important than those of
// searches. `request` must live until it is done.
template <typename Request>
absl::StatusOr<WriteRequest> ToWriteRequest(const Request& request, const Limits& limits) {
  KINDRED_RETURN_IF_ERROR(CheckRequest(request, limits));
  WriteRequest write;
  write.bytes = request.ByteSizeLong();
  write.read = [&request, &limits](WriteRequest& filled) { ReadRequest(request, limits, filled.mutations); };
  return write;
}

// Of a Put or a Delete.
template <typename Call>
void SubmitWrite(Call& call) {
  auto write = ToWriteRequest(call.request(), call.engine().limits());
  absl::Status status = write.status();
  if (status.ok()) {
    write->done = [&call](const WriteResult& result) {
      FillWritten(result, call.response());
      call.Answer(result.status);
    };
    status = call.engine().writer().TrySubmit(*std::move(write));
  }
  if (!status.ok()) {
    call.Answer(status);
  }
}

// A put of which nothing could be stored is answered without the writer. `add_outcome` adds one to the
// answer.
template <typename Call, typename AddOutcome>  // v1::Outcome&()
bool AnswerIfAllRefused(Call& call, AddOutcome add_outcome) {
  const LargeGraphs& large = call.large_graphs();
  if (large.refused.size() < static_cast<size_t>(large.items) ||
      !CheckBatch("records", large.items, call.engine().limits()).ok()) {
    return false;
  }
  const auto snapshot = call.engine().snapshot();
  if (snapshot.ok()) {
    for (const LargeGraphs::Refused& refused : large.refused) {
      v1::Outcome& outcome = add_outcome();
      outcome.set_kind(v1::Outcome::REJECTED);
      outcome.set_code(static_cast<int>(refused.status.code()));
      outcome.set_message(std::string(refused.status.message()));
    }
    call.response().set_sequence(Raw((*snapshot)->sequence));
    call.serving().monitor().CountRejected(large.refused.size());
  }
  call.Answer(snapshot.status());
  return true;
}

// Answers a question that is no search, and counts it.
template <typename Call, typename Answer, typename Fields>
absl::Status AnswerTimed(Call& call, Answer answer, Fields fields) {
  const auto start = std::chrono::steady_clock::now();
  auto response =
      answer(call.engine(), call.request(), SearchInterruptOf(call.context(), call.engine().limits()));
  absl::Status status = response.status();
  if (status.ok()) {
    call.response() = *std::move(response);
  }
  call.serving().monitor().Count(
      QuestionSeen{call.context(), status.code(), std::chrono::steady_clock::now() - start, fields});
  return status;
}

absl::Status ReadRecords(const Engine& engine, const v1::GetRequest& request, v1::GetResponse& response) {
  KINDRED_RETURN_IF_ERROR(CheckBatch("ids", request.ids_size(), engine.limits()));
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> snapshot, engine.snapshot());
  response.set_sequence(Raw(snapshot->sequence));
  uint64_t bytes = 0;
  for (const std::string& id : request.ids()) {
    v1::GetResponse::Entry& entry = *response.add_entries();
    entry.set_id(id);
    const std::optional<GraphId> found = snapshot->FindGraph(id);
    if (found) {
      KINDRED_ASSIGN_OR_RETURN(const StoredRecord record, snapshot->store->ReadRecord(*found));
      *entry.mutable_record() = ToProto(record, snapshot->store->molecule_scheme());
    }
    bytes += entry.ByteSizeLong();
    if (bytes > engine.limits().message_bytes_max) {
      return OverLimit("bytes of the answer", bytes, "message_bytes_max", engine.limits().message_bytes_max);
    }
  }
  return absl::OkStatus();
}

}  // namespace

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* IndexService::Ingest(
    grpc::CallbackServerContext* context) {
  return IngestStream::Start(serving_, *context);
}

grpc::ServerUnaryReactor* IndexService::Put(grpc::CallbackServerContext* context,
                                            const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  return StartCall<PutCall>(
      serving_, context, request, response,
      [](PutCall& call) {
        return AnswerIfAllRefused(call,
                                  [&call]() -> v1::Outcome& { return *call.response().add_outcomes(); });
      },
      SubmitWrite<PutCall>);
}

grpc::ServerUnaryReactor* IndexService::Delete(grpc::CallbackServerContext* context,
                                               const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = UnaryCall<v1::DeleteRequest, v1::DeleteResponse>;
  return StartCall<Call>(
      serving_, context, request, response, [](Call&) { return false; }, SubmitWrite<Call>);
}

grpc::ServerUnaryReactor* IndexService::Get(grpc::CallbackServerContext* context,
                                            const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = UnaryCall<v1::GetRequest, v1::GetResponse>;
  return RunCall<Call>(serving_, context, request, response, [](Call& call) {
    return ReadRecords(call.engine(), call.request(), call.response());
  });
}

grpc::ServerUnaryReactor* IndexService::Search(grpc::CallbackServerContext* context,
                                               const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = UnaryCall<v1::SearchRequest, v1::SearchResponse>;
  return RunCall<Call>(serving_, context, request, response, [](Call& call) -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(call.response(), AnswerSearch(call.serving().monitor(), call.engine(),
                                                           call.request(), call.context()));
    return absl::OkStatus();
  });
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* IndexService::SearchStream(
    grpc::CallbackServerContext* context) {
  return daemon::SearchStream::Start(serving_, *context);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* IndexService::Export(grpc::CallbackServerContext* context,
                                                                 const grpc::ByteBuffer* request) {
  return StartStream<ExportStream>(serving_, context, request);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* IndexService::Kernel(grpc::CallbackServerContext* context,
                                                                 const grpc::ByteBuffer* request) {
  return StartStream<KernelStream>(serving_, context, request);
}

grpc::ServerUnaryReactor* IndexService::Explain(grpc::CallbackServerContext* context,
                                                const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = UnaryCall<v1::ExplainRequest, v1::ExplainResponse>;
  return RunCall<Call>(serving_, context, request, response, [](Call& call) -> absl::Status {
    return AnswerTimed(call, AnswerExplain, [&call] { return LogFieldsOf(call.request(), call.response()); });
  });
}

grpc::ServerUnaryReactor* IndexService::Recommend(grpc::CallbackServerContext* context,
                                                  const grpc::ByteBuffer* request,
                                                  grpc::ByteBuffer* response) {
  using Call = UnaryCall<v1::RecommendRequest, v1::RecommendResponse>;
  return RunCall<Call>(serving_, context, request, response, [](Call& call) -> absl::Status {
    return AnswerTimed(call, AnswerRecommend,
                       [&call] { return LogFieldsOf(call.request(), call.response()); });
  });
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* IndexService::Watch(grpc::CallbackServerContext* context,
                                                                const grpc::ByteBuffer* request) {
  return WatchStream::Start(serving_, *context, request);
}

grpc::ServerUnaryReactor* IndexService::PutIfNovel(grpc::CallbackServerContext* context,
                                                   const grpc::ByteBuffer* request,
                                                   grpc::ByteBuffer* response) {
  return StartCall<PutIfNovelCall>(
      serving_, context, request, response,
      [](PutIfNovelCall& call) {
        return AnswerIfAllRefused(
            call, [&call]() -> v1::Outcome& { return *call.response().add_entries()->mutable_outcome(); });
      },
      SubmitPutIfNovel);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* IndexService::Pairs(grpc::CallbackServerContext* context,
                                                                const grpc::ByteBuffer* request) {
  return StartStream<PairsStream>(serving_, context, request);
}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* IndexService::PairsBetween(
    grpc::CallbackServerContext* context) {
  return PairsBetweenStream::Start(serving_, *context);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* IndexService::Clusters(grpc::CallbackServerContext* context,
                                                                   const grpc::ByteBuffer* request) {
  return StartStream<ClustersStream>(serving_, context, request);
}

grpc::ServerUnaryReactor* IndexService::Stats(grpc::CallbackServerContext* context,
                                              const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = UnaryCall<v1::StatsRequest, v1::StatsResponse>;
  return RunCall<Call>(serving_, context, request, response, [](Call& call) {
    Serving& serving = call.serving();
    v1::StatsResponse& stats = call.response();
    stats = ToProto(call.engine().stats());
    stats.set_resident_bytes(ResidentBytes());
    stats.set_version(KINDRED_VERSION);
    stats.set_incarnation(serving.incarnation());
    stats.set_searches(serving.monitor().searches());
    stats.set_postings_read(serving.monitor().postings_read());
    stats.set_writes(serving.monitor().writes());
    stats.set_ingest_streams(serving.ingest_streams().load());
    return absl::OkStatus();
  });
}

}  // namespace kindred::daemon
