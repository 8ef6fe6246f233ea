// Makes the messages of an Export call: pages of records, in the order of their commits.

#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "daemon/server_stream.h"
#include "index/engine/engine.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class ExportStream {
 public:
  using Request = v1::ExportRequest;
  using Response = v1::ExportResponse;

  ExportStream(const Engine& engine, const Request& request)
      : engine_(engine), min_sequence_{request.min_sequence()} {}

  absl::StatusOr<bool> Next(Response& page, const Interrupt& interrupt);
  std::vector<LogField> LogFields() const { return {{"records", records_}}; }

 private:
  const Engine& engine_;
  CommitSequence min_sequence_;
  std::shared_ptr<const Snapshot> snapshot_;  // Taken with the first page.
  GraphId next_{};
  int64_t records_ = 0;  // That were told.
};

}  // namespace kindred::daemon
