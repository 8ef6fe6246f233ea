// What flags of the edge go together, and which addresses need TLS and someone at the door.

#include "daemon/edge/edge_config.h"

#include <fstream>

#include "daemon/edge/listen_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_dir.h"

namespace kindred::daemon {
namespace {

using ::testing::HasSubstr;

TEST(EdgeConfig, KnowsWhichAddressesOtherMachinesReach) {
  for (const char* const local :
       {"127.0.0.1:0", "127.3.2.1:5463", "[::1]:0", "localhost:1", "unix:/tmp/x", "unix:x"}) {
    EXPECT_TRUE(IsLocalAddress(local)) << local;
  }
  for (const char* const open :
       {"0.0.0.0:0", "[::]:5463", "192.0.2.1:5463", "[2001:db8::1]:1", "[::ffff:1.2.3.4]:1"}) {
    EXPECT_FALSE(IsLocalAddress(open)) << open;
  }
}

TEST(EdgeConfig, RefusesAnOpenAddressWithoutTlsAndSomeoneAtTheDoor) {
  EdgeConfig config;
  EXPECT_TRUE(CheckEdge(config, {"127.0.0.1:0", "unix:x"}).ok());
  absl::Status status = CheckEdge(config, {"127.0.0.1:0", "0.0.0.0:5463"});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--listen 0.0.0.0:5463: other machines can reach it"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--tls-cert"));
  config.insecure = true;
  EXPECT_TRUE(CheckEdge(config, {"0.0.0.0:5463"}).ok());
  config.insecure = false;
  config.token_file = "tokens";
  EXPECT_THAT(std::string(CheckEdge(config, {"[::]:1"}).message()), HasSubstr("could be read on the way"));
  config.token_file.clear();
  config.tls = {"cert", "key", ""};
  EXPECT_THAT(std::string(CheckEdge(config, {"[::]:1"}).message()), HasSubstr("--tokens or --tls-client-ca"));
}

TEST(EdgeConfig, RefusesHalfOfTls) {
  EdgeConfig config;
  config.tls.certificate = "cert.pem";
  EXPECT_THAT(std::string(CheckEdge(config, {}).message()),
              HasSubstr("--tls-cert and --tls-key go together"));
  config.tls = {"", "", "ca.pem"};
  EXPECT_THAT(std::string(CheckEdge(config, {}).message()), HasSubstr("--tls-client-ca needs"));
}

TEST(EdgeConfig, RefusesFilesThatAreNotThereOrNotWhatTheyShouldBe) {
  const test::TempDir dir;
  EdgeConfig config;
  config.token_file = dir.Sub("tokens");
  EXPECT_THAT(std::string(CheckEdge(config, {}).message()),
              HasSubstr("tokens: cannot be read: No such file"));
  config.token_file = dir.path().string();
  EXPECT_THAT(std::string(CheckEdge(config, {}).message()), HasSubstr("cannot be read"));
  config.token_file = dir.Sub("large");
  std::ofstream(config.token_file) << std::string((1 << 20) + 1, '\n');
  EXPECT_THAT(std::string(CheckEdge(config, {}).message()), HasSubstr("has more than 1048576 bytes"));
  config.token_file.clear();
  std::ofstream(dir.path() / "not.pem") << "not a certificate";
  config.tls = {dir.Sub("not.pem"), dir.Sub("not.pem"), ""};
  EXPECT_THAT(std::string(CheckEdge(config, {}).message()),
              HasSubstr("not.pem: is not a PEM file of certificates"));
}

TEST(EdgeConfig, ReadsModesAndUsers) {
  EdgeConfig config;
  EXPECT_EQ(config.socket_mode(), 0600);
  config.socket_mode_text = "0660";
  EXPECT_EQ(config.socket_mode(), 0660);
  config.socket_user_texts = {"0", "1000=read-only", "4294967294=admin"};
  const auto users = config.socket_users();
  ASSERT_EQ(users.size(), 3);
  EXPECT_EQ(users[0].role, std::nullopt);
  EXPECT_EQ(users[1].uid, 1000);
  EXPECT_EQ(users[1].role, Role::kReadOnly);
  EXPECT_EQ(users[2].uid, 4294967294);
}

}  // namespace
}  // namespace kindred::daemon
