#include "daemon/admin_service.h"

#include "daemon/backup_job.h"
#include "daemon/compact_job.h"
#include "daemon/job_stream.h"
#include "daemon/server_stream.h"
#include "daemon/verify_stream.h"

namespace kindred::daemon {

grpc::ServerWriteReactor<grpc::ByteBuffer>* AdminService::Verify(grpc::CallbackServerContext* context,
                                                                 const grpc::ByteBuffer* request) {
  return StartStream<VerifyStream>(serving_, context, request);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* AdminService::Backup(grpc::CallbackServerContext* context,
                                                                 const grpc::ByteBuffer* request) {
  return StartJob<BackupJob>(serving_, context, request);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* AdminService::Compact(grpc::CallbackServerContext* context,
                                                                  const grpc::ByteBuffer* request) {
  return StartJob<CompactJob>(serving_, context, request);
}

}  // namespace kindred::daemon
