// kindred backup: what it asks for, the summary, the exit code.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

grpc::Status SendBackup(grpc::ServerWriter<v1::BackupResponse>& writer, bool done) {
  v1::BackupResponse message;
  message.set_backup_id(3);
  message.set_sequence(9);
  message.set_graphs(2);
  message.set_files(5);
  message.set_bytes(1000);
  writer.Write(message);
  message.set_bytes_copied(400);
  message.set_bytes_checked(1000);
  message.set_path("/backups/daily/000003");
  message.set_removed(1);
  message.set_done(done);
  writer.Write(message);
  return grpc::Status::OK;
}

TEST_F(CliTest, BackupTellsWhereItIs) {
  server_.admin.backup = [](const v1::BackupRequest& request, auto& writer) {
    EXPECT_EQ(request.directory(), "daily");
    EXPECT_EQ(request.keep(), 7u);
    return SendBackup(writer, true);
  };
  const CliResult text = Run({"backup", "daily", "--keep", "7"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(
      text.out,
      "backup /backups/daily/000003: 2 graphs at sequence 9, 5 files, 1000 bytes, 400 of them copied; 1 "
      "old backups removed\n");
  const CliResult json = Run({"backup", "daily", "--keep", "7", "--json"});
  EXPECT_THAT(json.out, HasSubstr(R"("backup_id":3)"));
  EXPECT_THAT(json.out, HasSubstr(R"("bytes_copied":400)"));
}

TEST_F(CliTest, BackupThatEndsEarlyIsNoSuccess) {
  server_.admin.backup = [](const v1::BackupRequest&, auto& writer) { return SendBackup(writer, false); };
  EXPECT_EQ(Run({"backup", "daily"}).code, 1);
}

TEST_F(CliTest, ADirectoryThatCannotBeWrittenIsNoLostDaemon) {
  server_.admin.backup = [](const v1::BackupRequest&, auto&) {
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "store: creation of /backups/daily failed: IO error");
  };
  const CliResult result = Run({"backup", "daily"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err,
              HasSubstr(" could not do it: store: creation of /backups/daily failed: IO error\n"));
}

TEST_F(CliTest, BackupWithoutADirectoryOrKeepingNoneIsWrongUsage) {
  EXPECT_EQ(Run({"backup"}).code, 64);
  EXPECT_EQ(Run({"backup", "daily", "--keep", "0"}).code, 64);
}

}  // namespace
}  // namespace kindred::cli
