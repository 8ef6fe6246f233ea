// Standing queries: tells of graphs that are close enough as they are stored. Outlives its connection: when
// that is lost, or the daemon restarts, it connects again and goes on behind the last message, without a gap
// or a repetition.
//
//     v1::WatchRequest request;
//     ...
//     KINDRED_ASSIGN_OR_RETURN(const auto watch, client.Watch(request));
//     while (true) {
//       KINDRED_ASSIGN_OR_RETURN(const auto message, watch->Next(std::chrono::seconds(1)));
//       if (message.has_value()) { ... message->matches() ... }
//     }
//
// Threads: Next by one caller at a time; Cancel from any thread.
// Invariants: (1) matches come by ascending commit, those of one commit in the order of the queries, each
// once;
//             (2) everything up to position() has been told. A watch that starts there, of another process
//             say, tells
//                 the rest; of the commit behind it only the matches that came in the last message, if any,
//                 come again;
//             (3) one message is read ahead, no more: a caller that is slow slows nobody but itself.
// Resuming: only UNAVAILABLE is worth another attempt. Any other end is final, and so is a failure before the
// first
//           message, since until then it is not known from where to go on.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/backoff.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

struct Connection;
class WatchCall;

// The connection of a watch was lost, or is back.
struct WatchConnectionChange {
  // The attempt that is made next to get it back, from 1 up; 0 when it is back.
  int attempt = 0;
  // The commit behind which the watch goes on.
  uint64_t position = 0;
  // Why it was lost, or why the last attempt failed.
  absl::Status reason;
};

struct WatchOptions {
  // How long to try to get a lost connection back; 0: not at all.
  std::chrono::milliseconds reconnect_for = std::chrono::hours(24);
  std::function<void(const WatchConnectionChange&)> on_connection;
};

class WatchStream {
 public:
  // Connects, and waits for the daemon's first message, at most `open_timeout`. Client::Watch calls this,
  // after it has put graphs in the place of ids: what is stored under an id may change between two
  // connections.
  static absl::StatusOr<std::unique_ptr<WatchStream>> Open(std::shared_ptr<Connection> connection,
                                                           v1::WatchRequest request, WatchOptions options,
                                                           std::chrono::milliseconds open_timeout,
                                                           std::chrono::milliseconds stream_timeout);
  // Ends the call.
  ~WatchStream();
  WatchStream(const WatchStream&) = delete;
  WatchStream& operator=(const WatchStream&) = delete;

  // The next message, or nothing if there is none within `patience`. Without matches it tells of progress
  // alone. An error is final: the next call returns it again.
  absl::StatusOr<std::optional<v1::WatchResponse>> Next(std::chrono::milliseconds patience);

  // Everything up to this commit was in a message that Next returned.
  uint64_t position() const { return position_.value_or(0); }

  // Ends the watch at once: Next returns CANCELLED.
  void Cancel();

 private:
  using Clock = std::chrono::steady_clock;
  using Message = absl::StatusOr<std::optional<v1::WatchResponse>>;

  WatchStream(std::shared_ptr<Connection> connection, v1::WatchRequest request, WatchOptions options,
              std::chrono::milliseconds open_timeout, std::chrono::milliseconds stream_timeout);

  // What there is by `until`, from this call or, after an outage, the next.
  Message Read(Clock::time_point until);
  Message ReadCall(Clock::time_point until);
  void StartCall();
  void DropCall();
  // What follows from the end of a call: another attempt later (OK), or the end of the watch.
  absl::Status PlanAnother(const absl::Status& end);
  // Takes note of a message, and takes out what was told before.
  v1::WatchResponse Accept(v1::WatchResponse message);
  absl::Status WaitUntil(Clock::time_point until);

  const std::shared_ptr<Connection> connection_;
  v1::WatchRequest request_;
  const WatchOptions options_;
  const std::chrono::milliseconds open_timeout_;
  const Clock::time_point deadline_;             // Of the whole watch.
  std::unordered_map<std::string, int> places_;  // Of the queries, by name.

  std::mutex mutex_;  // Guards these, which Cancel reads.
  std::condition_variable woken_;
  std::shared_ptr<WatchCall> call_;  // Null: lost.
  bool cancelled_ = false;

  Clock::time_point open_by_;                  // For the first message of this call,
  bool opened_ = false;                        // which came; and
  std::optional<v1::WatchResponse> first_;     // that of all calls, until Next gives it out.
  std::optional<uint64_t> position_;           // Nothing before the very first.
  std::pair<uint64_t, int> last_match_{0, 0};  // Commit, and place of the query.
  std::optional<Outage> outage_;               // Until the daemon answers again.
  Clock::time_point next_attempt_;
  absl::Status end_;
};

}  // namespace kindred::client
