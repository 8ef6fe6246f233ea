// A Compact call.

#pragma once

#include <functional>

#include "absl/status/status.h"
#include "index/base/interrupt.h"
#include "index/engine/engine.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

struct CompactJob {
  using Request = v1::CompactRequest;
  using Response = v1::CompactResponse;

  static absl::Status Run(Engine& engine, const Request& request, const std::function<void(Response)>& tell,
                          const Interrupt& interrupt);
};

}  // namespace kindred::daemon
