#include "daemon/admin_service.h"

#include "daemon/backup_job.h"
#include "daemon/compact_job.h"
#include "daemon/job_stream.h"
#include "daemon/server_stream.h"
#include "daemon/verify_stream.h"

namespace kindred::daemon {

grpc::ServerWriteReactor<v1::VerifyResponse>* AdminService::Verify(grpc::CallbackServerContext* context,
                                                                   const v1::VerifyRequest* request) {
  return StartStream<VerifyStream>(serving_, context, request);
}

grpc::ServerWriteReactor<v1::BackupResponse>* AdminService::Backup(grpc::CallbackServerContext* context,
                                                                   const v1::BackupRequest* request) {
  return StartJob<BackupJob>(serving_, context, request);
}

grpc::ServerWriteReactor<v1::CompactResponse>* AdminService::Compact(grpc::CallbackServerContext* context,
                                                                     const v1::CompactRequest* request) {
  return StartJob<CompactJob>(serving_, context, request);
}

}  // namespace kindred::daemon
