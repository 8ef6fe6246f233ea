// kindred compact: the summary, the exit code, Ctrl-C.

#include <csignal>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

v1::CompactResponse CompactMessage(bool done) {
  v1::CompactResponse message;
  message.set_stage(v1::COMPACT_STAGE_TABLES);
  message.set_segments_before(5);
  message.set_segments_after(1);
  message.set_graphs_dropped(900);
  message.set_memory_bytes_before(4000);
  message.set_memory_bytes_after(1000);
  message.set_disk_bytes_before(80000);
  message.set_disk_bytes_after(9000);
  message.set_colours(70);
  message.set_colours_unused(30);
  message.set_done(done);
  return message;
}

TEST_F(CliTest, CompactTellsWhatCameOfIt) {
  server_.admin.compact = [](grpc::ServerContext&, auto& writer) {
    writer.Write(CompactMessage(false));
    writer.Write(CompactMessage(true));
    return grpc::Status::OK;
  };
  const CliResult text = Run({"compact"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out,
            "segments  1 (were 5), 900 deleted or replaced graphs left the lists\n"
            "memory    1000 bytes (were 4000)\n"
            "disk      9000 bytes (were 80000)\n"
            "colours   70, of which 30 are worn by no stored graph\n"
            "Unused colours are reclaimed while the daemon is stopped: kindredd --data-dir DIR --compact\n");
  const CliResult json = Run({"compact", "--json"});
  EXPECT_THAT(json.out, HasSubstr(R"("segments_before":5)"));
  EXPECT_THAT(json.out, HasSubstr(R"("colours_unused":30)"));
  EXPECT_THAT(json.out, Not(HasSubstr("reclaimed")));
}

TEST_F(CliTest, CompactThatEndsEarlyIsNoSuccess) {
  server_.admin.compact = [](grpc::ServerContext&, auto& writer) {
    writer.Write(CompactMessage(false));
    return grpc::Status::OK;
  };
  EXPECT_EQ(Run({"compact"}).code, 1);
}

TEST_F(CliTest, CompactThatIsRefusedSaysWhy) {
  server_.admin.compact = [](grpc::ServerContext&, auto&) {
    return grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "another compaction is under way");
  };
  const CliResult refused = Run({"compact"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("another compaction is under way"));
}

TEST_F(CliTest, CtrlCGivesACompactionUp) {
  server_.admin.compact = [](grpc::ServerContext& context, auto& writer) {
    std::raise(SIGINT);  // The command line runs in this process, too.
    while (!context.IsCancelled() && writer.Write(CompactMessage(false))) {
    }
    return grpc::Status::CANCELLED;
  };
  const CliResult given_up = Run({"compact"});
  EXPECT_EQ(given_up.code, 130);
  EXPECT_THAT(given_up.err, HasSubstr("the index is as it was"));
  EXPECT_EQ(given_up.out, "");
}

}  // namespace
}  // namespace kindred::cli
