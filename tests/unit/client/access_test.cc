// Tokens and TLS as the command line and the library take them; what a daemon makes of them is tested with
// one.

#include <sys/stat.h>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST_F(CliTest, TokenWritesAFileThatOnlyItsOwnerReadsAndPrintsALine) {
  const CliResult made = Run({"token", "loader", "read-write", "-o", Path("t")});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, MatchesRegex("loader read-write [0-9a-f]*\n"));
  EXPECT_EQ(made.out.size(), std::string("loader read-write \n").size() + 64);
  const std::string token = ReadFile(Path("t"));
  EXPECT_THAT(token, MatchesRegex("kindred_[0-9a-f]*\n"));
  EXPECT_EQ(token.size(), 8 + 64 + 1);
  struct stat info {};
  ASSERT_EQ(::stat(Path("t").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600);
  const CliResult again = Run({"token", "loader", "read-write", "-o", Path("t")});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.err, HasSubstr("File exists"));
  EXPECT_EQ(ReadFile(Path("t")), token) << "it was overwritten";
  EXPECT_NE(Run({"token", "a", "admin", "-o", "-"}).out, Run({"token", "a", "admin", "-o", "-"}).out);
}

TEST_F(CliTest, TokenRefusesNamesAndRolesThatAreNone) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"token"},
                                                {"token", "a", "admin"},
                                                {"token", "a", "king", "-o", "-"},
                                                {"token", "a b", "admin", "-o", "-"},
                                                {"token", std::string(65, 'a'), "admin", "-o", "-"}}) {
    EXPECT_EQ(RunCli(words).code, 64) << testing::PrintToString(words);
  }
}

absl::Status CreateWith(const std::string& address, const client::AccessOptions& access) {
  client::ClientOptions options;
  options.access = access;
  return client::Client::Create(address, options).status();
}

TEST(AccessOptionsTest, ATokenDoesNotTravelReadable) {
  client::AccessOptions access;
  access.token = "hunter2";
  for (const char* const far : {"example.org:5463", "192.0.2.1:1", "[2001:db8::1]:1", "127.example.org:1"}) {
    const absl::Status refused = CreateWith(far, access);
    EXPECT_THAT(std::string(refused.message()), HasSubstr("the token would travel readable to")) << far;
    EXPECT_THAT(std::string(refused.message()), Not(HasSubstr("hunter2")));
  }
  for (const char* const here : {"localhost:1", "127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "unix:/x"}) {
    EXPECT_TRUE(CreateWith(here, access).ok()) << here;
  }
  access.tls = true;
  EXPECT_TRUE(CreateWith("example.org:5463", access).ok());
}

TEST_F(CliTest, RefusesFilesThatAreNotWhatTheyShouldBe) {
  WriteFile("empty", "\n");
  WriteFile("two words", "hunter2 hunter3\n");
  client::AccessOptions access;
  for (const auto& [file, message] : {std::pair{"none", "cannot be read"}, std::pair{"empty", "has no token"},
                                      std::pair{"two words", "printable ASCII without blanks"}}) {
    access.token_file = Path(file);
    const absl::Status refused = CreateWith("127.0.0.1:1", access);
    EXPECT_THAT(std::string(refused.message()), HasSubstr(message));
    EXPECT_THAT(std::string(refused.message()), Not(HasSubstr("hunter")));
  }
  access.token_file.clear();
  access.ca_file = WriteFile("ca.pem", "no certificate");
  EXPECT_THAT(std::string(CreateWith("127.0.0.1:1", access).message()),
              HasSubstr("ca.pem: is not a PEM file"));
}

}  // namespace
}  // namespace kindred::cli
