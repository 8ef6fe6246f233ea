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
#include "daemon/raw_call.h"
#include "daemon/recommend.h"
#include "daemon/search_stream.h"
#include "daemon/server_stream.h"
#include "daemon/unary_call.h"
#include "daemon/watch_stream.h"

namespace kindred::daemon {
namespace {

using PutCall = RawCall<v1::PutRequest, v1::PutResponse>;

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

void SubmitPut(PutCall& call) {
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

void SubmitDelete(UnaryCall& call, const v1::DeleteRequest& request, v1::DeleteResponse& response) {
  auto write = ToWriteRequest(request, call.engine().limits());
  absl::Status status = write.status();
  if (status.ok()) {
    write->done = [&call, &response](const WriteResult& result) {
      FillWritten(result, response);
      call.Finish(ToGrpc(result.status));
    };
    status = call.engine().writer().TrySubmit(*std::move(write));
  }
  if (!status.ok()) {
    call.Finish(ToGrpc(status));
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
  if (response.ok()) {
    call.response() = *std::move(response);
  }
  call.serving().monitor().Count(QuestionSeen{call.context(), response.status().code(),
                                              std::chrono::steady_clock::now() - start, fields});
  return response.status();
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

grpc::ServerBidiReactor<v1::IngestRequest, v1::IngestResponse>* IndexService::Ingest(
    grpc::CallbackServerContext* context) {
  return IngestStream::Start(serving_, *context);
}

grpc::ServerUnaryReactor* IndexService::Put(grpc::CallbackServerContext* context,
                                            const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  return StartRawCall<PutCall>(
      serving_, context, request, response,
      [](PutCall& call) {
        return AnswerIfAllRefused(call,
                                  [&call]() -> v1::Outcome& { return *call.response().add_outcomes(); });
      },
      SubmitPut);
}

grpc::ServerUnaryReactor* IndexService::Delete(grpc::CallbackServerContext* context,
                                               const v1::DeleteRequest* request,
                                               v1::DeleteResponse* response) {
  return StartCall(serving_, context,
                   [request, response](UnaryCall& call) { SubmitDelete(call, *request, *response); });
}

grpc::ServerUnaryReactor* IndexService::Get(grpc::CallbackServerContext* context,
                                            const v1::GetRequest* request, v1::GetResponse* response) {
  return Run(serving_, context, request,
             [request, response](Engine& engine) { return ReadRecords(engine, *request, *response); });
}

grpc::ServerUnaryReactor* IndexService::Search(grpc::CallbackServerContext* context,
                                               const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = RawCall<v1::SearchRequest, v1::SearchResponse>;
  return RunRaw<Call>(serving_, context, request, response, [](Call& call) -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(call.response(), AnswerSearch(call.serving().monitor(), call.engine(),
                                                           call.request(), call.context()));
    return absl::OkStatus();
  });
}

grpc::ServerBidiReactor<v1::SearchRequest, v1::SearchStreamResponse>* IndexService::SearchStream(
    grpc::CallbackServerContext* context) {
  return daemon::SearchStream::Start(serving_, *context);
}

grpc::ServerWriteReactor<v1::ExportResponse>* IndexService::Export(grpc::CallbackServerContext* context,
                                                                   const v1::ExportRequest* request) {
  return StartStream<ExportStream>(serving_, context, request);
}

grpc::ServerWriteReactor<v1::KernelRow>* IndexService::Kernel(grpc::CallbackServerContext* context,
                                                              const v1::KernelRequest* request) {
  return StartStream<KernelStream>(serving_, context, request);
}

grpc::ServerUnaryReactor* IndexService::Explain(grpc::CallbackServerContext* context,
                                                const grpc::ByteBuffer* request, grpc::ByteBuffer* response) {
  using Call = RawCall<v1::ExplainRequest, v1::ExplainResponse>;
  return RunRaw<Call>(serving_, context, request, response, [](Call& call) -> absl::Status {
    return AnswerTimed(call, AnswerExplain, [&call] { return LogFieldsOf(call.request(), call.response()); });
  });
}

grpc::ServerUnaryReactor* IndexService::Recommend(grpc::CallbackServerContext* context,
                                                  const grpc::ByteBuffer* request,
                                                  grpc::ByteBuffer* response) {
  using Call = RawCall<v1::RecommendRequest, v1::RecommendResponse>;
  return RunRaw<Call>(serving_, context, request, response, [](Call& call) -> absl::Status {
    return AnswerTimed(call, AnswerRecommend,
                       [&call] { return LogFieldsOf(call.request(), call.response()); });
  });
}

grpc::ServerWriteReactor<v1::WatchResponse>* IndexService::Watch(grpc::CallbackServerContext* context,
                                                                 const v1::WatchRequest* request) {
  return WatchStream::Start(serving_, *context, *request);
}

grpc::ServerUnaryReactor* IndexService::PutIfNovel(grpc::CallbackServerContext* context,
                                                   const grpc::ByteBuffer* request,
                                                   grpc::ByteBuffer* response) {
  return StartRawCall<PutIfNovelCall>(
      serving_, context, request, response,
      [](PutIfNovelCall& call) {
        return AnswerIfAllRefused(
            call, [&call]() -> v1::Outcome& { return *call.response().add_entries()->mutable_outcome(); });
      },
      SubmitPutIfNovel);
}

grpc::ServerWriteReactor<v1::PairsResponse>* IndexService::Pairs(grpc::CallbackServerContext* context,
                                                                 const v1::PairsRequest* request) {
  return StartStream<PairsStream>(serving_, context, request);
}

grpc::ServerBidiReactor<v1::PairsBetweenRequest, v1::PairsResponse>* IndexService::PairsBetween(
    grpc::CallbackServerContext* context) {
  return PairsBetweenStream::Start(serving_, *context);
}

grpc::ServerWriteReactor<v1::ClustersResponse>* IndexService::Clusters(grpc::CallbackServerContext* context,
                                                                       const v1::ClustersRequest* request) {
  return StartStream<ClustersStream>(serving_, context, request);
}

grpc::ServerUnaryReactor* IndexService::Stats(grpc::CallbackServerContext* context,
                                              const v1::StatsRequest* request, v1::StatsResponse* response) {
  return Run(serving_, context, request, [this, response](Engine& engine) {
    *response = ToProto(engine.stats());
    response->set_resident_bytes(ResidentBytes());
    response->set_version(KINDRED_VERSION);
    response->set_incarnation(serving_.incarnation());
    response->set_searches(serving_.monitor().searches());
    response->set_postings_read(serving_.monitor().postings_read());
    response->set_writes(serving_.monitor().writes());
    response->set_ingest_streams(serving_.ingest_streams().load());
    return absl::OkStatus();
  });
}

}  // namespace kindred::daemon
