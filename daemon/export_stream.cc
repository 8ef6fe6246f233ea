#include "daemon/export_stream.h"

#include "daemon/convert.h"

namespace kindred::daemon {
namespace {

constexpr size_t kPageBytes = 256 << 10;

}  // namespace

absl::StatusOr<bool> ExportStream::Next(Response& page, const Interrupt& interrupt) {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (snapshot_ == nullptr) {
    KINDRED_ASSIGN_OR_RETURN(snapshot_, engine_.snapshot(min_sequence_));
  }
  page.set_sequence(Raw(snapshot_->sequence));
  size_t bytes = 0;
  bool full = false;
  const absl::Status status = snapshot_->store->ForEachRecord(
      next_, GraphId{UINT64_MAX}, [&](GraphId id, const StoredRecord& record) {
        v1::Record& message = *page.add_records() = ToProto(record, snapshot_->store->molecule_scheme());
        next_ = GraphId{Raw(id) + 1};
        ++records_;
        bytes += message.ByteSizeLong();
        full = bytes >= kPageBytes;
        return full ? absl::CancelledError() : absl::OkStatus();
      });
  if (!full) {
    KINDRED_RETURN_IF_ERROR(status);
  }
  return page.records_size() > 0;
}

}  // namespace kindred::daemon
