// A damaged data directory as its operator meets it: exit codes, messages, --accept-loss, both ways to
// verify.

#include <csignal>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/damage.h"
#include "tests/support/paths.h"
#include "tests/support/store_surgery.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

class DamageTest : public ::testing::Test {
 protected:
  // Serves, stores three graphs, and lets `look` at it.
  template <typename Look>
  void Serve(Look look) {
    DaemonProcess daemon(data_);
    std::mt19937_64 rng(3);
    for (const char* const id : {"a", "b", "c"}) {
      v1::PutRequest request;
      *request.add_records() = RecordMessage(id, RandomTreeMessage(rng));
      v1::PutResponse response;
      ASSERT_TRUE(daemon.NewStub()->Put(NewContext().get(), request, &response).ok());
    }
    look(daemon);
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }

  Finished Daemon(const std::vector<std::string>& flags) {
    std::vector<std::string> args{"--data-dir", data_, "--listen", "127.0.0.1:0"};
    args.insert(args.end(), flags.begin(), flags.end());
    return RunProgram(KindreddPath(), args);
  }

  const TempDir dir_;
  const std::string data_ = dir_.Sub("d");
};

TEST_F(DamageTest, VerifyOfAnIntactIndexFindsNothing) {
  Serve([](const DaemonProcess& daemon) {
    const Finished text = RunProgram(KindredPath(), {"--server", daemon.address(), "verify"});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("verified 3 graphs"));
    EXPECT_THAT(text.out, HasSubstr("at sequence 3: 0 findings\n"));
    const Finished json = RunProgram(KindredPath(), {"--server", daemon.address(), "verify", "--json"});
    EXPECT_THAT(json.out, HasSubstr(R"("finding_count":0,"findings":[])")) << json.err;
    EXPECT_THAT(json.out, HasSubstr(R"("listed":3)"));
  });
  const Finished offline = Daemon({"--verify"});
  EXPECT_EQ(offline.exit_code, 0) << offline.err;
  EXPECT_THAT(offline.out, HasSubstr("verified 3 graphs"));
}

TEST_F(DamageTest, VerifyOfADamagedDirectoryNamesWhatItFindsAndServingIsRefused) {
  Serve([](const DaemonProcess&) {});
  StoreSurgery(data_).Delete(schema::Family::kHistograms, schema::Key(GraphId{2}));
  const Finished offline = Daemon({"--verify"});
  EXPECT_EQ(offline.exit_code, 65);
  EXPECT_THAT(offline.out, HasSubstr("histograms 2: store: graph 2 has no histogram\n"));
  EXPECT_THAT(offline.out, HasSubstr(": 1 findings\n"));
  const Finished served = Daemon({});
  EXPECT_EQ(served.exit_code, 65);
  EXPECT_THAT(served.err, HasSubstr("restore a backup"));
}

TEST_F(DamageTest, LostCommitsAreRefusedUntilAccepted) {
  Serve([](const DaemonProcess&) {});
  const auto log = FilesOf(std::filesystem::path(data_) / "db", ".log").back();
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 1);
  const Finished refused = Daemon({});
  EXPECT_EQ(refused.exit_code, 65);
  EXPECT_THAT(refused.err, HasSubstr("commits 3 to 3 are lost"));
  EXPECT_THAT(refused.err, HasSubstr("--accept-loss"));
  {
    DaemonProcess accepted(data_, {"--accept-loss"});
    EXPECT_THAT(accepted.ready_line(), HasSubstr("graphs=2 sequence=2"));
    EXPECT_EQ(accepted.Stop(SIGTERM), 0);
  }
  DaemonProcess again(data_);
  EXPECT_THAT(again.ready_line(), HasSubstr("graphs=2 sequence=2"));
}

TEST_F(DamageTest, ANearlyFullDiskRefusesWritesByTheNameOfTheLimit) {
  DaemonProcess daemon(data_, {"--disk-reserve-bytes", "1099511627776"});
  std::mt19937_64 rng(3);
  v1::PutRequest request;
  *request.add_records() = RecordMessage("a", RandomTreeMessage(rng));
  v1::PutResponse response;
  const grpc::Status status = daemon.NewStub()->Put(NewContext().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("disk_reserve_bytes"));
}

}  // namespace
}  // namespace kindred::test
