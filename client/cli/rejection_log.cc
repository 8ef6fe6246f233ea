#include "client/cli/rejection_log.h"

#include <string_view>
#include <utility>

#include "client/cli/text.h"
#include "fmt/format.h"

namespace kindred::cli {
namespace {

// "frame.items[17].put.graph.edges[2]: ..." -> "graph.edges[2]: ...": the frame is our own doing.
std::string Reason(const absl::Status& status) {
  const std::string message(status.message());
  if (message.starts_with("frame.items[")) {
    for (const std::string_view put : {"].put.", "].encoded_put.", "]."}) {
      if (const size_t end = message.find(put); end != std::string::npos) {
        return message.substr(end + put.size());
      }
    }
  }
  return message.empty() ? absl::StatusCodeToString(status.code()) : message;
}

}  // namespace

void RejectionLog::Add(RejectedRecord record) {
  const std::scoped_lock lock(mutex_);
  if (++count_ <= kept_max_) {
    kept_.push_back(std::move(record));
  }
}

std::vector<RejectedRecord> RejectionLog::Take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(kept_, {});
}

uint64_t RejectionLog::count() const {
  const std::scoped_lock lock(mutex_);
  return count_;
}

std::string ToLine(const RejectedRecord& record) {
  return Printable(fmt::format("{}:{}: {}{}{}", record.file, record.position, record.id,
                               record.id.empty() ? "" : ": ", Reason(record.status)));
}

Json ToJson(const RejectedRecord& record) {
  return {{"file", record.file},
          {"position", record.position},
          {"id", record.id},
          {"code", absl::StatusCodeToString(record.status.code())},
          {"reason", Reason(record.status)}};
}

}  // namespace kindred::cli
