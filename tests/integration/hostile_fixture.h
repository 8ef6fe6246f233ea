// A daemon with small limits, to which bad input is sent: afterwards it is there and nothing has changed.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {

class HostileTest : public ::testing::Test {
 protected:
  ~HostileTest() override {
    v1::StatsResponse stats;
    EXPECT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok()) << "the daemon is gone";
    EXPECT_EQ(stats.sequence(), 0) << "something was changed";
    EXPECT_EQ(stats.labels(), 0) << "something was leaked into the hierarchy";
  }

  // The outcome of putting one record, which must be rejected.
  v1::Outcome Reject(const v1::Record& record) {
    v1::PutRequest request;
    *request.add_records() = record;
    v1::PutResponse response;
    const grpc::Status status = stub_->Put(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.outcomes_size(), 1);
    EXPECT_EQ(response.outcomes(0).kind(), v1::Outcome::REJECTED);
    return response.outcomes(0);
  }

  void ExpectRejected(const v1::Graph& graph, const std::string& message,
                      grpc::StatusCode code = grpc::StatusCode::INVALID_ARGUMENT) {
    const v1::Outcome outcome = Reject(RecordMessage("bad", graph));
    EXPECT_EQ(outcome.code(), code);
    EXPECT_THAT(outcome.message(), ::testing::HasSubstr(message));
    // A query graph is checked by the same rules.
    v1::SearchRequest request;
    *request.mutable_graph() = graph;
    v1::SearchResponse response;
    const grpc::Status status = stub_->Search(NewContext().get(), request, &response);
    EXPECT_EQ(status.error_code(), code);
    EXPECT_THAT(status.error_message(), ::testing::HasSubstr(message));
  }

  void ExpectSearchRefused(const std::function<void(v1::SearchRequest&)>& spoil, grpc::StatusCode code,
                           const std::string& message) {
    v1::SearchRequest request;
    *request.mutable_graph() = PathMessage("CC");
    spoil(request);
    v1::SearchResponse response;
    const grpc::Status status = stub_->Search(NewContext().get(), request, &response);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), ::testing::HasSubstr(message));
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d"),
                        {"--vertices-max",      "100",   "--edges-max",         "120", "--labels-max", "10",
                         "--label-bytes-max",   "20",    "--payload-bytes-max", "30",  "--tags-max",   "2",
                         "--tag-bytes-max",     "8",     "--batch-items-max",   "4",   "--k-max",      "50",
                         "--message-bytes-max", "100000"}};
  const std::unique_ptr<v1::Index::Stub> stub_ = daemon_.NewStub();
};

}  // namespace kindred::test
