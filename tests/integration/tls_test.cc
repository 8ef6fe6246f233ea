// TLS and mutual TLS, with certificates that change while the daemon runs.

#include <csignal>
#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/certificates.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/tokens.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class TlsTest : public ::testing::Test {
 protected:
  TlsTest() {
    authority_.Sign("server");
    authority_.Sign("client");
    other_.Sign("server");
    other_.Sign("client");
    Install(authority_);
  }

  // What the daemon is told to use.
  void Install(const Authority& authority) const {
    fs::copy_file(authority.Path("server.key"), dir_.Sub("key"), fs::copy_options::overwrite_existing);
    fs::copy_file(authority.Path("server.pem"), dir_.Sub("cert"), fs::copy_options::overwrite_existing);
  }

  std::vector<std::string> Flags(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--tls-cert", dir_.Sub("cert"), "--tls-key", dir_.Sub("key")});
    return more;
  }

  static client::AccessOptions Believing(const Authority& authority) {
    client::AccessOptions access;
    access.ca_file = authority.ca();
    return access;
  }

  static client::AccessOptions Showing(const Authority& believed, const Authority& signer) {
    client::AccessOptions access = Believing(believed);
    access.certificate_file = signer.Path("client.pem");
    access.key_file = signer.Path("client.key");
    return access;
  }

  const TempDir dir_;
  const std::string log_ = dir_.Sub("log");
  const Authority authority_{dir_.Sub("authority"), "authority"};
  const Authority other_{dir_.Sub("other"), "other"};
};

TEST_F(TlsTest, ServesThoseWhoBelieveItsAuthority) {
  DaemonProcess daemon(dir_.Sub("d"), Flags());
  EXPECT_TRUE(StatsOf(daemon.address(), Believing(authority_)).ok());
  EXPECT_EQ(StatsOf(daemon.address(), Believing(other_)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(StatsOf(daemon.address(), {}).code(), absl::StatusCode::kUnavailable) << "without TLS";
  client::AccessOptions named = Believing(authority_);
  named.server_name = "localhost";
  EXPECT_TRUE(StatsOf(daemon.address(), named).ok());
  named.server_name = "example.org";
  EXPECT_EQ(StatsOf(daemon.address(), named).code(), absl::StatusCode::kUnavailable);
}

TEST_F(TlsTest, AUnixSocketSpeaksNoTls) {
  const std::string socket = "unix:" + dir_.Sub("socket");
  DaemonProcess daemon(dir_.Sub("d"), Flags({"--listen", socket, "--listen", "127.0.0.1:0"}));
  EXPECT_TRUE(StatsOf(socket, {}).ok());
  EXPECT_TRUE(StatsOf(socket, Believing(authority_)).ok());
}

TEST_F(TlsTest, MutualTlsLetsInThoseWithACertificate) {
  DaemonProcess daemon(dir_.Sub("d"), Flags({"--tls-client-ca", authority_.ca()}));
  EXPECT_TRUE(StatsOf(daemon.address(), Showing(authority_, authority_)).ok());
  EXPECT_EQ(StatsOf(daemon.address(), Showing(authority_, other_)).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(StatsOf(daemon.address(), Believing(authority_)).code(), absl::StatusCode::kUnavailable);
}

// Who has a certificate is let in; to audit and to back up is for those who were given more.
TEST_F(TlsTest, ACertificateAloneMayReadAndWrite) {
  const auto code_of = [this](const std::vector<std::string>& flags,
                              const std::vector<std::string>& command) {
    std::vector<std::string> more{"--tls-client-ca", authority_.ca()};
    more.insert(more.end(), flags.begin(), flags.end());
    DaemonProcess daemon(dir_.Sub("d"), Flags(more));
    std::vector<std::string> words{"--server=" + daemon.address(),
                                   "--tls-ca",
                                   authority_.ca(),
                                   "--tls-cert",
                                   authority_.Path("client.pem"),
                                   "--tls-key",
                                   authority_.Path("client.key")};
    words.insert(words.end(), command.begin(), command.end());
    const Finished run = RunProgram(KindredPath(), words);
    return run.exit_code == 0 ? std::string() : run.err;
  };
  const std::vector<std::string> write{"delete", "none"};
  const std::vector<std::string> read{"stats"};
  const std::vector<std::string> audit{"verify"};
  // By default.
  EXPECT_EQ(code_of({}, read), "");
  EXPECT_THAT(code_of({}, write), Not(HasSubstr("needs the role")));
  EXPECT_THAT(code_of({}, audit), HasSubstr("/kindred.v1.Admin/Verify needs the role admin; a client's "
                                            "certificate (--tls-client-role) has read-write"));
  // As the flag says.
  EXPECT_EQ(code_of({"--tls-client-role", "read-only"}, read), "");
  EXPECT_THAT(code_of({"--tls-client-role", "read-only"}, write), HasSubstr("has read-only"));
  EXPECT_EQ(code_of({"--tls-client-role", "admin"}, audit), "");
}

TEST_F(TlsTest, TheRoleOfCertificatesIsRefusedWhereItWouldNotCount) {
  const Tokens tokens(dir_.Sub("tokens"));
  const auto check = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> more{"--data-dir", dir_.Sub("d"), "--check-config"};
    more.insert(more.end(), flags.begin(), flags.end());
    return RunProgram(KindreddPath(), Flags(more)).exit_code;
  };
  EXPECT_EQ(check({"--tls-client-role", "admin", "--tls-client-ca", authority_.ca()}), 0);
  EXPECT_EQ(check({"--tls-client-role", "admin"}), 64);
  EXPECT_EQ(
      check({"--tls-client-role", "admin", "--tls-client-ca", authority_.ca(), "--tokens", tokens.file()}),
      64);
  EXPECT_EQ(check({"--tls-client-role", "root", "--tls-client-ca", authority_.ca()}), 64);
}

TEST_F(TlsTest, TokensCountBehindTls) {
  const Tokens tokens(dir_.Sub("tokens"));
  DaemonProcess daemon(dir_.Sub("d"), Flags({"--tokens", tokens.file(), "--tls-client-ca", authority_.ca()}));
  client::AccessOptions access = Showing(authority_, authority_);
  EXPECT_EQ(StatsOf(daemon.address(), access).code(), absl::StatusCode::kUnauthenticated);
  access.token = tokens.of("read-only");
  EXPECT_TRUE(StatsOf(daemon.address(), access).ok());
}

TEST_F(TlsTest, ListensWhereOthersReachItWithTlsAndTokens) {
  const Tokens tokens(dir_.Sub("tokens"));
  const std::vector<std::string> open{"--data-dir", dir_.Sub("d"), "--listen", "0.0.0.0:0", "--check-config"};
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.end(), open.begin(), open.end());
    return RunProgram(KindreddPath(), Flags(more));
  };
  EXPECT_EQ(check({"--tokens", tokens.file()}).exit_code, 0);
  EXPECT_EQ(check({"--tls-client-ca", authority_.ca()}).exit_code, 0);
  const Finished refused = check({});
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, HasSubstr("give --tokens or --tls-client-ca"));
}

TEST_F(TlsTest, NewCertificatesCountWithoutARestart) {
  DaemonProcess daemon(dir_.Sub("d"), Flags({"--tls-client-ca", authority_.ca()}),
                       Surroundings{.log_path = log_});
  const auto before = NewClient(daemon.address(), Showing(authority_, authority_));
  ASSERT_TRUE(before->Stats().ok());
  Install(other_);
  EXPECT_TRUE(WaitForStats(daemon.address(), Showing(other_, authority_), absl::StatusCode::kOk).ok());
  EXPECT_EQ(StatsOf(daemon.address(), Showing(authority_, authority_)).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(before->Stats().ok()) << "connections that were there go on";
}

TEST_F(TlsTest, CertificatesThatAreBrokenChangeNothing) {
  DaemonProcess daemon(dir_.Sub("d"), Flags(), Surroundings{.log_path = log_});
  const auto wait_for_log = [&](const std::string& words) {
    ::kill(daemon.pid(), SIGHUP);
    for (int i = 0; i < 3'000 && FileText(log_).find(words) == std::string::npos; ++i) {
      ::usleep(10'000);
    }
    EXPECT_THAT(FileText(log_), HasSubstr(words));
    EXPECT_TRUE(StatsOf(daemon.address(), Believing(authority_)).ok());
  };
  // The certificate was replaced, its key not yet.
  fs::copy_file(other_.Path("server.pem"), dir_.Sub("cert"), fs::copy_options::overwrite_existing);
  wait_for_log("key: is not the key of the certificate");
  std::ofstream(dir_.path() / "cert") << "-----BEGIN CERTIFICATE-----\nhalf";
  wait_for_log("cert: is not a PEM file of certificates; those read before stay in force");
  fs::remove(dir_.path() / "key");
  wait_for_log("key: cannot be read");
  std::ofstream(dir_.path() / "key") << FileText(other_.Path("server.key"));
  std::ofstream(dir_.path() / "cert") << FileText(other_.Path("server.pem"));
  EXPECT_TRUE(WaitForStats(daemon.address(), Believing(other_), absl::StatusCode::kOk).ok());
  EXPECT_THAT(FileText(log_), Not(HasSubstr("PRIVATE")));
}

TEST_F(TlsTest, RefusesToStartWithCertificatesThatAreBroken) {
  std::ofstream(dir_.path() / "cert") << FileText(other_.Path("server.pem"));
  std::vector<std::string> flags = Flags({"--data-dir", dir_.Sub("d")});
  const Finished refused = RunProgram(KindreddPath(), flags);
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, HasSubstr("is not the key of the certificate"));
  EXPECT_FALSE(fs::exists(dir_.Sub("d")));
}

TEST_F(TlsTest, TheCommandLineSpeaksTls) {
  DaemonProcess daemon(dir_.Sub("d"), Flags({"--tls-client-ca", authority_.ca()}));
  const std::string server = "--server=" + daemon.address();
  Finished run = RunProgram(KindredPath(),
                            {server, "--tls-ca", authority_.ca(), "--tls-cert", authority_.Path("client.pem"),
                             "--tls-key", authority_.Path("client.key"), "stats"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  run = RunProgram(KindredPath(), {server, "stats"},
                   {{"KINDRED_TLS_CA", authority_.ca()},
                    {"KINDRED_TLS_CERT", authority_.Path("client.pem")},
                    {"KINDRED_TLS_KEY", authority_.Path("client.key")}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  run = RunProgram(KindredPath(), {server, "--tls-cert", authority_.Path("client.pem"), "stats"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("a client's certificate and its key come together"));
}

}  // namespace
}  // namespace kindred::test
