#include "daemon/kernel_stream.h"

#include <algorithm>

#include "daemon/convert.h"

namespace kindred::daemon {
namespace {

using Clock = std::chrono::steady_clock;

// What rows that wait may take; one row at least.
constexpr size_t kReadyBytes = 4 << 20;

}  // namespace

absl::StatusOr<bool> KernelStream::Next(Response& row, const Interrupt& interrupt) {
  const auto start = Clock::now();
  KINDRED_RETURN_IF_ERROR(interrupt.Check());
  if (!matrix_) {
    KINDRED_RETURN_IF_ERROR(MakeMatrix(interrupt));
  }
  if (next_ == matrix_->size()) {
    return false;
  }
  if (next_ == first_ready_ + ready_.size()) {
    KINDRED_RETURN_IF_ERROR(MakeRows(interrupt));
  }
  const std::vector<double> values = *std::move(ready_[next_ - first_ready_]);
  row.set_index(next_);
  row.set_id(matrix_->id(next_));
  row.set_tag(matrix_->tag(next_));
  row.mutable_values()->Assign(values.begin(), values.end());
  ++next_;
  took_ += Clock::now() - start;
  if (next_ == matrix_->size()) {
    v1::KernelStats& stats = *row.mutable_stats();
    stats.set_entries(matrix_->gram().entry_count());
    stats.set_memory_bytes(matrix_->gram().memory_bytes());
    stats.set_micros(
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took_).count()));
  }
  return true;
}

std::vector<LogField> KernelStream::LogFields() const {
  const bool made = matrix_.has_value();
  return {{"depth", int64_t{request_.has_depth() ? request_.depth() : engine_.depth()}},
          {"graphs", static_cast<int64_t>(made ? matrix_->size() : 0)},
          {"rows", static_cast<int64_t>(next_)},
          {"entries", static_cast<int64_t>(made ? matrix_->gram().entry_count() : 0)}};
}

absl::Status KernelStream::MakeMatrix(const Interrupt& interrupt) {
  KINDRED_ASSIGN_OR_RETURN(const KernelRequest request, ToKernelRequest(request_));
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> snapshot, engine_.snapshot());
  const auto parallel_for = [this](size_t count, const std::function<void(size_t)>& work) {
    engine_.executor().ParallelFor(count, work);
  };
  KINDRED_ASSIGN_OR_RETURN(
      matrix_, KernelMatrix::Create(*snapshot, request, engine_.limits(), interrupt, parallel_for));
  return absl::OkStatus();
}

absl::Status KernelStream::MakeRows(const Interrupt& interrupt) {
  const size_t row_bytes = matrix_->size() * sizeof(double);
  first_ready_ = next_;
  ready_.clear();
  ready_.resize(std::min(matrix_->size() - next_, std::max<size_t>(kReadyBytes / row_bytes, 1)));
  engine_.executor().ParallelFor(ready_.size(),
                                 [&](size_t i) { ready_[i] = matrix_->Values(first_ready_ + i, interrupt); });
  for (const auto& values : ready_) {
    KINDRED_RETURN_IF_ERROR(values.status());
  }
  return absl::OkStatus();
}

}  // namespace kindred::daemon
