// A stream of writes into the daemon: gathers records into frames, keeps them flowing, and tells what
// became of each.
//
//     caller --Send--> queued frames --sender thread--> daemon --acks--> reader thread --> on_rejected
//                     |<------------- in flight: at most in_flight_bytes_max ------------->|
//
// Threads: Send, Delete, Finish by one caller at a time; summary and Cancel from any thread. `on_rejected`
//          runs on the reader thread, or inside Send for a record too large to send.
// Invariants: (1) records reach the daemon in the order they were sent;
//             (2) bytes queued or not acknowledged stay under in_flight_bytes_max (one record that is larger
//                 travels alone): Send blocks until there is room;
//             (3) a record waits at most `flush_after` for its frame to fill;
//             (4) after Finish, on_rejected is not called again.
// Cost: a copy of each record into its frame; memory for the bytes in flight.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/sent_frames.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

struct Connection;

struct IngestOptions {
  // Names the stream across connections; empty for a stream without a name.
  std::string client_id;
  v1::WriteMode mode = v1::WRITE_MODE_UPSERT;
  // A frame is sent when it has either.
  size_t frame_items_max = 256;
  size_t frame_bytes_max = size_t{256} << 10;
  // The daemon's own window is 8 MiB by default; more than that would only wait in buffers.
  size_t in_flight_bytes_max = size_t{8} << 20;
  // Under the daemon's message_bytes_max (16 MiB by default): a larger message would end the whole stream,
  // so such a record is rejected here.
  size_t record_bytes_max = (size_t{16} << 20) - 4096;
  std::chrono::milliseconds flush_after{200};
};

struct IngestSummary {
  uint64_t sent = 0;  // Handed to Send or Delete, with those rejected.
  uint64_t inserted = 0;
  uint64_t replaced = 0;
  uint64_t deleted = 0;
  uint64_t rejected = 0;
  // A search that carries this as min_sequence sees everything acknowledged.
  uint64_t sequence = 0;
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
  absl::Status Send(v1::Record record, Position position);
  absl::Status Delete(std::string id, Position position);

  // Sends what is left and waits until everything is acknowledged. Call it once, last.
  absl::StatusOr<IngestSummary> Finish();

  // What is acknowledged so far; also good after a failure.
  IngestSummary summary() const;

  // Ends the stream at once: blocked calls return, what is not acknowledged may or may not be stored.
  void Cancel();

 private:
  struct Call;  // What gRPC needs for the call.

  struct Frame {
    v1::IngestRequest request;
    std::vector<Position> positions;  // One an item.
    size_t bytes = 0;
    std::chrono::steady_clock::time_point begun;
  };

  IngestStream(std::shared_ptr<Connection> connection, const IngestOptions& options, OnRejected on_rejected);

  absl::Status WaitUntilOpened(std::chrono::milliseconds timeout);
  absl::Status Add(v1::IngestItem item, Position position);
  void Reject(std::string id, absl::Status status, Position position);

  // The sender thread. Frames go out only once the daemon has opened the stream.
  void SendFrames();
  bool FrontIsDue() const;  // REQUIRES: mutex_ held.

  // The reader thread. It joins the sender and finishes the call.
  void ReadResponses();
  absl::Status HandleResponse(const v1::IngestResponse& response);
  absl::Status HandleAck(const v1::IngestAck& ack);

  const std::shared_ptr<Connection> connection_;
  const IngestOptions options_;
  const OnRejected on_rejected_;
  const std::unique_ptr<Call> call_;

  mutable std::mutex mutex_;  // Guards all below, but the threads.
  std::condition_variable sender_wake_;
  std::condition_variable caller_wake_;
  std::deque<Frame> queued_;  // The last may still be filling.
  SentFrames sent_;
  size_t in_flight_bytes_ = 0;  // Queued and sent.
  IngestSummary summary_;
  bool opened_ = false;
  bool caller_blocked_ = false;
  bool finishing_ = false;
  bool reads_ended_ = false;
  std::optional<absl::Status> end_;  // How the call ended; nothing while it lives.

  std::thread sender_;
  std::thread reader_;
};

}  // namespace kindred::client
