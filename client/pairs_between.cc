#include "client/pairs_between.h"

#include <thread>
#include <utility>

#include "client/grpc_time.h"

namespace kindred::client {
namespace {

// Of one message: enough to keep the daemon busy, and far below what it takes at once.
constexpr int kBatchRecords = 256;
constexpr size_t kBatchBytes = 256 << 10;

}  // namespace

absl::Status CallPairsBetween(Connection& connection, const v1::PairsRequest& request,
                              std::chrono::milliseconds timeout, const Client::NextRecord& next,
                              const Client::OnPairs& on_pairs) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(timeout));
  const auto stream = connection.stub->PairsBetween(&context);
  absl::Status taken;
  std::thread reader([&] {
    v1::PairsResponse message;
    while (taken.ok() && stream->Read(&message)) {
      taken = on_pairs(message);
    }
    if (!taken.ok()) {
      context.TryCancel();
    }
  });
  v1::PairsBetweenRequest out;
  *out.mutable_open() = request;
  bool writing = stream->Write(out);
  out.clear_open();
  while (writing) {
    out.clear_records();
    size_t bytes = 0;
    while (out.records_size() < kBatchRecords && bytes < kBatchBytes) {
      std::optional<v1::Record> record = next();
      if (!record) {
        break;
      }
      record->clear_payload();
      record->clear_tags();
      bytes += record->ByteSizeLong();
      *out.add_records() = *std::move(record);
    }
    if (out.records_size() == 0) {
      break;
    }
    writing = stream->Write(out);
  }
  stream->WritesDone();
  reader.join();
  const absl::Status ended = StatusOf(connection, stream->Finish());
  return taken.ok() ? ended : taken;
}

}  // namespace kindred::client
