// The handlers of kindred.v1.Index: convert, call, map the error, answer.
//
// Threads: gRPC calls these from its few callback threads, so nothing blocks here: the work runs on the
//          engine's executor or its writer, which finish the call.

#pragma once

#include "daemon/serving.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::daemon {

// The calls whose requests have graphs of the caller's: what is large of them is not parsed by gRPC
// (raw_call.h).
using IndexWithRawCalls = v1::Index::WithRawCallbackMethod_Put<v1::Index::WithRawCallbackMethod_PutIfNovel<
    v1::Index::WithRawCallbackMethod_Search<v1::Index::WithRawCallbackMethod_Explain<
        v1::Index::WithRawCallbackMethod_Recommend<v1::Index::CallbackService>>>>>;

class IndexService final : public IndexWithRawCalls {
 public:
  // `serving` must outlive this.
  explicit IndexService(Serving& serving) : serving_(serving) {}

  Serving& serving() const { return serving_; }

  grpc::ServerBidiReactor<v1::IngestRequest, v1::IngestResponse>* Ingest(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* Put(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Delete(grpc::CallbackServerContext* context, const v1::DeleteRequest* request,
                                   v1::DeleteResponse* response) override;
  grpc::ServerUnaryReactor* Get(grpc::CallbackServerContext* context, const v1::GetRequest* request,
                                v1::GetResponse* response) override;
  grpc::ServerUnaryReactor* Search(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                   grpc::ByteBuffer* response) override;
  grpc::ServerBidiReactor<v1::SearchRequest, v1::SearchStreamResponse>* SearchStream(
      grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<v1::ExportResponse>* Export(grpc::CallbackServerContext* context,
                                                       const v1::ExportRequest* request) override;
  grpc::ServerWriteReactor<v1::KernelRow>* Kernel(grpc::CallbackServerContext* context,
                                                  const v1::KernelRequest* request) override;
  grpc::ServerUnaryReactor* Explain(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                    grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Recommend(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<v1::WatchResponse>* Watch(grpc::CallbackServerContext* context,
                                                     const v1::WatchRequest* request) override;
  grpc::ServerUnaryReactor* PutIfNovel(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<v1::PairsResponse>* Pairs(grpc::CallbackServerContext* context,
                                                     const v1::PairsRequest* request) override;
  grpc::ServerBidiReactor<v1::PairsBetweenRequest, v1::PairsResponse>* PairsBetween(
      grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<v1::ClustersResponse>* Clusters(grpc::CallbackServerContext* context,
                                                           const v1::ClustersRequest* request) override;
  grpc::ServerUnaryReactor* Stats(grpc::CallbackServerContext* context, const v1::StatsRequest* request,
                                  v1::StatsResponse* response) override;

 private:
  Serving& serving_;
};

}  // namespace kindred::daemon
