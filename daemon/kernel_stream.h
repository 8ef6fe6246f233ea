// Makes the messages of a Kernel call: the rows of the matrix, in order.

#pragma once

#include <memory>
#include <optional>

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

 private:
  const Engine& engine_;
  Request request_;
  std::optional<KernelMatrix> matrix_;  // Made with the first row.
  size_t next_ = 0;
};

}  // namespace kindred::daemon
