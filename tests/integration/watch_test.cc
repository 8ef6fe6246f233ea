// The Watch call of a real daemon: its messages, its refusals, its ends.

#include <csignal>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/integration/watch_call.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class WatchTest : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& flags = {}) {
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), flags);
    stub_ = daemon_->NewStub();
  }

  std::string Incarnation() {
    v1::StatsResponse stats;
    EXPECT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
    return stats.incarnation();
  }

  void ExpectRefused(const v1::WatchRequest& request, grpc::StatusCode code, const std::string& message) {
    const grpc::Status status = WatchCall(*stub_, request).End();
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), StartsWith(message));
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
};

TEST_F(WatchTest, TheFirstMessageComesAtOnceThenMatchesThenProgress) {
  Start();
  PutPath(*stub_, "before", "CCO");
  WatchCall watch(*stub_, WatchRequestFor("CCO"));
  const v1::WatchResponse first = watch.Read();
  EXPECT_EQ(first.sequence(), 1u);
  EXPECT_EQ(first.behind(), 0u);
  EXPECT_EQ(first.incarnation(), Incarnation());
  EXPECT_THAT(first.matches(), IsEmpty());
  EXPECT_EQ(PutPath(*stub_, "x", "OCC"), 2u);
  const v1::WatchResponse second = watch.Read();
  EXPECT_EQ(second.sequence(), 2u);
  EXPECT_EQ(second.incarnation(), "");
  ASSERT_THAT(second.matches(), SizeIs(1));
  EXPECT_EQ(second.matches(0).sequence(), 2u);
  EXPECT_EQ(second.matches(0).id(), "x");
  EXPECT_EQ(second.matches(0).query(), "CCO");
  EXPECT_EQ(second.matches(0).kernel(), 12);
  EXPECT_EQ(second.matches(0).similarity(), 1);
  // Nothing else matches, and nothing else is stored: the position is told all the same.
  EXPECT_EQ(PutPath(*stub_, "y", "NN"), 3u);
  const v1::WatchResponse third = watch.Read();
  EXPECT_EQ(third.sequence(), 3u);
  EXPECT_EQ(third.behind(), 0u);
  EXPECT_THAT(third.matches(), IsEmpty());
}

TEST_F(WatchTest, CatchesUpFromAnyStoredCommitAndSaysHowFarBehindItIs) {
  Start();
  constexpr uint64_t kStored = 3000;
  v1::PutRequest put;
  for (uint64_t i = 1; i <= kStored; ++i) {
    *put.add_records() = RecordMessage("g" + std::to_string(i), PathMessage(i % 3 == 0 ? "CCO" : "CNO"));
  }
  v1::PutResponse stored;
  ASSERT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  for (const uint64_t after : {uint64_t{0}, uint64_t{1234}, kStored - 1, kStored}) {
    v1::WatchRequest request = WatchRequestFor("CCO");
    request.set_after_sequence(after);
    WatchCall watch(*stub_, request);
    const v1::WatchResponse first = watch.Read();
    EXPECT_EQ(first.sequence(), after);
    EXPECT_EQ(first.behind(), kStored - after);
    std::vector<uint64_t> told;
    if (after < kStored) {
      for (const auto& match : watch.ReadUntil(kStored)) {
        EXPECT_EQ(match.id(), "g" + std::to_string(match.sequence()));
        told.push_back(match.sequence());
      }
    }
    std::vector<uint64_t> expected;
    for (uint64_t i = after + 1; i <= kStored; ++i) {
      if (i % 3 == 0) {
        expected.push_back(i);
      }
    }
    EXPECT_EQ(told, expected);
  }
}

TEST_F(WatchTest, RefusesBadFieldsByTheirPath) {
  using grpc::StatusCode;
  Start({"--watch-queries-max", "3", "--watch-vertices-max", "20"});
  PutPath(*stub_, "stored", "CC");
  const v1::WatchRequest good = WatchRequestFor("CCO", 0.5);
  const auto with = [&](const std::function<void(v1::WatchRequest&)>& change) {
    v1::WatchRequest request = good;
    change(request);
    return request;
  };
  const auto query = [](v1::WatchRequest& request) -> v1::WatchRequest::Query& {
    return *request.mutable_queries(0);
  };
  ExpectRefused({}, StatusCode::INVALID_ARGUMENT, "queries: is empty");
  ExpectRefused(with([&](auto& r) { query(r).set_name(""); }), StatusCode::INVALID_ARGUMENT,
                "queries[0].name: is empty");
  ExpectRefused(with([&](auto& r) { query(r).set_name(std::string(513, 'n')); }),
                StatusCode::INVALID_ARGUMENT, "queries[0].name: has 513 bytes; at most 512 are allowed");
  ExpectRefused(with([&](auto& r) { *r.add_queries() = good.queries(0); }), StatusCode::INVALID_ARGUMENT,
                "queries[1].name: 'CCO' stands twice");
  ExpectRefused(with([&](auto& r) { query(r).clear_graph(); }), StatusCode::INVALID_ARGUMENT,
                "queries[0].graph: give a graph or the id of a stored one");
  ExpectRefused(with([&](auto& r) { query(r).mutable_graph()->mutable_graph()->add_vertices(9); }),
                StatusCode::INVALID_ARGUMENT, "queries[0].graph.graph.vertices[3]");
  ExpectRefused(with([&](auto& r) { query(r).mutable_graph()->set_id(""); }), StatusCode::INVALID_ARGUMENT,
                "queries[0].graph.id: is empty");
  ExpectRefused(with([&](auto& r) { query(r).mutable_graph()->set_id("nobody"); }), StatusCode::NOT_FOUND,
                "queries[0].graph.id: no graph has the id 'nobody'");
  for (const double least : {0.0, -1.0, 1.5, std::nan("")}) {
    ExpectRefused(with([&](auto& r) { query(r).set_min_similarity(least); }), StatusCode::INVALID_ARGUMENT,
                  "queries[0].min_similarity: ");
  }
  ExpectRefused(with([](auto& r) { r.set_measure(static_cast<v1::Measure>(17)); }),
                StatusCode::INVALID_ARGUMENT, "measure: 17 is unknown");
  ExpectRefused(with([](auto& r) { r.set_depth(4); }), StatusCode::FAILED_PRECONDITION, "depth: 4");
  ExpectRefused(with([](auto& r) { r.add_weights(1); }), StatusCode::INVALID_ARGUMENT,
                "weights: there are 1");
  ExpectRefused(with([](auto& r) {
                  r.set_depth(0);
                  r.add_weights(-1);
                }),
                StatusCode::INVALID_ARGUMENT, "weights[0]: ");
  ExpectRefused(with([](auto& r) { r.set_after_sequence(2); }), StatusCode::OUT_OF_RANGE,
                "after_sequence: 2 is beyond the last commit, 1");
  ExpectRefused(with([](auto& r) { r.set_filter("a ="); }), StatusCode::INVALID_ARGUMENT,
                "filter: byte 3: expected a value, but found the end");
  ExpectRefused(with([](auto& r) { r.set_filter("a = x and a = y"); }), StatusCode::INVALID_ARGUMENT,
                "filter: no graph can match: 'a = x' (byte 0) and 'a = y' (byte 10) contradict each other");
  ExpectRefused(with([](auto& r) { r.set_filter(std::string(4097, ' ')); }), StatusCode::RESOURCE_EXHAUSTED,
                "filter: 4097 is over the limit filter_bytes_max = 4096");
  ExpectRefused(with([](auto& r) { r.set_molecule_scheme("two words"); }), StatusCode::INVALID_ARGUMENT,
                "molecule_scheme: ");
  // Limits, at their edge.
  v1::WatchRequest three;
  for (const char* path : {"CCCCCCCC", "CCCCCCC", "CCCCC"}) {
    AddQuery(three, path, PathMessage(path), 1);
  }
  EXPECT_EQ(WatchCall(*stub_, three).Read().sequence(), 1u);
  v1::WatchRequest four = three;
  AddQuery(four, "C", PathMessage("C"), 1);
  ExpectRefused(four, StatusCode::RESOURCE_EXHAUSTED, "queries: 4 is over the limit watch_queries_max = 3");
  *three.mutable_queries(2)->mutable_graph()->mutable_graph() = PathMessage("CCCCCC");
  ExpectRefused(three, StatusCode::RESOURCE_EXHAUSTED,
                "queries[2].graph: vertices of the queries up to this one: 21 is over the limit "
                "watch_vertices_max = 20");
}

TEST_F(WatchTest, SoManyAtATimeAndTheNextWhenOneIsGone) {
  Start({"--watches-max", "2"});
  WatchCall one(*stub_, WatchRequestFor("CCO"));
  one.Read();
  {
    WatchCall two(*stub_, WatchRequestFor("CCO"));
    two.Read();
    ExpectRefused(WatchRequestFor("CCO"), grpc::StatusCode::RESOURCE_EXHAUSTED,
                  "concurrent watches: 3 is over the limit watches_max = 2");
  }
  // The daemon learns soon that the second client is gone.
  grpc::Status status;
  v1::WatchResponse first;
  do {
    const auto context = NewContext();
    const auto reader = stub_->Watch(context.get(), WatchRequestFor("CCO"));
    if (reader->Read(&first)) {
      break;
    }
    status = reader->Finish();
    context->TryCancel();
  } while (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(first.incarnation(), "");
}

TEST_F(WatchTest, ADrainEndsItAndItCanBeTakenUpAgain) {
  Start();
  WatchCall watch(*stub_, WatchRequestFor("CCO"));
  watch.Read();
  PutPath(*stub_, "a", "CCO");
  EXPECT_EQ(watch.Read().sequence(), 1u);
  EXPECT_EQ(daemon_->Stop(SIGTERM), 0) << "a watch that waits does not hold up a stop";
  const grpc::Status end = watch.End();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::UNAVAILABLE) << end.error_message();
  Start();
  PutPath(*stub_, "b", "CCO");
  v1::WatchRequest request = WatchRequestFor("CCO");
  request.set_after_sequence(1);
  WatchCall again(*stub_, request);
  again.Read();
  const auto matches = again.ReadUntil(2);
  ASSERT_THAT(matches, SizeIs(1));
  EXPECT_EQ(matches[0].id(), "b");
}

TEST_F(WatchTest, ManyClientsThatComeAndGoLeaveNothingBehind) {
  Start({"--watches-max", "4"});
  for (int round = 0; round < 50; ++round) {
    WatchCall watch(*stub_, WatchRequestFor("CCO"));
    if (round % 2 == 0) {
      v1::PutRequest put;
      *put.add_records() = RecordMessage("g" + std::to_string(round), PathMessage("CCO"));
      v1::PutResponse stored;
      ASSERT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
    }
    watch.Cancel();
    watch.End();
  }
  EXPECT_EQ(daemon_->Stop(SIGTERM), 0);
}

TEST_F(WatchTest, AClientsDeadlineEndsIt) {
  Start();
  const auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(300));
  const auto reader = stub_->Watch(context.get(), WatchRequestFor("CCO"));
  for (v1::WatchResponse message; reader->Read(&message);) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

TEST_F(WatchTest, AFilterIsAppliedToTheTagsOfEachCommit) {
  Start();
  v1::WatchRequest request = WatchRequestFor("CCO");
  request.set_filter("part in (1, 2) and part != 2");
  WatchCall watch(*stub_, request);
  watch.Read();
  v1::PutRequest put;
  for (int i = 0; i < 40; ++i) {
    v1::Record& record = *put.add_records() = RecordMessage("g" + std::to_string(i), PathMessage("CCO"));
    record.add_tags()->set_key("part");
    record.mutable_tags(0)->set_value(std::to_string(i % 4));
  }
  v1::PutResponse stored;
  ASSERT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  std::vector<std::string> told;
  for (const auto& match : watch.ReadUntil(40)) {
    told.push_back(match.id());
  }
  std::vector<std::string> expected;
  for (int i = 1; i < 40; i += 4) {
    expected.push_back("g" + std::to_string(i));
  }
  EXPECT_EQ(told, expected);
}

TEST_F(WatchTest, GivesPayloadAndTagsOnRequest) {
  Start();
  v1::WatchRequest request = WatchRequestFor("CCO");
  request.set_with_payload(true);
  request.set_with_tags(true);
  WatchCall watch(*stub_, request);
  watch.Read();
  v1::Record record = RecordMessage("x", PathMessage("CCO"));
  record.set_payload("\xff\0payload");
  record.add_tags()->set_key("k");
  record.mutable_tags(0)->set_value("v");
  PutOne(*stub_, record);
  const v1::WatchResponse message = watch.Read();
  ASSERT_THAT(message.matches(), SizeIs(1));
  EXPECT_EQ(message.matches(0).payload(), record.payload());
  EXPECT_EQ(message.matches(0).tags(0).DebugString(), record.tags(0).DebugString());
}

}  // namespace
}  // namespace kindred::test
