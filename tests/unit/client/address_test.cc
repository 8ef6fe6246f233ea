#include "client/address.h"

#include <string>

#include "gtest/gtest.h"

namespace kindred::client {
namespace {

TEST(AddressTest, TakesHostsAndPorts) {
  for (const char* const address : {"127.0.0.1:5463", "[::1]:1", "localhost:65535"}) {
    const auto target = ToGrpcTarget(address);
    ASSERT_TRUE(target.ok()) << target.status();
    EXPECT_EQ(*target, address);
  }
}

TEST(AddressTest, EncodesWhatAUriMayNotHoldInASocketPath) {
  EXPECT_EQ(*ToGrpcTarget("unix:/run/kindred.sock"), "unix:/run/kindred.sock");
  EXPECT_EQ(*ToGrpcTarget("unix:my socket?"), "unix:my%20socket%3F");
}

TEST(AddressTest, RefusesWhatCanNeverBeReached) {
  for (const char* const address : {"", "localhost", "localhost:", ":5463", "localhost:0", "localhost:65536",
                                    "localhost:54x", "::1:5463", "http://localhost:1", "unix:", "a b:1"}) {
    EXPECT_EQ(ToGrpcTarget(address).status().code(), absl::StatusCode::kInvalidArgument) << address;
  }
  EXPECT_FALSE(ToGrpcTarget("unix:" + std::string(108, 'x')).ok());
  EXPECT_TRUE(ToGrpcTarget("unix:" + std::string(107, 'x')).ok());
}

}  // namespace
}  // namespace kindred::client
