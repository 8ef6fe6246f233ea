#include "daemon/kernel_stream.h"

#include <utility>
#include <vector>

#include "daemon/convert.h"

namespace kindred::daemon {

absl::StatusOr<bool> KernelStream::Next(Response& row, const Interrupt& interrupt) {
  if (!matrix_) {
    KINDRED_ASSIGN_OR_RETURN(const KernelRequest request, ToKernelRequest(request_));
    KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> snapshot, engine_.snapshot());
    KINDRED_ASSIGN_OR_RETURN(matrix_, KernelMatrix::Create(*snapshot, request, engine_.limits(), interrupt));
  }
  if (next_ == matrix_->size()) {
    return false;
  }
  KINDRED_ASSIGN_OR_RETURN(const std::vector<double> values, matrix_->Values(next_, interrupt));
  row.set_index(next_);
  row.set_id(matrix_->id(next_));
  row.set_tag(matrix_->tag(next_));
  row.mutable_values()->Assign(values.begin(), values.end());
  ++next_;
  return true;
}

}  // namespace kindred::daemon
