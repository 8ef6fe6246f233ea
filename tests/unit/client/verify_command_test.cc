// kindred verify: the findings, the summary, the exit code.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

grpc::Status SendReport(grpc::ServerWriter<v1::VerifyResponse>& writer, bool done, int findings) {
  v1::VerifyResponse message;
  message.set_graphs_checked(1);
  writer.Write(message);
  message.set_sequence(9);
  message.set_graphs_checked(2);
  message.set_graphs_listed(2);
  message.set_colours(7);
  message.set_labels(4);
  message.set_done(done);
  for (int i = 0; i < findings; ++i) {
    v1::VerifyFinding& finding = *message.add_findings();
    finding.set_family("graphs");
    finding.set_key("a\x01");
    finding.set_what("is missing");
  }
  message.set_finding_count(static_cast<uint64_t>(findings));
  writer.Write(message);
  return grpc::Status::OK;
}

TEST_F(CliTest, VerifyWithoutFindingsExits0) {
  server_.admin.verify = [](auto& writer) { return SendReport(writer, true, 0); };
  const CliResult text = Run({"verify"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.out, "verified 2 graphs, 7 colours, 4 labels at sequence 9: 0 findings\n");
}

TEST_F(CliTest, VerifyWithFindingsPrintsThemAndExits1) {
  server_.admin.verify = [](auto& writer) { return SendReport(writer, true, 1); };
  const CliResult text = Run({"verify"});
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.out, HasSubstr(": is missing\n"));
  EXPECT_EQ(text.out.find('\x01'), std::string::npos) << "control characters reach the terminal";
  const CliResult json = Run({"verify", "--json"});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.out, HasSubstr(R"("finding_count":1)"));
  EXPECT_THAT(json.out, HasSubstr(R"("what":"is missing")"));
}

TEST_F(CliTest, VerifyThatEndsEarlyIsNoSuccess) {
  server_.admin.verify = [](auto& writer) { return SendReport(writer, false, 0); };
  EXPECT_EQ(Run({"verify"}).code, 1);
}

}  // namespace
}  // namespace kindred::cli
