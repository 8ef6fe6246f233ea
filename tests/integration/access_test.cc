// Who may call what: tokens and their roles, on every transport, as the files change.

#include <algorithm>
#include <csignal>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/generic/generic_stub.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/tokens.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct NamedCall {
  std::string method;
  std::string role;  // That it needs, as docs/security.md has it.
};

// All calls of the contract. What a role may do is written down a second time here: by kind, not by name.
std::vector<NamedCall> AllCalls() {
  const std::set<std::string> writes{"Put", "PutIfNovel", "Delete", "Ingest"};
  std::vector<NamedCall> calls;
  const google::protobuf::FileDescriptor& file = *v1::PutRequest::descriptor()->file();
  for (int i = 0; i < file.service_count(); ++i) {
    for (int j = 0; j < file.service(i)->method_count(); ++j) {
      const std::string name = file.service(i)->method(j)->name();
      const bool admin = file.service(i)->name() == "Admin";
      calls.push_back({"/" + file.service(i)->full_name() + "/" + name,
                       admin ? "admin" : (writes.contains(name) ? "read-write" : "read-only")});
    }
  }
  return calls;
}

// Makes the call with an empty request, whatever its kind is, and takes all answers.
grpc::Status CallEmpty(const DaemonProcess& daemon, const std::string& method,
                       const std::string& authorization) {
  grpc::GenericStub stub(daemon.NewChannel());
  grpc::CompletionQueue queue;
  const auto context = NewContext();
  if (!authorization.empty()) {
    context->AddMetadata("authorization", authorization);
  }
  const auto call = stub.PrepareCall(context.get(), method, &queue);
  void* tag = nullptr;
  bool ok = true;
  call->StartCall(&tag);
  queue.Next(&tag, &ok);
  const grpc::Slice empty;
  call->WriteLast(grpc::ByteBuffer(&empty, 1), grpc::WriteOptions(), &tag);
  queue.Next(&tag, &ok);
  do {
    grpc::ByteBuffer answer;
    call->Read(&answer, &tag);
    queue.Next(&tag, &ok);
  } while (ok);
  grpc::Status status;
  call->Finish(&status, &tag);
  queue.Next(&tag, &ok);
  return status;
}

// All calls at the same time: the answers to failures are held back.
std::vector<grpc::Status> CallAll(const DaemonProcess& daemon, const std::vector<NamedCall>& calls,
                                  const std::string& authorization) {
  std::vector<std::future<grpc::Status>> running;
  for (const NamedCall& call : calls) {
    running.push_back(
        std::async(std::launch::async, CallEmpty, std::cref(daemon), call.method, authorization));
  }
  std::vector<grpc::Status> statuses;
  for (auto& one : running) {
    statuses.push_back(one.get());
  }
  return statuses;
}

class AccessTest : public ::testing::Test {
 protected:
  void WaitForLog(const std::string& words) const {
    for (int i = 0; i < 3'000 && FileText(log_).find(words) == std::string::npos; ++i) {
      ::usleep(10'000);
    }
    EXPECT_THAT(FileText(log_), HasSubstr(words));
  }

  const TempDir dir_;
  Tokens tokens_{dir_.Sub("tokens")};
  const std::string log_ = dir_.Sub("log");
  const std::string socket_ = "unix:" + dir_.Sub("socket");
};

TEST_F(AccessTest, EveryCallNeedsItsRole) {
  DaemonProcess daemon(dir_.Sub("d"), {"--tokens", tokens_.file()});
  const std::vector<NamedCall> calls = AllCalls();
  ASSERT_GE(calls.size(), 17);
  const std::vector<std::string> roles{"read-only", "read-write", "admin"};
  for (size_t has = 0; has < roles.size(); ++has) {
    const auto statuses = CallAll(daemon, calls, "Bearer " + tokens_.of(roles[has]));
    for (size_t i = 0; i < calls.size(); ++i) {
      const size_t needs = static_cast<size_t>(std::ranges::find(roles, calls[i].role) - roles.begin());
      if (has < needs) {
        EXPECT_EQ(statuses[i].error_code(), grpc::StatusCode::PERMISSION_DENIED) << calls[i].method;
        EXPECT_EQ(statuses[i].error_message(), calls[i].method + " needs the role " + roles[needs] +
                                                   "; the token of " + roles[has] + " has " + roles[has]);
      } else {
        EXPECT_NE(statuses[i].error_code(), grpc::StatusCode::PERMISSION_DENIED)
            << calls[i].method << ": " << statuses[i].error_message();
        EXPECT_NE(statuses[i].error_code(), grpc::StatusCode::UNAUTHENTICATED) << calls[i].method;
        EXPECT_NE(statuses[i].error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << calls[i].method;
      }
    }
  }
}

TEST_F(AccessTest, NoCallGoesWithoutAGoodToken) {
  DaemonProcess daemon(dir_.Sub("d"), {"--tokens", tokens_.file()}, Surroundings{.log_path = log_});
  const std::vector<NamedCall> calls = AllCalls();
  const std::string unknown = "kindred_" + std::string(64, '7');
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "needs a token, and none was sent"},
      {"Bearer " + unknown, "the token is not known here"},
      {tokens_.of("admin"), "has to be one \"Bearer TOKEN\""}};
  for (const auto& [authorization, message] : wrong) {
    const auto statuses = CallAll(daemon, calls, authorization);
    for (size_t i = 0; i < calls.size(); ++i) {
      EXPECT_EQ(statuses[i].error_code(), grpc::StatusCode::UNAUTHENTICATED) << calls[i].method;
      EXPECT_THAT(statuses[i].error_message(), HasSubstr(message));
      EXPECT_THAT(statuses[i].error_message(), Not(HasSubstr("7777")));
    }
  }
  EXPECT_EQ(CallEmpty(daemon, "/kindred.v1.Index/Stats", "bearer " + tokens_.of("read-only")).error_code(),
            grpc::StatusCode::OK)
      << "after many failures, with the scheme in small letters";
  const std::string log = FileText(log_);
  EXPECT_THAT(log, HasSubstr("the token is not known here (failure "));
  for (const std::string& secret : {unknown, tokens_.of("admin"), tokens_.of("read-only")}) {
    EXPECT_THAT(log, Not(HasSubstr(secret.substr(8, 16))));
  }
}

TEST_F(AccessTest, HealthNeedsNoToken) {
  DaemonProcess daemon(dir_.Sub("d"), {"--tokens", tokens_.file()});
  grpc::health::v1::HealthCheckResponse response;
  const auto health = grpc::health::v1::Health::NewStub(daemon.NewChannel());
  ASSERT_TRUE(health->Check(NewContext().get(), {}, &response).ok());
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
}

TEST_F(AccessTest, TokensCountOnUnixSocketsToo) {
  DaemonProcess daemon(dir_.Sub("d"), {"--tokens", tokens_.file(), "--listen", socket_});
  EXPECT_EQ(StatsOf(socket_, {}).code(), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(StatsOf(socket_, WithToken("wrong")).code(), absl::StatusCode::kUnauthenticated);
  EXPECT_TRUE(StatsOf(socket_, WithToken(tokens_.of("read-only"))).ok());
}

TEST_F(AccessTest, TokensAreReadAgainWhenTheFileChanges) {
  DaemonProcess daemon(dir_.Sub("d"), {"--tokens", tokens_.file()}, Surroundings{.log_path = log_});
  tokens_.Add("new", "read-only");
  EXPECT_EQ(StatsOf(daemon.address(), WithToken(tokens_.of("new"))).code(),
            absl::StatusCode::kUnauthenticated);
  tokens_.Remove("read-only");
  tokens_.Write();
  EXPECT_TRUE(WaitForStats(daemon.address(), WithToken(tokens_.of("new")), absl::StatusCode::kOk).ok());
  EXPECT_EQ(StatsOf(daemon.address(), WithToken(tokens_.of("read-only"))).code(),
            absl::StatusCode::kUnauthenticated);

  // A broken file changes nothing, and says where it is broken.
  std::ofstream(tokens_.file()) << "new read-only hunter2\n";
  ::kill(daemon.pid(), SIGHUP);
  WaitForLog("tokens:1: the hash has to be");
  EXPECT_TRUE(StatsOf(daemon.address(), WithToken(tokens_.of("new"))).ok());
  EXPECT_THAT(FileText(log_), Not(HasSubstr("hunter2")));
  std::filesystem::remove(tokens_.file());
  ::kill(daemon.pid(), SIGHUP);
  WaitForLog("cannot be read");
  EXPECT_TRUE(StatsOf(daemon.address(), WithToken(tokens_.of("new"))).ok());
  EXPECT_EQ(daemon.Stop(SIGTERM), 0) << "SIGHUP is no reason to stop";
}

TEST_F(AccessTest, UsersOfASocketAreTrustedAsTheirRole) {
  const std::string me = std::to_string(::getuid());
  for (const std::vector<std::string>& tokens :
       {std::vector<std::string>{}, std::vector<std::string>{"--tokens", tokens_.file()}}) {
    std::vector<std::string> flags{"--listen", socket_, "--socket-uid", me + "=read-only"};
    flags.insert(flags.end(), tokens.begin(), tokens.end());
    DaemonProcess daemon(dir_.Sub("d"), flags);
    const auto client = NewClient(socket_, {});
    EXPECT_TRUE(client->Stats().ok());
    v1::DeleteRequest request;
    request.add_ids("x");
    const absl::Status refused = client->Delete(request).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kPermissionDenied);
    EXPECT_THAT(std::string(refused.message()),
                HasSubstr("needs the role read-write; this user of the socket has read-only"));
    if (!tokens.empty()) {
      // A token that is sent is what counts.
      EXPECT_TRUE(NewClient(socket_, WithToken(tokens_.of("admin")))->Delete(request).ok());
      EXPECT_EQ(StatsOf(socket_, WithToken("wrong")).code(), absl::StatusCode::kUnauthenticated);
    }
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
  }
}

TEST_F(AccessTest, OnlyListedUsersConnectToASocket) {
  const std::string other = std::to_string(::getuid() + 1);
  DaemonProcess daemon(dir_.Sub("d"), {"--listen", socket_, "--socket-uid", other + "=admin"},
                       Surroundings{.log_path = log_});
  EXPECT_EQ(StatsOf(socket_, {}).code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(FileText(log_),
              HasSubstr("uid " + std::to_string(::getuid()) + " may not connect (--socket-uid)"));
}

TEST_F(AccessTest, ASocketHasTheModeItIsGiven) {
  namespace fs = std::filesystem;
  for (const auto& [text, mode] :
       {std::pair{"600", 0600U}, std::pair{"660", 0660U}, std::pair{"777", 0777U}}) {
    DaemonProcess daemon(dir_.Sub("d"), {"--listen", socket_, "--socket-mode", text});
    EXPECT_EQ(fs::status(dir_.Sub("socket")).permissions(), fs::perms(mode));
    EXPECT_EQ(daemon.Stop(SIGTERM), 0);
    EXPECT_FALSE(fs::exists(dir_.Sub("socket"))) << "it is left behind";
  }
}

TEST_F(AccessTest, ASocketThatAKilledDaemonLeftIsReplaced) {
  DaemonProcess(dir_.Sub("d"), {"--listen", socket_}).Stop(SIGKILL);
  EXPECT_TRUE(std::filesystem::exists(dir_.Sub("socket")));
  DaemonProcess daemon(dir_.Sub("d"), {"--listen", socket_});
  EXPECT_TRUE(StatsOf(socket_, {}).ok());
}

TEST_F(AccessTest, AnAddressThatOthersReachIsRefusedUnlessInsecureIsSaid) {
  const auto run = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(), {"--data-dir", dir_.Sub("d"), "--listen", "0.0.0.0:0", "--check-config"});
    return RunProgram(KindreddPath(), flags);
  };
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{}, std::vector<std::string>{"--tokens", tokens_.file()}}) {
    const Finished refused = run(flags);
    EXPECT_EQ(refused.exit_code, 64);
    EXPECT_THAT(refused.err, HasSubstr("--listen 0.0.0.0:0: other machines can reach it"));
  }
  EXPECT_EQ(run({"--insecure"}).exit_code, 0);
  EXPECT_EQ(run({"--insecure", "--tokens", dir_.Sub("none")}).exit_code, 64);
  EXPECT_EQ(run({"--insecure", "--socket-mode", "888"}).exit_code, 64);
  EXPECT_EQ(run({"--insecure", "--socket-uid", "root"}).exit_code, 64);
  EXPECT_EQ(run({"--insecure", "--socket-uid", "0=king"}).exit_code, 64);
  EXPECT_FALSE(std::filesystem::exists(dir_.Sub("d")));
}

TEST_F(AccessTest, TheCommandLineSendsItsToken) {
  DaemonProcess daemon(dir_.Sub("d"), {"--tokens", tokens_.file()});
  std::ofstream(dir_.path() / "reader") << tokens_.of("read-only") << "\n";
  const std::string server = "--server=" + daemon.address();
  Finished run = RunProgram(KindredPath(), {server, "--token-file", dir_.Sub("reader"), "stats"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  run = RunProgram(KindredPath(), {server, "stats"}, {{"KINDRED_TOKEN_FILE", dir_.Sub("reader")}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  run = RunProgram(KindredPath(), {server, "stats"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("does not know who asks; --token-file"));
  run = RunProgram(KindredPath(), {server, "--token-file", dir_.Sub("reader"), "delete", "x"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("/kindred.v1.Index/Delete needs the role read-write"));
}

}  // namespace
}  // namespace kindred::test
