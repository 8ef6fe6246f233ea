// Many searches over one call: questions go out while answers come in, so that the daemon is never idle for
// want of the next one.
//
//     caller --Ask--> daemon --answers, in order--> reader thread --> on_answer
//            |<---- at most in_flight_max ---->|
//
//     auto stream = client.SearchMany();
//     while (...) {
//       KINDRED_RETURN_IF_ERROR(stream->Ask(request, [](absl::StatusOr<v1::SearchResponse> answer) { ... }));
//     }
//     KINDRED_RETURN_IF_ERROR(stream->Finish());
//
// Threads: Ask, Settle, Finish by one caller at a time; Cancel from any thread. Callbacks run on the reader
//          thread, one at a time, and must not call the stream.
// Invariants: (1) answers come in the order of their questions, each at most once;
//             (2) at most in_flight_max questions have no answer yet: Ask blocks until there is room;
//             (3) what a callback did happens before Settle and Finish return; after Finish none runs.
// Failures: a question that the daemon refuses is an answer of its own, and the stream goes on. Anything
//           else, the daemon's end or a callback that returns an error, ends the stream: from then on every
//           call returns that status, and questions without an answer get none.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

struct Connection;

struct SearchStreamOptions {
  // The daemon's own search_stream_max is 64 by default; more than that would only wait in buffers.
  size_t in_flight_max = 64;
};

class SearchStream {
 public:
  // Takes an answer; anything but OK ends the stream.
  using OnAnswer = std::function<absl::Status(absl::StatusOr<v1::SearchResponse>)>;

  // Connects, which is all that it waits for; whether that worked is told by the first Ask or Finish.
  // Client::SearchMany calls this.
  static std::unique_ptr<SearchStream> Open(std::shared_ptr<Connection> connection,
                                            const SearchStreamOptions& options,
                                            std::chrono::milliseconds timeout);
  // Gives up what is not answered, unless Finish was called.
  ~SearchStream();

  SearchStream(const SearchStream&) = delete;
  SearchStream& operator=(const SearchStream&) = delete;

  // Sends a question; blocks while too many have no answer.
  absl::Status Ask(const v1::SearchRequest& request, OnAnswer on_answer);

  // Waits until everything asked so far is answered.
  absl::Status Settle();

  // Asks no more and waits for the answers that are missing. Call it once, last.
  absl::Status Finish();

  // Ends the stream at once: blocked calls return CANCELLED.
  void Cancel();

 private:
  struct Call;  // What gRPC needs for the call.

  SearchStream(std::shared_ptr<Connection> connection, const SearchStreamOptions& options);

  // Runs `send`, unless the call is over; false when it was or is now.
  bool Send(std::unique_lock<std::mutex>& lock, const std::function<bool()>& send);  // REQUIRES: lock held.
  // Waits for the end of the call and tells why it ended.
  absl::Status WaitForEnd(std::unique_lock<std::mutex>& lock);  // REQUIRES: lock held.

  // The reader thread. It finishes the call.
  void ReadAnswers();
  absl::Status HandleAnswer(v1::SearchStreamResponse answer);

  const std::shared_ptr<Connection> connection_;
  const SearchStreamOptions options_;
  const std::unique_ptr<Call> call_;

  std::mutex mutex_;  // Guards all below, but the thread.
  std::condition_variable changed_;
  std::deque<OnAnswer> unanswered_;  // The first may be running.
  uint64_t answered_ = 0;
  bool sending_ = false;  // The caller is in a gRPC call.
  bool finishing_ = false;
  bool reads_ended_ = false;
  std::optional<absl::Status> end_;  // How the call ended; nothing while it lives.

  std::thread reader_;
};

}  // namespace kindred::client
