#include "daemon/verify_stream.h"

#include "index/base/status.h"

namespace kindred::daemon {
namespace {

void FillFindings(const VerifyReport& report, v1::VerifyResponse& message) {
  for (const Finding& finding : report.findings) {
    v1::VerifyFinding& added = *message.add_findings();
    added.set_family(finding.family);
    added.set_key(finding.key);
    added.set_what(finding.what);
  }
}

}  // namespace

absl::StatusOr<bool> VerifyStream::Next(Response& message, const Interrupt& interrupt) {
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (done_) {
    return false;
  }
  if (!verifier_) {
    KINDRED_ASSIGN_OR_RETURN(snapshot_, engine_.snapshot());
    verifier_.emplace(*snapshot_, engine_.executor());
  }
  done_ = !verifier_->Step();
  const VerifyReport& report = verifier_->report();
  message.set_sequence(Raw(report.sequence));
  message.set_graphs(verifier_->graphs_expected());
  message.set_graphs_checked(report.graphs);
  message.set_graphs_listed(report.listed);
  message.set_labels(report.labels);
  message.set_colours(report.colours);
  message.set_finding_count(report.finding_count);
  message.set_done(done_);
  if (done_) {
    FillFindings(report, message);
  }
  return true;
}

}  // namespace kindred::daemon
