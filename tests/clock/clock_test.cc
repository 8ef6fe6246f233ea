// Setting the clock changes nothing: a daemon whose time of day jumps by years, ten times a second, is
// written to, searched and watched with deadlines, stopped and started, as any other.

#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/integration/tokens.h"
#include "tests/integration/watch_call.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

// For programs that are started while it lives.
class JumpingClock {
 public:
  JumpingClock() { ::setenv("LD_PRELOAD", (BinaryDir() / "tests/clock/libjumping_clock.so").c_str(), 1); }
  ~JumpingClock() { ::unsetenv("LD_PRELOAD"); }
};

class ClockTest : public ::testing::Test {
 protected:
  void Start(std::vector<std::string> flags = {}) {
    const JumpingClock jumping;
    flags.insert(flags.end(), {"--log-level", "warn"});
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), std::move(flags));
    stub_ = daemon_->NewStub();
  }

  uint64_t Graphs() {
    v1::StatsResponse stats;
    EXPECT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
    return stats.graphs();
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
};

TEST_F(ClockTest, TheShimJumps) {
  const JumpingClock jumping;
  const Finished year = RunProgram("/bin/date", {"+%Y"});
  std::set<std::string> years{year.out};
  for (int i = 0; i < 100 && years.size() < 2; ++i) {
    years.insert(RunProgram("/bin/date", {"+%Y"}).out);
  }
  EXPECT_GE(years.size(), 2u) << "the clock stands still, and the tests here tell nothing";
}

// Deadlines of a second or more would pass at once, or never, by a clock that jumps by years.
TEST_F(ClockTest, WritesAndSearchesWithDeadlinesGoThrough) {
  Start();
  std::mt19937_64 rng(3);
  v1::IngestOpen open;
  open.set_client_id("c");
  for (uint64_t frame = 1; frame <= 40; ++frame) {
    v1::IngestRequest request;
    request.mutable_frame()->set_client_sequence(frame);
    for (int i = 0; i < 50; ++i) {
      *request.mutable_frame()->add_items()->mutable_put() =
          RecordMessage("g" + std::to_string(frame * 50 + static_cast<uint64_t>(i)), RandomTreeMessage(rng));
    }
    const EndedIngest ended = RunIngest(*daemon_, open, {request});
    ASSERT_TRUE(ended.status.ok()) << ended.status.error_message();
    ASSERT_EQ(ended.acks.inserted(), 50u);
    for (const v1::SearchMode mode : {v1::SEARCH_MODE_PRUNED, v1::SEARCH_MODE_EXHAUSTIVE}) {
      v1::SearchRequest search;
      *search.mutable_graph() = RandomTreeMessage(rng);
      search.set_mode(mode);
      v1::SearchResponse answer;
      const grpc::Status status = stub_->Search(NewContext(20).get(), search, &answer);
      ASSERT_TRUE(status.ok()) << status.error_message();
    }
  }
  for (const int signal : {SIGTERM, SIGKILL}) {
    const int code = daemon_->Stop(signal);
    EXPECT_EQ(code, signal == SIGTERM ? 0 : 128 + SIGKILL);
    Start();
    EXPECT_EQ(Graphs(), 2'000u);
  }
}

TEST_F(ClockTest, AWatchTellsOfProgressAndEndsAtItsDeadline) {
  Start();
  WatchCall watch(*stub_, WatchRequestFor("CCO"), 5);
  EXPECT_EQ(watch.Read().behind(), 0u);
  // Commits without a match are told of after a second, whatever the time of day.
  const uint64_t sequence = PutPath(*stub_, "other", "NNNNNN");
  EXPECT_GE(watch.Read().sequence(), sequence);
  PutPath(*stub_, "match", "CCO");
  EXPECT_EQ(watch.Read().matches_size(), 1);
  EXPECT_EQ(watch.End().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
}

// Answers to wrong tokens are held back, longer each time, and not for years.
TEST_F(ClockTest, WhoFailsIsAnsweredInTime) {
  const Tokens tokens(dir_.Sub("tokens"));
  Start({"--tokens", tokens.file()});
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 7; ++i) {
    const auto context = NewContext(20);
    context->AddMetadata("authorization", "Bearer wrong");
    v1::StatsResponse stats;
    EXPECT_EQ(stub_->Stats(context.get(), {}, &stats).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  }
  EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100))
      << "nothing was held back";
}

TEST_F(ClockTest, ADeadlineIsKept) {
  Start();
  v1::PutRequest put;
  std::mt19937_64 rng(4);
  for (int i = 0; i < 3'000; ++i) {
    *put.add_records() = RecordMessage(std::to_string(i), RandomTreeMessage(rng));
  }
  v1::PutResponse stored;
  ASSERT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  v1::PairsRequest request;
  request.set_min_similarity(0.01);  // Millions of pairs.
  const auto context = NewContext(1);
  const auto reader = stub_->Pairs(context.get(), request);
  v1::PairsResponse message;
  while (reader->Read(&message)) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(20));  // A slow reader: the daemon has not sent all.
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(Graphs(), 3'000u);
}

}  // namespace
}  // namespace kindred::test
