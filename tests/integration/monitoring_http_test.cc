// The HTTP server of kindredd: its pages, its limits, and what it refuses.

#include <csignal>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/http_connection.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using std::chrono_literals::operator""ms;

TEST(Http, IsOffUnlessAskedFor) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  EXPECT_EQ(daemon.http_address(), "");
}

TEST(Http, ServesHealthAndReadinessOnLoopback) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"), {"--http-listen", "0"});
  EXPECT_THAT(daemon.http_address(), MatchesRegex("127\\.0\\.0\\.1:[1-9][0-9]*"));
  EXPECT_EQ(HttpGet(daemon.http_address(), "/healthz").status, 200);
  const HttpAnswer ready = HttpGet(daemon.http_address(), "/readyz");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.body, "ready\n");
}

TEST(Http, IsNotReadyWhileItStops) {
  const TempDir dir;
  std::vector<std::string> flags{"--http-listen", "0", "--drain-seconds", "600"};
  flags.insert(flags.end(), UnreadExport::kFlag.begin(), UnreadExport::kFlag.end());
  DaemonProcess daemon(dir.Sub("d"), flags);
  const UnreadExport unread(daemon);
  ASSERT_EQ(HttpGet(daemon.http_address(), "/readyz").status, 200);
  ::kill(daemon.pid(), SIGTERM);
  HttpAnswer answer;
  do {
    answer = HttpGet(daemon.http_address(), "/readyz");
  } while (answer.status == 200);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(HttpGet(daemon.http_address(), "/healthz").status, 200);
  EXPECT_THAT(HttpGet(daemon.http_address(), "/metrics").body, HasSubstr("kindred_ready 0\n"));
}

TEST(Http, HasNothingElse) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"), {"--http-listen", "127.0.0.1:0"});
  for (const char* path : {"/", "/metrics/", "/../metrics", "/readyz%00", "/etc/passwd"}) {
    EXPECT_EQ(HttpGet(daemon.http_address(), path).status, 404) << path;
  }
  for (const char* request : {"POST /metrics HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
                              "DELETE /metrics HTTP/1.1\r\n\r\n", "nonsense\r\n\r\n"}) {
    HttpConnection connection(daemon.http_address());
    connection.Send(request);
    EXPECT_GE(connection.Answer().status, 400) << request;
  }
  for (const auto& [bytes, status] : {std::pair(8100, 200), std::pair(8192, 431)}) {
    HttpConnection connection(daemon.http_address());
    const std::string opening = "GET /healthz HTTP/1.1\r\nX: ";
    connection.Send(opening + std::string(static_cast<size_t>(bytes) - opening.size(), 'x'));
    if (status == 200) {
      connection.Send("\r\n\r\n");
    }
    EXPECT_EQ(connection.Answer().status, status) << bytes;
  }
  EXPECT_EQ(HttpGet(daemon.http_address(), "/healthz").status, 200);
}

TEST(Http, ServesAtMostSoManyConnectionsAtATime) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"), {"--http-listen", "0", "--http-connections-max", "2"});
  HttpConnection silent(daemon.http_address());
  HttpConnection second(daemon.http_address());
  second.Ask("/healthz");
  EXPECT_EQ(second.Answer().status, 200) << "two are served";
  HttpConnection also_silent(daemon.http_address());
  HttpConnection waiting(daemon.http_address());
  waiting.Ask("/healthz");
  EXPECT_FALSE(waiting.HasAnswer(200ms)) << "a third is not";
  silent.Close();
  EXPECT_EQ(waiting.Answer().status, 200);
}

TEST(Http, SharesNoPortWithAnotherDaemon) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"), {"--http-listen", "0"});
  const Finished second = RunProgram(KindreddPath(), {"--data-dir", dir.Sub("e"), "--listen", "127.0.0.1:0",
                                                      "--http-listen", daemon.http_address()});
  EXPECT_EQ(second.exit_code, 69);
  EXPECT_THAT(second.err, HasSubstr("cannot listen on " + daemon.http_address() + " for HTTP"));
}

TEST(Http, StopsWithConnectionsOpen) {
  const TempDir dir;
  DaemonProcess daemon(dir.Sub("d"), {"--http-listen", "0"});
  const HttpConnection silent(daemon.http_address());
  EXPECT_EQ(daemon.Stop(SIGTERM), 0);
}

TEST(Http, RefusesAddressesThatAreNone) {
  const TempDir dir;
  for (const char* address : {"unix:/tmp/x", "65536", "localhost", "127.0.0.1:x", ":80", ""}) {
    const Finished finished =
        RunProgram(KindreddPath(), {"--data-dir", dir.Sub("d"), "--http-listen", address, "--check-config"});
    EXPECT_EQ(finished.exit_code, 64) << address;
  }
  for (const char* address : {"9463", "127.0.0.1:9463", "[::1]:9463", "0.0.0.0:0"}) {
    const Finished finished =
        RunProgram(KindreddPath(), {"--data-dir", dir.Sub("d"), "--http-listen", address, "--check-config"});
    EXPECT_EQ(finished.exit_code, 0) << address << finished.err;
  }
}

}  // namespace
}  // namespace kindred::test
