// The handlers of kindred.v1.Admin.
//
// Threads: as IndexService.

#pragma once

#include "daemon/serving.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::daemon {

class AdminService final : public v1::Admin::CallbackService {
 public:
  // `serving` must outlive this.
  explicit AdminService(Serving& serving) : serving_(serving) {}

  grpc::ServerWriteReactor<v1::VerifyResponse>* Verify(grpc::CallbackServerContext* context,
                                                       const v1::VerifyRequest* request) override;
  grpc::ServerWriteReactor<v1::BackupResponse>* Backup(grpc::CallbackServerContext* context,
                                                       const v1::BackupRequest* request) override;
  grpc::ServerWriteReactor<v1::CompactResponse>* Compact(grpc::CallbackServerContext* context,
                                                         const v1::CompactRequest* request) override;

 private:
  Serving& serving_;
};

}  // namespace kindred::daemon
