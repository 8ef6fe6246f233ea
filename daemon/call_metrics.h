// Counts and times of calls, by method and code: of every method the server has, whoever serves it.
//
// Threads: any.
// Cost: a call looks its method up under a lock once; what follows are additions to counters.

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "daemon/distribution.h"
#include "daemon/metrics_text.h"
#include "grpcpp/support/status.h"

namespace kindred::daemon {

class CallMetrics {
 public:
  class Method {
   public:
    explicit Method(std::string name);

    const std::string& name() const { return name_; }
    void Started() { started_.fetch_add(1, std::memory_order_relaxed); }
    // Follows each Started once.
    void Finished(grpc::StatusCode code, std::chrono::nanoseconds took);

   private:
    friend class CallMetrics;
    static constexpr size_t kCodes = 17;  // gRPC's, 0 to 16; what is beyond is UNKNOWN.

    const std::string name_;
    std::atomic<uint64_t> started_{0};
    std::atomic<uint64_t> finished_{0};
    std::array<std::unique_ptr<Distribution>, kCodes> seconds_;
  };

  // `name` as gRPC gives it, "/package.Service/Method". The server has only so many.
  Method& Of(std::string_view name);

  void WriteTo(MetricsText& text) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Method, std::less<>> methods_;  // Never shrinks: references stay good.
};

// "OK", "INVALID_ARGUMENT", ...
std::string_view NameOf(grpc::StatusCode code);

}  // namespace kindred::daemon
