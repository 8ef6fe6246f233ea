#include "index/store/loss.h"

#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred {
namespace {

std::string Untold(std::string_view why, CommitSequence sequence) {
  return fmt::format(
      "{}, so nothing tells whether commits after {}, the last one found, were acknowledged and are lost",
      why, Raw(sequence));
}

}  // namespace

std::optional<std::string> FindLoss(const std::string& witness_path,
                                    const absl::StatusOr<std::optional<Witness::Claim>>& claim,
                                    const Witness::Claim& store) {
  if (!claim.ok()) {
    return Untold(std::string(claim.status().message()), store.sequence);
  }
  if (!claim->has_value()) {
    return Untold(witness_path + " is missing", store.sequence);
  }
  if ((*claim)->identity != store.identity) {
    return Untold(witness_path + " is the witness of another store", store.sequence);
  }
  if (const CommitSequence acknowledged = (*claim)->sequence; store.sequence < acknowledged) {
    return fmt::format(
        "commits {} to {} are lost: {} says that {} was acknowledged, but db/ ends with {}. A write-ahead "
        "log "
        "(db/*.log) or another file of db/ was cut short, removed or replaced",
        Raw(store.sequence) + 1, Raw(acknowledged), witness_path, Raw(acknowledged), Raw(store.sequence));
  }
  return std::nullopt;
}

absl::Status WithWayOut(const absl::Status& status, const std::string& directory) {
  return status.code() == absl::StatusCode::kDataLoss
             ? DataLoss("data directory {}: {}; restore a backup of the directory", directory,
                        std::string(status.message()))
             : status;
}

}  // namespace kindred
