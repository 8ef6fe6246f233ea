// The daemon's side of the ingest protocol for tests: applies each frame once, keeps the client's position,
// and loses its connection where it is told to.

#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/unit/client/fake_index.h"

namespace kindred::client {

// Longer than anything in a test should take.
inline constexpr std::chrono::seconds kPatience{60};

// The record of a put, however it travelled.
inline v1::Record PutOf(const v1::IngestItem& item) {
  v1::Record record = item.put();
  if (item.has_encoded_put()) {
    record.ParseFromString(item.encoded_put());
  }
  return record;
}

// Threads: everything from any thread.
class FakeIngest {
 public:
  // When a connection is lost, for the frame of this number: before it is applied, or after it was but
  // before it is acknowledged. Once each.
  enum class Loss { kBefore, kAfter };

  std::map<uint64_t, Loss> losses;
  grpc::Status lost{grpc::StatusCode::UNAVAILABLE, "kindredd is stopping"};
  // Answers to opens, instead of serving them; the last stays.
  std::vector<grpc::Status> refusals;
  // What the position is said to be when it is not what it is.
  std::map<size_t, uint64_t> durable_told;  // By the number of the open, from 1.

  grpc::Status Serve(FakeIndex::IngestCall& call) {
    if (const grpc::Status status = Open(call); !status.ok()) {
      return status;
    }
    v1::IngestRequest request;
    while (call.Read(&request)) {
      v1::IngestResponse response;
      if (const grpc::Status status = Apply(request.frame(), *response.mutable_ack()); !status.ok()) {
        return status;
      }
      call.Write(response);
    }
    return grpc::Status::OK;
  }

  std::vector<v1::IngestOpen> opens() {
    const std::scoped_lock lock(mutex_);
    return opens_;
  }
  // The ids of the records applied, each time they were.
  std::vector<std::string> ids() {
    const std::scoped_lock lock(mutex_);
    return ids_;
  }
  uint64_t durable() {
    const std::scoped_lock lock(mutex_);
    return durable_;
  }

 private:
  grpc::Status Open(FakeIndex::IngestCall& call) {
    v1::IngestRequest request;
    call.Read(&request);
    v1::IngestResponse response;
    {
      const std::scoped_lock lock(mutex_);
      opens_.push_back(request.open());
      if (!refusals.empty() && opens_.size() > 1) {
        const grpc::Status refusal = refusals.front();
        if (refusals.size() > 1) {
          refusals.erase(refusals.begin());
        }
        if (!refusal.ok()) {
          return refusal;
        }
      }
      const auto told = durable_told.find(opens_.size());
      response.mutable_opened()->set_durable_client_sequence(told == durable_told.end() ? durable_
                                                                                        : told->second);
    }
    call.Write(response);
    return grpc::Status::OK;
  }

  grpc::Status Apply(const v1::IngestFrame& frame, v1::IngestAck& ack) {
    const std::scoped_lock lock(mutex_);
    const uint64_t number = frame.client_sequence();
    if (number > durable_ + 1) {
      return {grpc::StatusCode::FAILED_PRECONDITION, "a gap"};
    }
    const auto loss = losses.find(number);
    const bool is_lost = loss != losses.end();
    const Loss when = is_lost ? loss->second : Loss::kBefore;
    losses.erase(number);
    if (is_lost && when == Loss::kBefore) {
      return lost;
    }
    ack.set_client_sequence(number);
    ack.set_sequence(100 + number);
    if (number <= durable_) {
      ack.set_repeated_frames(1);
      return grpc::Status::OK;
    }
    durable_ = number;
    for (const v1::IngestItem& item : frame.items()) {
      ids_.push_back(PutOf(item).id());
    }
    ack.set_inserted(static_cast<uint64_t>(frame.items_size()));
    return is_lost ? lost : grpc::Status::OK;
  }

  std::mutex mutex_;  // Guards all below, and the scripts above while a call runs.
  std::vector<v1::IngestOpen> opens_;
  std::vector<std::string> ids_;
  uint64_t durable_ = 0;
};

}  // namespace kindred::client
