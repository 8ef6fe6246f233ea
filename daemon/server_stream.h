// A call that answers with a stream of messages, made one at a time on the executor.
//
// One thing is under way at any time: making a message, or writing it. So nothing needs a lock, a message
// lives until it is written, and a slow client holds one message, not more.

#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "daemon/errors.h"
#include "daemon/interrupts.h"
#include "daemon/refusal.h"
#include "daemon/request_bytes.h"
#include "daemon/serving.h"
#include "grpcpp/grpcpp.h"

namespace kindred::daemon {

// `Source` is constructible from (const Engine&, Request) and has
//   absl::StatusOr<bool> Next(Response& message, const Interrupt&);   false: no more messages
// and, if it is a question that may be slow,
//   std::vector<LogField> LogFields() const;   for the log: what it was, and what it cost so far
template <typename Source>
class ServerStream final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  ServerStream(Serving& serving, grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes)
      : serving_(serving), context_(context), bytes_(bytes) {
    auto admission = serving.Admit(*context);
    if (!admission.ok()) {
      FinishRefused(serving.timer(), this, admission.status());
      return;
    }
    admission_ = *std::move(admission);
    const absl::Status handed = bytes_.Hand(serving, admission_.engine->limits(), [this] { ReadRequest(); });
    if (!handed.ok()) {
      Finish(ToGrpc(handed));
    }
  }

  void OnWriteDone(bool ok) override {
    if (!ok) {
      End(absl::CancelledError("the client went away"));
      return;
    }
    admission_.engine->executor().Submit([this] { Step(); });
  }

  void OnDone() override { delete this; }

 private:
  void ReadRequest() {
    typename Source::Request request;
    const absl::Status status = bytes_.Parse(serving_, admission_.engine->limits(), request);
    if (!status.ok()) {
      Finish(ToGrpc(status));
      return;
    }
    source_ = std::make_unique<Source>(*admission_.engine, std::move(request));
    if (!admission_.engine->executor().TrySubmit([this] { Step(); })) {
      Finish(ToGrpc(QueueFull(admission_.engine->limits())));
    }
  }

  void Step() {
    if (serving_.draining()) {
      End(absl::UnavailableError("kindredd is stopping"));
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    message_.Clear();
    const absl::StatusOr<bool> more =
        OrOutOfMemory([this] { return source_->Next(message_, InterruptOf(*context_)); });
    took_ += std::chrono::steady_clock::now() - start;
    if (more.ok() && *more) {
      SerializeMessage(message_, bytes_written_);
      StartWrite(&bytes_written_);
    } else {
      End(more.status());
    }
  }

  // This may be gone when it returns.
  void End(const absl::Status& status) {
    if constexpr (requires { source_->LogFields(); }) {
      serving_.monitor().Count(
          QuestionSeen{*context_, status.code(), took_, [this] { return source_->LogFields(); }});
    }
    Finish(ToGrpc(status));
  }

  Serving& serving_;
  grpc::CallbackServerContext* const context_;
  Serving::Admission admission_;
  std::unique_ptr<Source> source_;
  std::chrono::steady_clock::duration took_{};
  RequestBytes bytes_;
  typename Source::Response message_;
  grpc::ByteBuffer bytes_written_;
};

template <typename Source>
grpc::ServerWriteReactor<grpc::ByteBuffer>* StartStream(Serving& serving,
                                                        grpc::CallbackServerContext* context,
                                                        const grpc::ByteBuffer* bytes) {
  return new ServerStream<Source>(serving, context, bytes);  // Deletes itself in OnDone.
}

}  // namespace kindred::daemon
