#include "client/client.h"

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "client/address.h"
#include "client/backoff.h"
#include "client/connection.h"
#include "client/credentials.h"
#include "client/grpc_time.h"
#include "client/pairs_between.h"
#include "client/watch_queries.h"
#include "index/base/status.h"

namespace kindred::client {
namespace {

using DeadlineClock = std::chrono::steady_clock;

// 128 random bits: nobody else has it.
std::string NewClientId() {
  std::random_device random;
  return fmt::format("kindred-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// One unary call: `method` is a member of the stub.
template <typename Response, typename Request>
absl::StatusOr<Response> CallOnce(Connection& connection, DeadlineClock::time_point deadline,
                                  grpc::Status (v1::Index::Stub::*method)(grpc::ClientContext*,
                                                                          const Request&, Response*),
                                  const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineAt(deadline));
  Response response;
  KINDRED_RETURN_IF_ERROR(
      StatusOf(connection, (connection.stub.get()->*method)(&context, request, &response)));
  return response;
}

template <typename Response, typename Request>
absl::StatusOr<Response> CallWithRetries(Connection& connection, const ClientOptions& options,
                                         grpc::Status (v1::Index::Stub::*method)(grpc::ClientContext*,
                                                                                 const Request&, Response*),
                                         const Request& request) {
  const DeadlineClock::time_point deadline = DeadlineClock::now() + options.call_timeout;
  Backoff backoff(kBackoffFirst, kCallBackoffLongest);
  for (int attempt = 1;; ++attempt) {
    absl::StatusOr<Response> response = CallOnce(connection, deadline, method, request);
    const DeadlineClock::time_point next_attempt = DeadlineClock::now() + backoff.Next();
    if (!absl::IsUnavailable(response.status()) || attempt >= options.attempts_max ||
        next_attempt >= deadline) {
      return response;
    }
    std::this_thread::sleep_until(next_attempt);
  }
}

// Takes every message of a stream, or stops it when the taker says so.
template <typename Message, typename Taker>
absl::Status TakeAll(const Connection& connection, grpc::ClientContext& context,
                     grpc::ClientReader<Message>& reader, const Taker& take) {
  Message message;
  while (reader.Read(&message)) {
    if (absl::Status status = take(message); !status.ok()) {
      context.TryCancel();
      reader.Finish();
      return status;
    }
  }
  return StatusOf(connection, reader.Finish());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Client>> Client::Create(const std::string& address,
                                                       const ClientOptions& options) {
  KINDRED_ASSIGN_OR_RETURN(const std::string target, ToGrpcTarget(address));
  KINDRED_ASSIGN_OR_RETURN(const Credentials credentials, MakeCredentials(address, options.access));
  auto connection =
      std::make_shared<Connection>(MakeConnection(target, credentials, options.receive_bytes_max));
  return std::unique_ptr<Client>(new Client(std::move(connection), options));
}

Client::Client(std::shared_ptr<Connection> connection, const ClientOptions& options)
    : connection_(std::move(connection)), options_(options) {}

Client::~Client() = default;

absl::StatusOr<v1::PutResponse> Client::Put(const v1::PutRequest& request) {
  return CallOnce(*connection_, DeadlineClock::now() + options_.call_timeout, &v1::Index::Stub::Put, request);
}

absl::StatusOr<v1::PutIfNovelResponse> Client::PutIfNovel(const v1::PutIfNovelRequest& request) {
  return CallOnce(*connection_, DeadlineClock::now() + options_.call_timeout, &v1::Index::Stub::PutIfNovel,
                  request);
}

absl::StatusOr<v1::DeleteResponse> Client::Delete(const v1::DeleteRequest& request) {
  return CallOnce(*connection_, DeadlineClock::now() + options_.call_timeout, &v1::Index::Stub::Delete,
                  request);
}

absl::StatusOr<v1::GetResponse> Client::Get(const v1::GetRequest& request) {
  return CallWithRetries(*connection_, options_, &v1::Index::Stub::Get, request);
}

absl::StatusOr<v1::SearchResponse> Client::Search(const v1::SearchRequest& request) {
  return CallWithRetries(*connection_, options_, &v1::Index::Stub::Search, request);
}

absl::StatusOr<v1::ExplainResponse> Client::Explain(const v1::ExplainRequest& request) {
  return CallWithRetries(*connection_, options_, &v1::Index::Stub::Explain, request);
}

absl::StatusOr<v1::RecommendResponse> Client::Recommend(const v1::RecommendRequest& request) {
  return CallWithRetries(*connection_, options_, &v1::Index::Stub::Recommend, request);
}

absl::StatusOr<v1::StatsResponse> Client::Stats() {
  return CallWithRetries(*connection_, options_, &v1::Index::Stub::Stats, v1::StatsRequest());
}

absl::Status Client::Export(const v1::ExportRequest& request, const OnRecord& on_record) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->stub->Export(&context, request);
  return TakeAll(*connection_, context, *reader, [&on_record](v1::ExportResponse& response) {
    for (v1::Record& record : *response.mutable_records()) {
      KINDRED_RETURN_IF_ERROR(on_record(std::move(record)));
    }
    return absl::OkStatus();
  });
}

absl::Status Client::Kernel(const v1::KernelRequest& request, const OnRow& on_row) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->stub->Kernel(&context, request);
  return TakeAll(*connection_, context, *reader, on_row);
}

absl::Status Client::Pairs(const v1::PairsRequest& request, const OnPairs& on_pairs) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->stub->Pairs(&context, request);
  return TakeAll(*connection_, context, *reader, on_pairs);
}

absl::Status Client::PairsBetween(const v1::PairsRequest& request, const NextRecord& next,
                                  const OnPairs& on_pairs) {
  return CallPairsBetween(*connection_, request, options_.stream_timeout, next, on_pairs);
}

absl::Status Client::Clusters(const v1::ClustersRequest& request, const OnClusters& on_clusters) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->stub->Clusters(&context, request);
  return TakeAll(*connection_, context, *reader, on_clusters);
}

absl::Status Client::Verify(const OnVerify& on_progress) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->admin->Verify(&context, v1::VerifyRequest());
  return TakeAll(*connection_, context, *reader, on_progress);
}

absl::Status Client::Backup(const v1::BackupRequest& request, const OnBackup& on_progress) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->admin->Backup(&context, request);
  return TakeAll(*connection_, context, *reader, on_progress);
}

absl::Status Client::Compact(const OnCompact& on_progress) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(options_.stream_timeout));
  const auto reader = connection_->admin->Compact(&context, v1::CompactRequest());
  return TakeAll(*connection_, context, *reader, on_progress);
}

absl::StatusOr<std::unique_ptr<IngestStream>> Client::Ingest(const IngestOptions& options,
                                                             IngestStream::OnRejected on_rejected) {
  IngestOptions named = options;
  if (named.client_id.empty() && named.reconnect_for.count() > 0) {
    named.client_id = NewClientId();
  }
  return IngestStream::Open(connection_, named, options_.call_timeout, options_.stream_timeout,
                            std::move(on_rejected));
}

std::unique_ptr<SearchStream> Client::SearchMany(const SearchStreamOptions& options) {
  return SearchStream::Open(connection_, options, options_.stream_timeout);
}

absl::StatusOr<std::unique_ptr<WatchStream>> Client::Watch(v1::WatchRequest request,
                                                           const WatchOptions& options) {
  KINDRED_RETURN_IF_ERROR(ReadGraphsOfIds(*this, request));
  return WatchStream::Open(connection_, std::move(request), options, options_.call_timeout,
                           options_.stream_timeout);
}

absl::Status Client::WaitUntilServing(std::chrono::milliseconds timeout) {
  const DeadlineClock::time_point deadline = DeadlineClock::now() + timeout;
  Backoff backoff(kBackoffFirst, kCallBackoffLongest);
  while (true) {
    const absl::StatusOr<bool> serving = CheckHealth(connection_->channel, deadline);
    if (serving.ok() && *serving) {
      return absl::OkStatus();
    }
    if (!serving.ok() && !absl::IsUnavailable(serving.status()) &&
        !absl::IsDeadlineExceeded(serving.status())) {
      return serving.status();
    }
    const DeadlineClock::time_point next_attempt = DeadlineClock::now() + backoff.Next();
    if (next_attempt >= deadline) {
      return MakeStatus(absl::StatusCode::kDeadlineExceeded, "the daemon does not serve after {} ms: {}",
                        timeout.count(),
                        serving.ok() ? "it is not ready" : std::string(serving.status().message()));
    }
    std::this_thread::sleep_until(next_attempt);
  }
}

}  // namespace kindred::client
