// A connection to one daemon: every RPC as a blocking call.
//
//     auto client = Client::Create("127.0.0.1:5463");
//     v1::SearchRequest request;
//     request.set_id("caffeine");
//     absl::StatusOr<v1::SearchResponse> answer = (*client)->Search(request);
//
// Threads: everything from any thread. Callbacks of Export, Kernel, Verify, Backup and Compact run on the
// caller's thread. Time: every call has a deadline, streams too; past it the status is DEADLINE_EXCEEDED.
// When the daemon
//       could not be reached at all the status is UNAVAILABLE, whatever ended the attempt.
// Retries: what only reads (Get, Search, Explain, Recommend, Stats) is tried again on UNAVAILABLE, a few
// times within its
//       deadline. Writes are not: a Put whose answer got lost may have been stored. Putting it again with
//       UPSERT would leave the same index, but its outcomes would say REPLACED where they should say
//       INSERTED, and with INSERT they would say ALREADY_EXISTS; of PutIfNovel, that each is not novel, being
//       isomorphic to itself. Only the caller knows whether that matters.
//       An ingest stream numbers its frames, so that it can resume (ingest_stream.h).

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/access_options.h"
#include "client/ingest_stream.h"
#include "client/search_stream.h"
#include "client/watch_stream.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::client {

struct Connection;

struct ClientOptions {
  // For one call and its retries.
  std::chrono::milliseconds call_timeout = std::chrono::seconds(60);
  // For a whole Export, Kernel, Verify, Backup, Compact, ingest stream, search stream or watch.
  std::chrono::milliseconds stream_timeout = std::chrono::hours(24);
  // A row of a kernel matrix or a record may be larger than gRPC's 4 MiB.
  int receive_bytes_max = 64 << 20;
  // Attempts of a call that only reads, the first included.
  int attempts_max = 4;
  // TLS and the token.
  AccessOptions access;
};

class Client {
 public:
  // A call's way to stop a stream: anything but OK ends it, and is what the call returns.
  using OnRecord = std::function<absl::Status(v1::Record)>;
  using OnRow = std::function<absl::Status(const v1::KernelRow&)>;
  using OnVerify = std::function<absl::Status(const v1::VerifyResponse&)>;
  using OnBackup = std::function<absl::Status(const v1::BackupResponse&)>;
  using OnCompact = std::function<absl::Status(const v1::CompactResponse&)>;
  using OnPairs = std::function<absl::Status(const v1::PairsResponse&)>;
  using OnClusters = std::function<absl::Status(const v1::ClustersResponse&)>;
  // The next graph to be compared with those that are stored; nothing after the last.
  using NextRecord = std::function<std::optional<v1::Record>()>;

  // Fails only for an address that is none, and for files of `options.access` that are not what they should
  // be: the connection is made by the first call.
  static absl::StatusOr<std::unique_ptr<Client>> Create(const std::string& address,
                                                        const ClientOptions& options = {});
  ~Client();

  absl::StatusOr<v1::PutResponse> Put(const v1::PutRequest& request);
  absl::StatusOr<v1::PutIfNovelResponse> PutIfNovel(const v1::PutIfNovelRequest& request);
  absl::StatusOr<v1::DeleteResponse> Delete(const v1::DeleteRequest& request);
  absl::StatusOr<v1::GetResponse> Get(const v1::GetRequest& request);
  absl::StatusOr<v1::SearchResponse> Search(const v1::SearchRequest& request);
  absl::StatusOr<v1::ExplainResponse> Explain(const v1::ExplainRequest& request);
  absl::StatusOr<v1::RecommendResponse> Recommend(const v1::RecommendRequest& request);
  absl::StatusOr<v1::StatsResponse> Stats();

  absl::Status Export(const v1::ExportRequest& request, const OnRecord& on_record);
  absl::Status Kernel(const v1::KernelRequest& request, const OnRow& on_row);
  // All pairs of stored graphs that are similar enough, as they are found. The last message has the stats.
  absl::Status Pairs(const v1::PairsRequest& request, const OnPairs& on_pairs);
  // All pairs of the caller's graphs and stored ones, in the order of the graphs. `on_pairs` runs on a thread
  // of its own, `next` on the caller's.
  absl::Status PairsBetween(const v1::PairsRequest& request, const NextRecord& next, const OnPairs& on_pairs);
  // The connected groups of pairs, the largest first.
  absl::Status Clusters(const v1::ClustersRequest& request, const OnClusters& on_clusters);
  // Audits the daemon's index; the last message has the findings.
  absl::Status Verify(const OnVerify& on_progress);
  // Makes a backup on the daemon's machine; the last message tells where.
  absl::Status Backup(const v1::BackupRequest& request, const OnBackup& on_progress);
  // Gives back what deleted and replaced graphs still take; the last message tells how much that was.
  absl::Status Compact(const OnCompact& on_progress);

  // Opens a stream of writes; the stream may outlive the client.
  absl::StatusOr<std::unique_ptr<IngestStream>> Ingest(const IngestOptions& options,
                                                       IngestStream::OnRejected on_rejected);

  // Opens a stream of searches; the stream may outlive the client. It is not tried again: the answers that
  // came before it broke are the caller's already.
  std::unique_ptr<SearchStream> SearchMany(const SearchStreamOptions& options = {});

  // Opens a watch, which tells of graphs as they are stored and resumes by itself; it may outlive the client.
  // The graphs of ids among its queries are read once, now.
  absl::StatusOr<std::unique_ptr<WatchStream>> Watch(v1::WatchRequest request,
                                                     const WatchOptions& options = {});

  // Waits until the daemon answers and says that it serves (it says no while it recovers or stops).
  absl::Status WaitUntilServing(std::chrono::milliseconds timeout);

 private:
  Client(std::shared_ptr<Connection> connection, const ClientOptions& options);

  const std::shared_ptr<Connection> connection_;
  const ClientOptions options_;
};

}  // namespace kindred::client
