// A stream of writes into the daemon: gathers records into frames, keeps them flowing, and tells what
// became of each. A stream with a client id outlives its connection: when that is lost, or the daemon
// restarts, the stream connects again and resumes behind the last frame that is durable.
//
//     caller --Send--> frames --sender thread--> daemon --acks--> stream thread --> on_rejected, on_not_novel
//                     |<-- in flight: at most in_flight_bytes_max -->|
//
// Threads: Send, TrySend, Delete, Flush, Close, Finish by one caller at a time; the rest from any thread.
//          Callbacks run on the stream's thread, or inside Send for a record too large to send; they must
//          not call the stream, but for summary and Cancel.
// Invariants: (1) records reach the daemon in the order they were sent;
//             (2) bytes not acknowledged stay under in_flight_bytes_max (one record that is larger travels
//                 alone): Send blocks until there is room. They are kept until then, to be sent again;
//             (3) a record waits at most `flush_after` for its frame to fill;
//             (4) each frame is applied once: one that is sent again keeps its number and its content;
//             (5) after Finish, no callback runs.
// Resuming: only UNAVAILABLE is worth another attempt. Any other end is final (DATA_LOSS: the daemon does
//           not have what it acknowledged; ABORTED: another stream uses the client id; ...), and so is a
//           failure of the very first connection. The frame is the unit: when it was applied but its
//           acknowledgement got lost, what became of its items is not known, and they are `unreported`.
//           A process that starts again with the same client id goes on numbering behind
//           summary().durable_frame. What is in which frame is the stream's own affair (Flush cuts one, and
//           so do frame_bytes_max and flush_after): such a process sends again what it has not seen become
//           durable, which UPSERT makes harmless.
// Cost: one string and one small message a record; memory for the bytes in flight.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/backoff.h"
#include "client/frame_queue.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

struct Connection;

// The connection of a stream was lost, or is back.
struct ConnectionChange {
  // The attempt that is made next to get it back, from 1 up; 0 when it is back.
  int attempt = 0;
  // When it is back: the frame behind which the stream goes on.
  uint64_t durable_frame = 0;
  // Why it was lost, or why the last attempt failed.
  absl::Status reason;
};

struct IngestOptions {
  // Names the stream across connections, and must be used by no other at the same time. When it is empty
  // Client::Ingest makes one up, unless reconnect_for is 0: a stream without a name cannot resume.
  std::string client_id;
  // For a client that remembers the last durable_frame it saw: the daemon then notices when it has lost it.
  uint64_t acknowledged_frame = 0;
  v1::WriteMode mode = v1::WRITE_MODE_UPSERT;
  // Every record is stored only if it is novel by this rule; on_not_novel is told of those that are not.
  // Where a frame was applied but its acknowledgement got lost they are `unreported`, as those stored are.
  std::optional<v1::NoveltyRule> novelty;
  std::function<void(const NotNovel&)> on_not_novel;
  // A frame is sent when it has either.
  size_t frame_items_max = 256;
  size_t frame_bytes_max = size_t{256} << 10;
  // The daemon's own window is 8 MiB by default; more than that would only wait in buffers.
  size_t in_flight_bytes_max = size_t{8} << 20;
  // Under the daemon's message_bytes_max (16 MiB by default): a larger message would end the whole stream,
  // so such a record is rejected here.
  size_t record_bytes_max = (size_t{16} << 20) - 4096;
  std::chrono::milliseconds flush_after{200};
  // How long to try to get a lost connection back until a frame gets through; 0: not at all.
  std::chrono::milliseconds reconnect_for = std::chrono::seconds(60);
  std::function<void(const ConnectionChange&)> on_connection;
};

struct IngestSummary {
  uint64_t sent = 0;  // Handed to Send or Delete, with those rejected.
  uint64_t inserted = 0;
  uint64_t replaced = 0;
  uint64_t deleted = 0;
  uint64_t rejected = 0;
  uint64_t not_novel = 0;
  // Durable, but the connection was lost before the daemon told which of them it stored or rejected.
  uint64_t unreported = 0;
  // A search that carries this as min_sequence sees everything acknowledged.
  uint64_t sequence = 0;
  // The number of the client's last durable frame; right after the stream opened, that of streams before.
  uint64_t durable_frame = 0;
};

class IngestStream {
 public:
  using OnRejected = std::function<void(const Rejection&)>;

  // Connects and waits for the daemon's IngestOpened, at most `open_timeout`. Client::Ingest calls this.
  static absl::StatusOr<std::unique_ptr<IngestStream>> Open(std::shared_ptr<Connection> connection,
                                                            const IngestOptions& options,
                                                            std::chrono::milliseconds open_timeout,
                                                            std::chrono::milliseconds stream_timeout,
                                                            OnRejected on_rejected);
  // Gives up what is not acknowledged, unless Finish was called.
  ~IngestStream();

  IngestStream(const IngestStream&) = delete;
  IngestStream& operator=(const IngestStream&) = delete;

  // Takes a record; blocks while too many bytes are in flight. An error is the stream's, and is final.
  absl::Status Send(const v1::Record& record, Position position);
  // As Send, for a record that is serialised already; the daemon finds out whether it is one.
  absl::Status SendEncoded(std::string record, Position position);
  // As SendEncoded, but waits at most `patience` for room: false when there was none, and `record` is kept.
  absl::StatusOr<bool> TrySend(std::string& record, Position position, std::chrono::milliseconds patience);
  absl::Status Delete(std::string id, Position position);

  // Sends what was taken without waiting for more. Gives the number of the last frame: once
  // summary().durable_frame has reached it, everything taken so far is durable.
  uint64_t Flush();

  // Sends what is left; nothing more is taken.
  void Close();
  // Whether the stream has ended: after Close, or because it failed.
  bool WaitUntilEnded(std::chrono::milliseconds patience);
  // Closes and waits until everything is acknowledged. Call it once, last.
  absl::StatusOr<IngestSummary> Finish();

  // What is acknowledged so far; also good after a failure.
  IngestSummary summary() const;

  // Ends the stream at once: blocked calls return, what is not acknowledged may or may not be stored.
  void Cancel();

 private:
  using Clock = std::chrono::steady_clock;

  struct Call;  // One connection of the stream.

  IngestStream(std::shared_ptr<Connection> connection, const IngestOptions& options,
               std::chrono::milliseconds open_timeout, std::chrono::milliseconds stream_timeout,
               OnRejected on_rejected);

  absl::Status WaitUntilOpened();
  absl::StatusOr<bool> Add(FrameQueue::Kind kind, std::string& bytes, Position position,
                           std::optional<std::chrono::milliseconds> patience);
  void Reject(std::string id, absl::Status status, Position position);

  // The stream's thread: call after call, as long as another is worth it.
  void Run();
  absl::Status RunCall();
  std::shared_ptr<Call> NewCall();
  bool IsWorthAnother(const absl::Status& end) const;
  bool IsComplete() const;  // REQUIRES: mutex_ held.
  absl::Status WaitToReconnect(const absl::Status& lost);
  void Tell(const ConnectionChange& change) const;
  absl::Status HandleResponse(Call& call, const v1::IngestResponse& response);
  absl::Status HandleOpened(Call& call, const v1::IngestOpened& opened);
  absl::Status HandleAck(const v1::IngestAck& ack);

  // The sender thread of a call. Frames go out only once the daemon has opened the stream.
  void SendFrames(Call& call);
  bool WaitForOpened(Call& call, std::unique_lock<std::mutex>& lock);  // REQUIRES: lock held.
  bool NextIsDue() const;                                              // REQUIRES: mutex_ held.
  v1::IngestRequest OpenRequest() const;

  const std::shared_ptr<Connection> connection_;
  const IngestOptions options_;
  const std::chrono::milliseconds open_timeout_;
  const Clock::time_point deadline_;  // Of the whole stream.
  const OnRejected on_rejected_;

  std::optional<Outage> outage_;  // Until a frame got through again; the stream's thread alone.

  mutable std::mutex mutex_;  // Guards all below, but the thread.
  std::condition_variable sender_wake_;
  std::condition_variable caller_wake_;
  FrameQueue frames_;
  IngestSummary summary_;
  std::shared_ptr<Call> call_;
  bool opened_ = false;  // Once at least.
  bool caller_blocked_ = false;
  bool finishing_ = false;
  bool cancelled_ = false;
  std::optional<absl::Status> end_;  // How the stream ended; nothing while it lives.

  std::thread thread_;
};

}  // namespace kindred::client
