// The handlers of kindred.v1.Index: convert, call, map the error, answer.
//
// Threads: gRPC calls these from its few callback threads, so nothing blocks here: the work runs on the
//          engine's executor or its writer, which finish the call.

#pragma once

#include "daemon/serving.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::daemon {

// All take and give bytes (request_bytes.h).
using RawReads = v1::Index::WithRawCallbackMethod_Get<v1::Index::WithRawCallbackMethod_Search<
    v1::Index::WithRawCallbackMethod_SearchStream<v1::Index::WithRawCallbackMethod_Export<
        v1::Index::WithRawCallbackMethod_Kernel<v1::Index::WithRawCallbackMethod_Explain<
            v1::Index::WithRawCallbackMethod_Recommend<v1::Index::WithRawCallbackMethod_Watch<
                v1::Index::WithRawCallbackMethod_Stats<v1::Index::Service>>>>>>>>>;
using RawPairs = v1::Index::WithRawCallbackMethod_Pairs<
    v1::Index::WithRawCallbackMethod_PairsBetween<v1::Index::WithRawCallbackMethod_Clusters<RawReads>>>;
using RawIndex = v1::Index::WithRawCallbackMethod_Ingest<v1::Index::WithRawCallbackMethod_Put<
    v1::Index::WithRawCallbackMethod_PutIfNovel<v1::Index::WithRawCallbackMethod_Delete<RawPairs>>>>;

class IndexService final : public RawIndex {
 public:
  // `serving` must outlive this.
  explicit IndexService(Serving& serving) : serving_(serving) {}

  Serving& serving() const { return serving_; }

  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* Ingest(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* Put(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Delete(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                   grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Get(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Search(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                   grpc::ByteBuffer* response) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* SearchStream(
      grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Export(grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* request) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Kernel(grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* request) override;
  grpc::ServerUnaryReactor* Explain(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                    grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* Recommend(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(grpc::CallbackServerContext* context,
                                                    const grpc::ByteBuffer* request) override;
  grpc::ServerUnaryReactor* PutIfNovel(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Pairs(grpc::CallbackServerContext* context,
                                                    const grpc::ByteBuffer* request) override;
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* PairsBetween(
      grpc::CallbackServerContext* context) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Clusters(grpc::CallbackServerContext* context,
                                                       const grpc::ByteBuffer* request) override;
  grpc::ServerUnaryReactor* Stats(grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
                                  grpc::ByteBuffer* response) override;

 private:
  Serving& serving_;
};

}  // namespace kindred::daemon
