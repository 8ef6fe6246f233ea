// A call that answers with a stream of messages, made one at a time on the executor.
//
// One thing is under way at any time: making a message, or writing it. So nothing needs a lock, a message
// lives until it is written, and a slow client holds one message, not more.

#pragma once

#include <memory>
#include <utility>

#include "daemon/errors.h"
#include "daemon/refusal.h"
#include "daemon/serving.h"
#include "daemon/unary_call.h"
#include "grpcpp/grpcpp.h"

namespace kindred::daemon {

// `Source` is constructible from (const Engine&, Request) and has
//   absl::StatusOr<bool> Next(Response& message, const Interrupt&);   false: no more messages
template <typename Source>
class ServerStream final : public grpc::ServerWriteReactor<typename Source::Response> {
 public:
  ServerStream(Serving& serving, grpc::CallbackServerContext* context,
               const typename Source::Request& request)
      : serving_(serving), context_(context) {
    auto admission = serving.Admit(*context);
    if (!admission.ok()) {
      FinishRefused(this, admission.status());
      return;
    }
    admission_ = *std::move(admission);
    source_ = std::make_unique<Source>(*admission_.engine, request);
    if (!admission_.engine->executor().TrySubmit([this] { Step(); })) {
      this->Finish(ToGrpc(QueueFull(admission_.engine->limits())));
    }
  }

  void OnWriteDone(bool ok) override {
    if (!ok) {
      this->Finish(grpc::Status(grpc::StatusCode::CANCELLED, "the client went away"));
      return;
    }
    admission_.engine->executor().Submit([this] { Step(); });
  }

  void OnDone() override { delete this; }

 private:
  void Step() {
    if (serving_.draining()) {
      this->Finish(ToGrpc(absl::UnavailableError("kindredd is stopping")));
      return;
    }
    message_.Clear();
    const absl::StatusOr<bool> more =
        OrOutOfMemory([this] { return source_->Next(message_, InterruptOf(*context_)); });
    if (more.ok() && *more) {
      this->StartWrite(&message_);
    } else {
      this->Finish(ToGrpc(more.status()));
    }
  }

  const Serving& serving_;
  grpc::CallbackServerContext* const context_;
  Serving::Admission admission_;
  std::unique_ptr<Source> source_;
  typename Source::Response message_;
};

template <typename Source>
grpc::ServerWriteReactor<typename Source::Response>* StartStream(Serving& serving,
                                                                 grpc::CallbackServerContext* context,
                                                                 const typename Source::Request* request) {
  return new ServerStream<Source>(serving, context, *request);  // Deletes itself in OnDone.
}

}  // namespace kindred::daemon
