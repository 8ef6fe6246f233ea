// The handlers of kindred.v1.Admin.
//
// Threads: as IndexService.

#pragma once

#include "daemon/serving.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::daemon {

// All take and give bytes (request_bytes.h).
using RawAdmin = v1::Admin::WithRawCallbackMethod_Verify<
    v1::Admin::WithRawCallbackMethod_Backup<v1::Admin::WithRawCallbackMethod_Compact<v1::Admin::Service>>>;

class AdminService final : public RawAdmin {
 public:
  // `serving` must outlive this.
  explicit AdminService(Serving& serving) : serving_(serving) {}

  grpc::ServerWriteReactor<grpc::ByteBuffer>* Verify(grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* request) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Backup(grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* request) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Compact(grpc::CallbackServerContext* context,
                                                      const grpc::ByteBuffer* request) override;

 private:
  Serving& serving_;
};

}  // namespace kindred::daemon
