// Client against a daemon that answers late, not at once, or not at all.

#include "client/client.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "tests/unit/client/fake_index.h"

namespace kindred::client {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<Client> Connect(const FakeServer& server, const ClientOptions& options = {}) {
  return *Client::Create(server.address(), options);
}

TEST(ClientTest, RetriesAReadThatMetAnUnavailableDaemon) {
  FakeServer server;
  std::atomic<int> calls{0};
  server.index.search = [&](const v1::SearchRequest&, v1::SearchResponse& response) {
    response.set_sequence(5);
    return ++calls < 3 ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "soon") : grpc::Status::OK;
  };
  const auto response = Connect(server)->Search({});
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->sequence(), 5u);
  EXPECT_EQ(calls, 3);
}

TEST(ClientTest, GivesUpAReadAfterAFewAttempts) {
  FakeServer server;
  std::atomic<int> calls{0};
  server.index.stats = [&](const v1::StatsRequest&, v1::StatsResponse&) {
    ++calls;
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "recovering");
  };
  ClientOptions options;
  options.attempts_max = 2;
  EXPECT_EQ(Connect(server, options)->Stats().status(), absl::UnavailableError("recovering"));
  EXPECT_EQ(calls, 2);
}

TEST(ClientTest, NeverRetriesAWriteNorAnyOtherFailure) {
  FakeServer server;
  std::atomic<int> calls{0};
  server.index.put = [&](const v1::PutRequest&, v1::PutResponse&) {
    ++calls;
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "stopping");
  };
  server.index.get = [&](const v1::GetRequest&, v1::GetResponse&) {
    ++calls;
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "ids: is empty");
  };
  EXPECT_EQ(Connect(server)->Put({}).status(), absl::UnavailableError("stopping"));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(Connect(server)->Get({}).status(), absl::InvalidArgumentError("ids: is empty"));
  EXPECT_EQ(calls, 2);
}

TEST(ClientTest, EveryCallHasADeadline) {
  FakeServer server;
  const auto slow = [](const auto&, auto&) {
    std::this_thread::sleep_for(milliseconds(500));
    return grpc::Status::OK;
  };
  server.index.search = slow;
  server.index.remove = slow;
  server.index.export_all = slow;
  ClientOptions options;
  options.call_timeout = milliseconds(100);
  options.stream_timeout = milliseconds(100);
  const auto client = Connect(server, options);
  EXPECT_EQ(client->Search({}).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(client->Delete({}).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(client->Export({}, nullptr).code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(ClientTest, WithoutADaemonEverythingIsUnavailable) {
  const auto client = *Client::Create(DeadAddress());
  EXPECT_EQ(client->Stats().status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(client->Put({}).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(client->Kernel({}, nullptr).code(), absl::StatusCode::kUnavailable);
}

TEST(ClientTest, TakesMessagesLargerThanTheDefaultOfGrpc) {
  FakeServer server;
  constexpr int kValues = 1'000'000;  // 8 MB.
  server.index.kernel = [](const v1::KernelRequest&, grpc::ServerWriter<v1::KernelRow>& writer) {
    v1::KernelRow row;
    row.mutable_values()->Resize(kValues, 0.5);
    writer.Write(row);
    return grpc::Status::OK;
  };
  int values = 0;
  const absl::Status status = Connect(server)->Kernel({}, [&](const v1::KernelRow& row) {
    values += row.values_size();
    return absl::OkStatus();
  });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(values, kValues);
}

TEST(ClientTest, StopsAStreamWhenTheTakerHasEnough) {
  FakeServer server;
  server.index.export_all = [](const v1::ExportRequest&, grpc::ServerWriter<v1::ExportResponse>& writer) {
    v1::ExportResponse response;
    response.add_records()->set_id("a");
    response.add_records()->set_id("b");
    while (writer.Write(response)) {
    }
    return grpc::Status::OK;
  };
  std::string ids;
  const absl::Status status = Connect(server)->Export({}, [&](const v1::Record& record) {
    ids += record.id();
    return ids.size() == 3 ? absl::OutOfRangeError("enough") : absl::OkStatus();
  });
  EXPECT_EQ(status, absl::OutOfRangeError("enough"));
  EXPECT_EQ(ids, "aba");
}

TEST(ClientTest, WaitsUntilTheDaemonServes) {
  FakeServer server;
  server.SetServing(false);
  const auto client = Connect(server);
  const absl::Status not_yet = client->WaitUntilServing(milliseconds(300));
  EXPECT_EQ(not_yet.code(), absl::StatusCode::kDeadlineExceeded) << not_yet;
  std::thread recovery([&] {
    std::this_thread::sleep_for(milliseconds(200));
    server.SetServing(true);
  });
  EXPECT_TRUE(client->WaitUntilServing(std::chrono::seconds(60)).ok());
  recovery.join();
  EXPECT_EQ((*Client::Create(DeadAddress()))->WaitUntilServing(milliseconds(200)).code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(ClientTest, RefusesAnAddressThatIsNone) {
  EXPECT_EQ(Client::Create("nowhere").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace kindred::client
