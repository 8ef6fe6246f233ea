// The memory of all requests that are being answered: search_queue_bytes_max. What gRPC has read is in memory
// already; this decides whether it may stay.
//
// Threads: everything from any thread.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "index/base/limits.h"
#include "index/base/status.h"

namespace kindred::daemon {

class RequestBudget {
 public:
  // Gives the bytes back when it goes. The budget must outlive it.
  class Lease {
   public:
    Lease() = default;
    Lease(Lease&& other) noexcept : budget_(other.budget_), bytes_(other.bytes_) { other.budget_ = nullptr; }
    Lease& operator=(Lease&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Lease() {
      if (budget_ != nullptr) {
        budget_->used_ -= bytes_;
      }
    }

   private:
    friend class RequestBudget;
    Lease(RequestBudget* budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {}

    RequestBudget* budget_ = nullptr;
    uint64_t bytes_ = 0;
  };

  // RESOURCE_EXHAUSTED beyond the limit; but a request that is alone is taken, however large.
  absl::StatusOr<Lease> Take(uint64_t bytes, const Limits& limits) {
    const uint64_t before = used_.fetch_add(bytes);
    Lease lease(this, bytes);
    if (before > 0 && before + bytes > limits.search_queue_bytes_max) {
      return OverLimit("bytes of waiting requests", before + bytes, "search_queue_bytes_max",
                       limits.search_queue_bytes_max);
    }
    return lease;
  }

  uint64_t used() const { return used_; }

 private:
  std::atomic<uint64_t> used_{0};
};

}  // namespace kindred::daemon
