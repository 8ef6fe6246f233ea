// Makes the messages of a Kernel call: the rows of the matrix, in order.
//
// Rows are computed some at a time, on idle threads too, and wait here to be sent: a few MiB, however large
// the matrix is.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/server_stream.h"
#include "index/engine/engine.h"
#include "index/engine/kernel_matrix.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class KernelStream {
 public:
  using Request = v1::KernelRequest;
  using Response = v1::KernelRow;

  KernelStream(const Engine& engine, Request request) : engine_(engine), request_(std::move(request)) {}

  absl::StatusOr<bool> Next(Response& row, const Interrupt& interrupt);
  std::vector<LogField> LogFields() const;

 private:
  const Engine& engine_;
  Request request_;
  absl::Status MakeMatrix(const Interrupt& interrupt);
  absl::Status MakeRows(const Interrupt& interrupt);

  std::optional<KernelMatrix> matrix_;  // Made with the first row.
  size_t next_ = 0;                     // The row to send.
  size_t first_ready_ = 0;
  std::vector<absl::StatusOr<std::vector<double>>> ready_;  // Rows from first_ready_ on.
  std::chrono::steady_clock::duration took_{};
};

}  // namespace kindred::daemon
