// Makes the messages of a Clusters call: how far it got, then groups, the large ones over several messages.
//
// A message takes a twentieth of a second to make, or as long as it takes to fill it, as of Pairs.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/server_stream.h"
#include "index/base/parallel.h"
#include "index/engine/cluster_search.h"
#include "index/engine/engine.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {

class ClustersStream {
 public:
  using Request = v1::ClustersRequest;
  using Response = v1::ClustersResponse;

  ClustersStream(const Engine& engine, Request request) : engine_(engine), request_(std::move(request)) {}

  absl::StatusOr<bool> Next(Response& message, const Interrupt& interrupt);
  std::vector<LogField> LogFields() const;

 private:
  using Clock = std::chrono::steady_clock;

  absl::Status Begin(const Interrupt& interrupt);
  absl::Status Fill(Response& message, Clock::time_point start, const Interrupt& interrupt);
  // As many members as fit; returns their bytes.
  size_t AddMembers(Response& message, size_t bytes_max);

  const Engine& engine_;
  const Request request_;
  ParallelFor parallel_for_;
  std::unique_ptr<ClusterSearch> search_;  // Begun with the first message.
  std::optional<Cluster> cluster_;         // Being told,
  size_t told_ = 0;                        // so many of its members.
  bool searched_ = false;                  // There are no more.
  bool done_ = false;                      // The last message was made.
  Clock::duration took_{};
};

}  // namespace kindred::daemon
