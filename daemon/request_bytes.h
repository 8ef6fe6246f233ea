// A request while it is bytes: where it becomes a message.
//
// gRPC would parse requests on its few threads, on which every other client's bytes are waited for, too, and
// before anybody asked whether the caller may call at all. So every call takes bytes, and parses them once it
// is let in. A small request is parsed on the thread that read it, which is quick. A large one goes to a
// thread of its own and of lesser priority: there it may be refused for the sizes of its graphs without being
// parsed. So a flood of requests that are refused costs others next to nothing, and floods wait for each
// other.
//
// Threads: made on a thread of gRPC's; read there or on the thread for large requests.
// Invariants: the bytes of a call's one request that wait to be parsed, and the message that they become, are
//             leased from search_queue_bytes_max; gRPC's own quota bounds those of streams.

#pragma once

#include <chrono>
#include <utility>

#include "absl/status/statusor.h"
#include "daemon/graph_sizes.h"
#include "daemon/request_budget.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/impl/codegen/proto_utils.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "index/base/check.h"
#include "index/base/out_of_memory.h"
#include "index/base/status.h"

namespace kindred::daemon {

// Parsing one takes less than a millisecond, whatever is in it.
inline constexpr size_t kSmallRequestBytes = 64 << 10;

// What is large and has a graph over a limit is answered no sooner than so long after it came, or is the last
// of its stream that is read for so long: few can follow it.
inline constexpr std::chrono::milliseconds kRefusalPace{50};

inline bool IsSmall(const grpc::ByteBuffer& bytes) { return bytes.Length() <= kSmallRequestBytes; }

// The bytes are gone afterwards.
template <typename Message>
absl::Status ParseMessage(grpc::ByteBuffer& bytes, Message& message) {
  return OrOutOfMemory([&]() -> absl::Status {
    const bool parsed = grpc::SerializationTraits<Message>::Deserialize(&bytes, &message).ok();
    bytes.Clear();
    return parsed ? absl::OkStatus()
                  : InvalidArgument("the message is no {}", Message::descriptor()->full_name());
  });
}

// Which graphs of a `Message` are over a limit.
template <typename Message>
absl::StatusOr<LargeGraphs> LookAt(grpc::ByteBuffer& bytes, const Limits& limits) {
  return OrOutOfMemory([&] {
    grpc::ProtoBufferReader reader(&bytes);
    return FindLargeGraphs(reader, *Message::descriptor(), limits);
  });
}

template <typename Message>
void SerializeMessage(const Message& message, grpc::ByteBuffer& bytes) {
  bytes.Clear();  // Of what was sent before.
  bool own_buffer = false;
  KINDRED_CHECK(grpc::SerializationTraits<Message>::Serialize(message, &bytes, &own_buffer).ok());
}

// The one request of a call.
class RequestBytes {
 public:
  // The call's own, which gRPC keeps until the call is done; nobody else has them.
  explicit RequestBytes(const grpc::ByteBuffer* bytes) : bytes_(const_cast<grpc::ByteBuffer&>(*bytes)) {}

  bool is_small() const { return IsSmall(bytes_); }

  // Has `read()` called, here or on the thread for large requests. Not OK: it is not called.
  template <typename Read>
  absl::Status Hand(Serving& serving, const Limits& limits, Read read) {
    if (is_small()) {
      read();
      return absl::OkStatus();
    }
    KINDRED_ASSIGN_OR_RETURN(lease_, serving.requests().Take(bytes_.Length(), limits));
    serving.large_requests().Submit(std::move(read));
    return absl::OkStatus();
  }

  template <typename Message>
  absl::StatusOr<LargeGraphs> Look(const Limits& limits) {
    return LookAt<Message>(bytes_, limits);
  }

  // The bytes are gone afterwards; what the message takes is leased until this goes, or Release().
  template <typename Message>
  absl::Status Parse(Serving& serving, const Limits& limits, Message& message) {
    Release();
    KINDRED_RETURN_IF_ERROR(ParseMessage(bytes_, message));
    KINDRED_ASSIGN_OR_RETURN(lease_, serving.requests().Take(message.SpaceUsedLong(), limits));
    return absl::OkStatus();
  }

  void Clear() { bytes_.Clear(); }
  void Release() { lease_ = {}; }

 private:
  grpc::ByteBuffer& bytes_;
  RequestBudget::Lease lease_;
};

}  // namespace kindred::daemon
