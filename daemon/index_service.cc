#include "daemon/index_service.h"

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

// Hands the request to the writer, which reads it on threads of its own, less important than those of
// searches; its answer finishes the call.
template <typename Request, typename Response>
grpc::ServerUnaryReactor* Write(Serving& serving, grpc::CallbackServerContext* context,
                                const Request* request, Response* response) {
  return StartCall(serving, context, [request, response](UnaryCall& call) {
    const Limits& limits = call.engine().limits();
    absl::Status status = CheckRequest(*request, limits);
    if (status.ok()) {
      WriteRequest write;
      write.bytes = request->ByteSizeLong();
      write.read = [request, &limits](WriteRequest& filled) {
        ReadRequest(*request, limits, filled.mutations);
      };
      write.done = [&call, response](const WriteResult& result) {
        for (const Outcome& outcome : result.outcomes) {
          *response->add_outcomes() = ToProto(outcome);
        }
        response->set_sequence(Raw(result.sequence));
        call.Finish(ToGrpc(result.status));
      };
      status = call.engine().writer().TrySubmit(std::move(write));
    }
    if (!status.ok()) {
      call.Finish(ToGrpc(status));
    }
  });
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
                                            const v1::PutRequest* request, v1::PutResponse* response) {
  return Write(serving_, context, request, response);
}

grpc::ServerUnaryReactor* IndexService::Delete(grpc::CallbackServerContext* context,
                                               const v1::DeleteRequest* request,
                                               v1::DeleteResponse* response) {
  return Write(serving_, context, request, response);
}

grpc::ServerUnaryReactor* IndexService::Get(grpc::CallbackServerContext* context,
                                            const v1::GetRequest* request, v1::GetResponse* response) {
  return Run(serving_, context, request,
             [request, response](Engine& engine) { return ReadRecords(engine, *request, *response); });
}

grpc::ServerUnaryReactor* IndexService::Search(grpc::CallbackServerContext* context,
                                               const v1::SearchRequest* request,
                                               v1::SearchResponse* response) {
  return Run(serving_, context, request, [this, context, request, response](Engine& engine) -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(*response, AnswerSearch(serving_.monitor(), engine, *request, *context));
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
                                                const v1::ExplainRequest* request,
                                                v1::ExplainResponse* response) {
  return Run(serving_, context, request, [context, request, response](Engine& engine) -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(*response,
                             AnswerExplain(engine, *request, SearchInterruptOf(*context, engine.limits())));
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* IndexService::Recommend(grpc::CallbackServerContext* context,
                                                  const v1::RecommendRequest* request,
                                                  v1::RecommendResponse* response) {
  return Run(serving_, context, request, [context, request, response](Engine& engine) -> absl::Status {
    KINDRED_ASSIGN_OR_RETURN(*response,
                             AnswerRecommend(engine, *request, SearchInterruptOf(*context, engine.limits())));
    return absl::OkStatus();
  });
}

grpc::ServerWriteReactor<v1::WatchResponse>* IndexService::Watch(grpc::CallbackServerContext* context,
                                                                 const v1::WatchRequest* request) {
  return WatchStream::Start(serving_, *context, *request);
}

grpc::ServerUnaryReactor* IndexService::PutIfNovel(grpc::CallbackServerContext* context,
                                                   const v1::PutIfNovelRequest* request,
                                                   v1::PutIfNovelResponse* response) {
  return StartCall(serving_, context,
                   [request, response](UnaryCall& call) { SubmitPutIfNovel(call, *request, *response); });
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
