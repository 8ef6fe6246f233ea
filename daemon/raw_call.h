// The common course of a unary call whose request may be large: its bytes are looked at before they become a
// message.
//
// gRPC would parse a request on one of its few threads, on which every other client's bytes are waited for,
// too. A small request still is, which is quick. A large one is handed, as bytes, to a thread of its own and
// of lesser priority: there it is refused for the sizes of its graphs without being parsed, or parsed and
// passed on. So a flood of requests that are refused costs others next to nothing, and floods wait for each
// other. Who sends one after the other is answered at a pace (kRefusalPace).
//
// Threads: made on a thread of gRPC's; what follows runs there or on the thread for large requests.
// Invariants: the bytes of requests that wait to be parsed, and the memory of those that are, are leased from
//             search_queue_bytes_max.

#pragma once

#include <chrono>
#include <utility>

#include "absl/status/statusor.h"
#include "daemon/errors.h"
#include "daemon/graph_sizes.h"
#include "daemon/refusal.h"
#include "daemon/request_budget.h"
#include "daemon/serving.h"
#include "daemon/unary_call.h"
#include "grpcpp/grpcpp.h"
#include "grpcpp/impl/codegen/proto_utils.h"
#include "grpcpp/support/proto_buffer_reader.h"

namespace kindred::daemon {

// Parsing one takes less than a millisecond, whatever is in it.
inline constexpr size_t kSmallRequestBytes = 64 << 10;

// A large request with a graph over a limit is answered no sooner than so long after it came: few can follow
// it.
inline constexpr std::chrono::milliseconds kRefusalPace{50};

// A call with its messages. Keeps its admission, and its share of the memory for requests, until gRPC has
// sent the answer.
template <typename RequestMessage, typename ResponseMessage>
class RawCall final : public grpc::ServerUnaryReactor {
 public:
  using Request = RequestMessage;
  using Response = ResponseMessage;

  RawCall(Serving& serving, Serving::Admission admission, grpc::CallbackServerContext& context,
          grpc::ByteBuffer& bytes, grpc::ByteBuffer& answer)
      : serving_(serving),
        admission_(std::move(admission)),
        context_(context),
        bytes_(bytes),
        answer_(answer) {}

  Serving& serving() const { return serving_; }
  Engine& engine() const { return *admission_.engine; }
  grpc::CallbackServerContext& context() const { return context_; }
  const Request& request() const { return request_; }
  Response& response() { return response_; }
  // Whose records of the request are over a limit; empty for a small one, which nobody has looked at.
  const LargeGraphs& large_graphs() const { return large_; }

  bool is_small() const { return bytes_.Length() <= kSmallRequestBytes; }

  // Once. The call may be gone when it returns.
  void Answer(const absl::Status& status) {
    bytes_.Clear();  // Of one that was refused; here rather than on a thread of gRPC's.
    grpc::Status sent = ToGrpc(status);
    if (bool own_buffer = false; sent.ok()) {
      sent = grpc::SerializationTraits<Response>::Serialize(response_, &answer_, &own_buffer);
    }
    if (large_.refused.empty()) {
      Finish(sent);
      return;
    }
    request_.Clear();
    lease_ = {};
    FinishAt(serving_.timer(), begun_ + kRefusalPace, this, sent);
  }

  // Leases memory for the bytes while they wait for a thread.
  absl::Status LeaseBytes() { return Lease(bytes_.Length()); }

  // Counts what the bytes have of graphs; the request is not there yet.
  absl::Status Look() {
    grpc::ProtoBufferReader reader(&bytes_);
    KINDRED_ASSIGN_OR_RETURN(large_, FindLargeGraphs(reader, *Request::descriptor(), engine().limits()));
    return absl::OkStatus();
  }

  // The bytes are gone afterwards.
  absl::Status Parse() {
    if (!grpc::SerializationTraits<Request>::Deserialize(&bytes_, &request_).ok()) {
      return InvalidArgument("the message is no {}", Request::descriptor()->full_name());
    }
    return Lease(request_.SpaceUsedLong());
  }

  void OnDone() override { delete this; }

 private:
  absl::Status Lease(uint64_t bytes) {
    lease_ = {};  // What was leased before is given back first.
    KINDRED_ASSIGN_OR_RETURN(lease_, serving_.requests().Take(bytes, engine().limits()));
    return absl::OkStatus();
  }

  const Timer::Clock::time_point begun_ = Timer::Clock::now();
  Serving& serving_;
  const Serving::Admission admission_;
  grpc::CallbackServerContext& context_;
  grpc::ByteBuffer& bytes_;
  grpc::ByteBuffer& answer_;
  RequestBudget::Lease lease_;
  LargeGraphs large_;
  Request request_;
  Response response_;
};

// Lets a call in, reads its request, and calls `refuse(call)` for one with graphs over a limit, which answers
// it or returns false to have it parsed all the same; then `go(call)`, which sees to it that it is answered.
template <typename Call, typename Refuse, typename Go>
grpc::ServerUnaryReactor* StartRawCall(Serving& serving, grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer, Refuse refuse,
                                       Go go) {
  auto admission = serving.Admit(*context);
  if (!admission.ok()) {
    return daemon::Refuse(serving, context, admission.status());
  }
  // The call's own, which gRPC would keep until the call is done; nobody else has them.
  auto& own_bytes = const_cast<grpc::ByteBuffer&>(*bytes);
  auto* const call =
      new Call(serving, *std::move(admission), *context, own_bytes, *answer);  // Deletes itself in OnDone.
  const auto parse = [call, go = std::move(go)] {
    if (const absl::Status status = OrOutOfMemory([call] { return call->Parse(); }); status.ok()) {
      go(*call);
    } else {
      call->Answer(status);
    }
  };
  if (call->is_small()) {
    parse();
    return call;
  }
  if (const absl::Status status = call->LeaseBytes(); !status.ok()) {
    call->Answer(status);
    return call;
  }
  serving.large_requests().Submit([call, parse, refuse = std::move(refuse)] {
    if (const absl::Status status = OrOutOfMemory([call] { return call->Look(); }); !status.ok()) {
      call->Answer(status);
    } else if (call->large_graphs().refused.empty() || !refuse(*call)) {
      parse();
    }
  });
  return call;
}

// As StartRawCall for a call that reads: `work(call)` runs on the executor, and its status is the call's. One
// graph over a limit refuses the call.
template <typename Call, typename Work>
grpc::ServerUnaryReactor* RunRaw(Serving& serving, grpc::CallbackServerContext* context,
                                 const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer, Work work) {
  return StartRawCall<Call>(
      serving, context, bytes, answer,
      [](Call& call) {
        call.Answer(call.large_graphs().refused.front().status);
        return true;
      },
      [work = std::move(work)](Call& call) {
        const bool queued = call.engine().executor().TrySubmit(
            [&call, work] { call.Answer(OrOutOfMemory([&]() -> absl::Status { return work(call); })); });
        if (!queued) {
          call.Answer(QueueFull(call.engine().limits()));
        }
      });
}

}  // namespace kindred::daemon
