// kindred ingest against a fake daemon.

#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "client/cli/rejection_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_ingest.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

class IngestCommandTest : public CliTest {
 protected:
  // Stores what it gets, but rejects ids that start with "no".
  IngestCommandTest() {
    server_.index.ingest = [this](client::FakeIndex::IngestCall& call) {
      v1::IngestRequest request;
      call.Read(&request);
      mode_ = request.open().mode();
      v1::IngestResponse opened;
      opened.mutable_opened();
      call.Write(opened);
      while (call.Read(&request)) {
        call.Write(Store(request.frame()));
      }
      return end_;
    };
  }

  v1::IngestResponse Store(const v1::IngestFrame& frame) {
    v1::IngestResponse response;
    v1::IngestAck& ack = *response.mutable_ack();
    ack.set_client_sequence(frame.client_sequence());
    ack.set_sequence(frame.client_sequence());
    for (int i = 0; i < frame.items_size(); ++i) {
      const std::string id = client::PutOf(frame.items(i)).id();
      if (!id.starts_with("no")) {
        ack.set_inserted(ack.inserted() + 1);
        ids_.push_back(id);
        continue;
      }
      v1::IngestAck::Rejected& rejected = *ack.add_rejected();
      rejected.set_client_sequence(frame.client_sequence());
      rejected.set_item(static_cast<uint32_t>(i));
      rejected.set_id(id);
      rejected.mutable_outcome()->set_kind(v1::Outcome::REJECTED);
      rejected.mutable_outcome()->set_code(3);
      rejected.mutable_outcome()->set_message("frame.items[" + std::to_string(i) + "].put.graph.edges: bad");
    }
    return response;
  }

  v1::WriteMode mode_{};
  std::vector<std::string> ids_;
  grpc::Status end_;
};

TEST_F(IngestCommandTest, StoresAllAndExits0) {
  const CliResult result = Run({"ingest", WriteFile("a.smi", "CCO\tx\nCC\ty\n"),
                                WriteFile("b.jsonl", "{\"id\":\"z\",\"vertices\":[\"C\"],\"edges\":[]}\n")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(ids_, testing::ElementsAre("x", "y", "z"));
  EXPECT_EQ(mode_, v1::WRITE_MODE_UPSERT);
  EXPECT_THAT(result.out, testing::MatchesRegex("read +3\nstored +3\nreplaced +0\nrejected +0\n"
                                                "seconds +[0-9.]+\ngraphs/s +[0-9]+\n"));
  EXPECT_EQ(result.err, "");
}

TEST_F(IngestCommandTest, ListsRejectionsOfReaderAndDaemonWithFileAndLine) {
  const std::string a = WriteFile("a.smi", "CCO\tx\nC((\ty\n");
  const std::string b = WriteFile("b.smi", "CC\tz\n\nCCC\tno good\n");
  const CliResult text = Run({"ingest", a, b, "--mode", "insert"});
  EXPECT_EQ(text.code, 3);
  EXPECT_EQ(mode_, v1::WRITE_MODE_INSERT);
  EXPECT_THAT(text.err, HasSubstr(a + ":2: y: "));
  EXPECT_THAT(text.err, HasSubstr(b + ":3: no good: graph.edges: bad\n"));

  const CliResult json = Run({"ingest", a, b, "--json"});
  EXPECT_EQ(json.code, 3);
  const auto summary = nlohmann::json::parse(json.out);
  EXPECT_EQ(summary["read"], 4);
  EXPECT_EQ(summary["stored"], 2);
  EXPECT_EQ(summary["replaced"], 0);
  EXPECT_EQ(summary["rejected"], 2);
  EXPECT_EQ(summary["unacknowledged"], 0);
  ASSERT_EQ(summary["rejections"].size(), 2u);
  const auto from_daemon = summary["rejections"][1];
  EXPECT_EQ(from_daemon["file"], b);
  EXPECT_EQ(from_daemon["position"], 3);
  EXPECT_EQ(from_daemon["id"], "no good");
  EXPECT_EQ(from_daemon["code"], "INVALID_ARGUMENT");
  EXPECT_EQ(from_daemon["reason"], "graph.edges: bad");
}

TEST_F(IngestCommandTest, ListsTheFirstTwentyUnlessVerbose) {
  std::string lines;
  for (int i = 0; i < 50; ++i) {
    lines += "CCO\tno" + std::to_string(i) + "\n";
  }
  const std::string file = WriteFile("a.smi", lines);
  const CliResult some = Run({"ingest", file});
  EXPECT_EQ(std::count(some.err.begin(), some.err.end(), '\n'), 21);
  EXPECT_THAT(some.err, HasSubstr("... and 30 more"));
  EXPECT_THAT(some.out, HasSubstr("rejected    50\n"));
  const CliResult all = Run({"ingest", file, "--verbose"});
  EXPECT_EQ(std::count(all.err.begin(), all.err.end(), '\n'), 50);
}

TEST_F(IngestCommandTest, StopsAtTheFirstRejectionWhenToldTo) {
  const std::string file = WriteFile("a.smi", "CCO\tx\nC((\ty\nCC\tz\n");
  const CliResult result = Run({"ingest", file, "--on-error", "stop"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(ids_, testing::ElementsAre("x"));
}

TEST_F(IngestCommandTest, AMissingFileIsFoundBeforeAnythingIsSent) {
  const CliResult result = Run({"ingest", WriteFile("a.smi", "CCO\tx\n"), Path("missing.smi")});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("missing.smi: No such file"));
  EXPECT_TRUE(ids_.empty());
}

TEST_F(IngestCommandTest, PrintsWhatWasStoredWhenTheStreamFails) {
  end_ = grpc::Status(grpc::StatusCode::DATA_LOSS, "the store is damaged");
  const CliResult result = Run({"ingest", WriteFile("a.smi", "CCO\tx\n")});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("stored       1\n"));
  EXPECT_THAT(result.err, HasSubstr("the store is damaged"));
}

TEST_F(IngestCommandTest, AnInterruptFinishesWhatIsUnderWayAndExits130) {
  const std::string pipe = Path("pipe.smi");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string lines;  // Enough that no reader waits for more before it gives the first.
  for (int i = 0; i < 5000; ++i) {
    lines += "CCO\tx" + std::to_string(i) + "\n";
  }
  std::thread feeder([&] {
    std::ofstream feed(pipe);  // Stays open while the command runs.
    feed << lines << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  });
  const CliResult result = Run({"ingest", pipe, "--json"});
  feeder.join();
  EXPECT_EQ(result.code, 130);
  const auto summary = nlohmann::json::parse(result.out);
  EXPECT_EQ(summary["read"], summary["stored"]);
  EXPECT_EQ(summary["unacknowledged"], 0);
}

class IngestResumeCommandTest : public CliTest {
 protected:
  IngestResumeCommandTest() {
    server_.index.ingest = [this](client::FakeIndex::IngestCall& call) { return ingest_.Serve(call); };
  }

  client::FakeIngest ingest_;
};

TEST_F(IngestResumeCommandTest, TakesALostConnectionUpAgain) {
  ingest_.losses = {{1, client::FakeIngest::Loss::kAfter}};
  const CliResult result = Run({"ingest", WriteFile("a.smi", "CCO\tx\nCC\ty\n"), "--client-id", "me"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(ingest_.ids(), testing::ElementsAre("x", "y"));
  EXPECT_EQ(ingest_.opens()[1].client_id(), "me");
  EXPECT_THAT(result.err,
              testing::StartsWith("kindred: connection lost, trying again (kindredd is stopping)\n"
                                  "kindred: resumed at frame 2\n"
                                  "kindred: 2 records are"));
  EXPECT_THAT(result.out, HasSubstr("unreported     2\n"));
}

TEST_F(IngestResumeCommandTest, GivesUpWhenToldTo) {
  ingest_.losses = {{1, client::FakeIngest::Loss::kBefore}};
  const std::string file = WriteFile("a.smi", "CCO\tx\n");
  const CliResult result = Run({"ingest", file, "--reconnect-for", "0", "--json"});
  EXPECT_EQ(result.code, 69);
  EXPECT_THAT(result.err, HasSubstr("takes no work: kindredd is stopping"));
  EXPECT_EQ(nlohmann::json::parse(result.out)["unacknowledged"], 1);
}

TEST_F(IngestResumeCommandTest, AnInterruptDoesNotWaitForTheConnection) {
  ingest_.losses = {{1, client::FakeIngest::Loss::kBefore}};
  ingest_.refusals = {grpc::Status(grpc::StatusCode::UNAVAILABLE, "kindredd is recovering")};
  std::thread interrupter([&] {
    while (ingest_.opens().size() < 2) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::raise(SIGINT);
  });
  const auto start = std::chrono::steady_clock::now();
  const CliResult result = Run({"ingest", WriteFile("a.smi", "CCO\tx\n")});
  interrupter.join();
  EXPECT_EQ(result.code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_THAT(result.out, HasSubstr("unacknowledged     1\n"));
}

TEST(RejectionLogTest, CountsWhatItDoesNotKeep) {
  RejectionLog log(2);
  for (uint64_t i = 1; i <= 5; ++i) {
    log.Add({"f", i, "", absl::InvalidArgumentError("why")});
  }
  EXPECT_EQ(log.count(), 5u);
  const auto kept = log.Take();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(ToLine(kept[1]), "f:2: why");
  EXPECT_TRUE(log.Take().empty());
}

}  // namespace
}  // namespace kindred::cli
