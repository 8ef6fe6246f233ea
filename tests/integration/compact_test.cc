// Compactions as an operator meets them: most of an index is deleted, memory and disk come back, and answers
// stay what they are; beside writes, given up, and several at once.

#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/integration/compact_fixture.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

TEST_F(CompactServiceTest, MemoryAndDiskFallAndAnswersStay) {
  std::string answers;
  {
    DaemonProcess daemon(data_);
    Fill(daemon, kCompactedGraphs);
    // Of the whole index: when most of it is gone the policy may have begun by itself.
    const nlohmann::json whole = nlohmann::json::parse(Kindred(daemon, {"stats", "--json"}).out);
    Remove(daemon, 0, kCompactedGraphs * 9 / 10);
    answers = Answers(daemon);
    const Finished done = Kindred(daemon, {"compact", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const nlohmann::json report = nlohmann::json::parse(done.out);
    EXPECT_EQ(report["segments_after"], 1);
    EXPECT_LT(report["memory_bytes_after"], whole["memory_bytes"]);
    EXPECT_LT(report["disk_bytes_after"].get<uint64_t>(), report["disk_bytes_before"].get<uint64_t>() / 2);
    EXPECT_GT(report["colours_unused"], 0);
    EXPECT_LT(report["colours_unused"], report["colours"]);
    EXPECT_EQ(Answers(daemon), answers);
    const Finished again = Kindred(daemon, {"compact"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("segments  1 (were 1), 0 deleted or replaced graphs left the lists\n"));
    EXPECT_THAT(again.out, HasSubstr("kindredd --data-dir DIR --compact"));
    EXPECT_EQ(Kindred(daemon, {"verify"}).exit_code, 0);
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }
  DaemonProcess restarted(data_);
  EXPECT_THAT(restarted.ready_line(), HasSubstr("graphs=" + std::to_string(kCompactedGraphs / 10)));
  EXPECT_EQ(Answers(restarted), answers);
}

// kindredd --compact, while no daemon serves the directory.
TEST_F(CompactServiceTest, ColoursAreReclaimedOffline) {
  const auto offline = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"--data-dir", data_});
    return RunProgram(KindreddPath(), flags);
  };
  std::string answers;
  uint64_t unused = 0;
  {
    DaemonProcess daemon(data_);
    Fill(daemon, 1'000);
    Remove(daemon, 100, 1'000);
    answers = Answers(daemon);
    unused = nlohmann::json::parse(Kindred(daemon, {"compact", "--json"}).out)["colours_unused"];
    EXPECT_GT(unused, 0u);
    EXPECT_EQ(offline({"--compact"}).exit_code, 73) << "a daemon serves it";
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }
  EXPECT_EQ(offline({"--compact", "--verify"}).exit_code, 64);
  const Finished done = offline({"--compact"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("compacted 100 graphs: " + std::to_string(unused) + " colours reclaimed"));
  EXPECT_EQ(offline({"--verify"}).exit_code, 0);
  DaemonProcess restarted(data_);
  EXPECT_EQ(Answers(restarted), answers);
  const Finished report = Kindred(restarted, {"compact", "--json"});
  EXPECT_EQ(nlohmann::json::parse(report.out)["colours_unused"], 0);
  EXPECT_EQ(Kindred(restarted, {"verify"}).exit_code, 0);
  Fill(restarted, 1'000);  // What was reclaimed comes back.
  Answers(restarted);
  EXPECT_EQ(Kindred(restarted, {"verify"}).exit_code, 0);
}

TEST_F(CompactServiceTest, GivenUpItLeavesTheIndexAsItWas) {
  DaemonProcess daemon(data_);
  Fill(daemon, kCompactedGraphs);
  Remove(daemon, 0, kCompactedGraphs / 4);
  const std::string answers = Answers(daemon);
  for (const int messages : {1, 2, 3, 4}) {
    v1::CompactResponse last;
    const grpc::Status status = CallCompact(daemon, messages, last);
    EXPECT_TRUE(status.error_code() == grpc::StatusCode::CANCELLED ||
                status.error_code() == grpc::StatusCode::FAILED_PRECONDITION || last.done())
        << status.error_message();
    EXPECT_EQ(Answers(daemon), answers);
  }
  // The one that was given up ends soon after its call.
  v1::CompactResponse last;
  grpc::Status status;
  do {
    status = CallCompact(daemon, 0, last);
  } while (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_TRUE(last.done());
  EXPECT_EQ(Answers(daemon), answers);
  EXPECT_EQ(Kindred(daemon, {"verify"}).exit_code, 0);
}

TEST_F(CompactServiceTest, OfSeveralAtOnceOneAtATimeRuns) {
  DaemonProcess daemon(data_);
  Fill(daemon, 1'000);
  std::atomic<int> done{0};
  std::vector<std::jthread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      v1::CompactResponse last;
      const grpc::Status status = CallCompact(daemon, 0, last);
      done += status.ok() ? 1 : 0;
      if (!status.ok()) {
        EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
        EXPECT_THAT(status.error_message(), HasSubstr("another compaction is under way"));
      }
    });
  }
  callers.clear();
  EXPECT_GE(done, 1);
}

TEST_F(CompactServiceTest, WritesGoOnBesideItAndAStopEndsIt) {
  DaemonProcess daemon(data_);
  Fill(daemon, 2'000);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> written{0};
  std::jthread writer([&] {
    const auto stub = daemon.NewStub();
    std::mt19937_64 rng(kCompactSeed + 2);
    while (!stop) {
      v1::PutRequest put;
      for (int r = 0; r < 10; ++r) {
        *put.add_records() = RecordMessage("g" + std::to_string(rng() % 3'000), RandomTreeMessage(rng, 20));
      }
      v1::PutResponse response;
      ASSERT_TRUE(stub->Put(NewContext().get(), put, &response).ok());
      ++written;
    }
  });
  for (int i = 0; i < 3; ++i) {
    const uint64_t before = written;
    const Finished done = Kindred(daemon, {"compact"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    while (written == before) {
      std::this_thread::yield();
    }
  }
  stop = true;
  writer.join();
  Answers(daemon);
  EXPECT_EQ(Kindred(daemon, {"verify"}).exit_code, 0);
  const auto stub = v1::Admin::NewStub(daemon.NewChannel());
  const auto context = NewContext();
  const auto reader = stub->Compact(context.get(), {});
  v1::CompactResponse last;
  ASSERT_TRUE(reader->Read(&last));
  EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  while (reader->Read(&last)) {
  }
  EXPECT_EQ(reader->Finish().ok(), last.done());
}

}  // namespace
}  // namespace kindred::test
