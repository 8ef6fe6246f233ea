// Ingest across kill -9 of the real daemon: the library, the command line, and converted files.

#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <memory>
#include <sstream>
#include <thread>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class ResumeTest : public ::testing::Test {
 protected:
  ResumeTest() : daemon_(std::make_unique<DaemonProcess>(dir_.Sub("d"))), address_(daemon_->address()) {}

  // The same data at the same address.
  void Restart(int signal) {
    daemon_->Stop(signal);
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), std::vector<std::string>{"--listen", address_});
  }

  uint64_t Graphs() {
    v1::StatsResponse stats;
    EXPECT_TRUE(daemon_->NewStub()->Stats(NewContext().get(), {}, &stats).ok());
    return stats.graphs();
  }

  Finished Kindred(std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", address_});
    return RunProgram(KindredPath(), args);
  }

  // JSON lines of paths, "0" to "count" - 1.
  std::string WritePaths(int count) {
    std::ofstream file(dir_.Sub("paths.jsonl"));
    for (int i = 0; i < count; ++i) {
      file << R"({"id":")" << i << R"(","vertices":["C","O"],"edges":[[0,1]]})"
           << "\n";
    }
    return dir_.Sub("paths.jsonl");
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_;
  const std::string address_;
};

TEST_F(ResumeTest, AStreamOutlivesADaemonThatIsKilledAgainAndAgain) {
  constexpr uint64_t kRecords = 30'000;
  const auto client = *client::Client::Create(address_);
  client::IngestOptions options;
  options.frame_items_max = 50;
  options.in_flight_bytes_max = 100'000;
  auto opened = client->Ingest(options, [](const client::Rejection& rejection) {
    ADD_FAILURE() << rejection.id << ": " << rejection.status;
  });
  ASSERT_TRUE(opened.ok()) << opened.status();
  client::IngestStream& stream = **opened;
  std::future<absl::Status> sending = std::async(std::launch::async, [&] {
    for (uint64_t i = 0; i < kRecords; ++i) {
      const v1::Record record = RecordMessage(std::to_string(i), PathMessage("CCO"));
      if (absl::Status status = stream.Send(record, {}); !status.ok()) {
        return status;
      }
    }
    return stream.Finish().status();
  });
  for (const int signal : {SIGKILL, SIGTERM, SIGKILL}) {
    const uint64_t before = stream.summary().durable_frame;
    while (stream.summary().durable_frame < before + 100 &&
           sending.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout) {
    }
    Restart(signal);
  }
  const absl::Status status = sending.get();
  EXPECT_TRUE(status.ok()) << status;
  const client::IngestSummary summary = stream.summary();
  EXPECT_EQ(summary.inserted + summary.unreported, kRecords);
  EXPECT_EQ(summary.replaced, 0u) << "nothing was applied twice";
  EXPECT_EQ(Graphs(), kRecords);
}

TEST_F(ResumeTest, AClientIdGoesOnWhereItWasAfterARestartOfBoth) {
  client::IngestOptions options;
  options.client_id = "mine";
  for (uint64_t frame = 1; frame <= 3; ++frame) {
    const auto client = *client::Client::Create(address_);
    auto stream = client->Ingest(options, nullptr);
    ASSERT_TRUE(stream.ok()) << stream.status();
    EXPECT_EQ((*stream)->summary().durable_frame, frame - 1);
    ASSERT_TRUE((*stream)->Send(RecordMessage(std::to_string(frame), PathMessage("CC")), {}).ok());
    EXPECT_EQ((*stream)->Flush(), frame);
    ASSERT_TRUE((*stream)->Finish().ok());
    options.acknowledged_frame = frame;
    Restart(SIGKILL);
  }
  EXPECT_EQ(Graphs(), 3u);
}

TEST_F(ResumeTest, ADaemonWithoutWhatItAcknowledgedIsNoticed) {
  client::IngestOptions options;
  options.client_id = "mine";
  options.acknowledged_frame = 7;
  const auto client = *client::Client::Create(address_);
  EXPECT_EQ(client->Ingest(options, nullptr).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(ResumeTest, TheCommandLineOutlivesAKill) {
  constexpr int kRecords = 200'000;
  const std::string file = WritePaths(kRecords);
  std::future<Finished> ingest = std::async(std::launch::async, [&] {
    return Kindred({"ingest", file, "--mode", "insert"});
  });
  while (Graphs() < 1000) {
  }
  Restart(SIGKILL);
  const Finished finished = ingest.get();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, ContainsRegex("rejected +0\n")) << "nothing was sent twice";
  EXPECT_THAT(finished.err, HasSubstr("kindred: connection lost, trying again"));
  EXPECT_THAT(finished.err, HasSubstr("kindred: resumed at frame "));
  EXPECT_EQ(Graphs(), static_cast<uint64_t>(kRecords));
}

TEST_F(ResumeTest, AConvertedFileStoresTheSame) {
  const std::string molecules = (SourceDir() / "examples/molecules.smi").string();
  ASSERT_EQ(Kindred({"ingest", molecules}).exit_code, 0);
  const std::string direct = Kindred({"export"}).out;
  const Finished convert = Kindred({"convert", molecules, dir_.Sub("m.pb.zst")});
  ASSERT_EQ(convert.exit_code, 0) << convert.err;
  DaemonProcess other(dir_.Sub("other"));
  const Finished ingest =
      RunProgram(KindredPath(), {"--server", other.address(), "ingest", dir_.Sub("m.pb.zst")});
  EXPECT_EQ(ingest.exit_code, 0) << ingest.err;
  EXPECT_EQ(RunProgram(KindredPath(), {"--server", other.address(), "export"}).out, direct);
}

TEST_F(ResumeTest, TheDaemonNamesWhatIsNoRecordInAConvertedFile) {
  // Three bytes that are no record, then one without an id, then a good one.
  const v1::Record good = RecordMessage("good", PathMessage("CC"));
  std::ofstream(dir_.Sub("x.pb"), std::ios::binary)
      << std::string("\x03\xFF\xFF\xFF\x00", 5) << static_cast<char>(good.ByteSizeLong())
      << good.SerializeAsString();
  const Finished ingest = Kindred({"ingest", dir_.Sub("x.pb")});
  EXPECT_EQ(ingest.exit_code, 3);
  EXPECT_THAT(ingest.err, HasSubstr(dir_.Sub("x.pb") + ":1: "));
  EXPECT_THAT(ingest.err, HasSubstr(dir_.Sub("x.pb") + ":2: id: "));
  EXPECT_THAT(ingest.out, ContainsRegex("stored +1\n"));
}

}  // namespace
}  // namespace kindred::test
