#include "tests/integration/daemon_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tests/support/paths.h"

namespace kindred::test {
namespace {

struct Child {
  pid_t pid = -1;
  int out = -1;
  int err = -1;  // -1: inherited.
};

Child Spawn(const std::string& program, const std::vector<std::string>& args,
            const std::map<std::string, std::string>& environment, bool capture_err,
            const std::string& err_path = "") {
  int out[2];
  int err[2] = {-1, -1};
  if (::pipe2(out, O_CLOEXEC) != 0 || (capture_err && ::pipe2(err, O_CLOEXEC) != 0)) {
    throw std::runtime_error("pipe");
  }
  std::vector<std::string> words{program};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (const auto& [name, value] : environment) {
      ::setenv(name.c_str(), value.c_str(), 1);
    }
    ::dup2(out[1], STDOUT_FILENO);
    if (capture_err) {
      ::dup2(err[1], STDERR_FILENO);
    } else if (!err_path.empty()) {
      ::dup2(::open(err_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDERR_FILENO);
    }
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  ::close(out[1]);
  if (capture_err) {
    ::close(err[1]);
  }
  return {pid, out[0], err[0]};
}

int ExitCode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// All it says, until it ends; it is not waited for.
Finished Collect(const Child& child) {
  Finished finished;
  std::string* const texts[2] = {&finished.out, &finished.err};
  pollfd fds[2] = {{child.out, POLLIN, 0}, {child.err, POLLIN, 0}};
  for (int open = 2; open > 0;) {
    ::poll(fds, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd >= 0 && fds[i].revents != 0) {
        char buffer[4096];
        const ssize_t got = ::read(fds[i].fd, buffer, sizeof(buffer));
        if (got > 0) {
          texts[i]->append(buffer, static_cast<size_t>(got));
        } else {
          ::close(fds[i].fd);
          fds[i].fd = -1;
          --open;
        }
      }
    }
  }
  return finished;
}

int WaitFor(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return ExitCode(status);
}

}  // namespace

Finished RunProgram(const std::string& program, const std::vector<std::string>& args,
                    const std::map<std::string, std::string>& environment) {
  const Child child = Spawn(program, args, environment, /*capture_err=*/true);
  Finished finished = Collect(child);
  finished.exit_code = WaitFor(child.pid);
  return finished;
}

Finished RunAndSignal(const std::string& program, const std::vector<std::string>& args, int signal,
                      std::chrono::milliseconds after) {
  const Child child = Spawn(program, args, {}, /*capture_err=*/true);
  std::jthread sender([&] {
    std::this_thread::sleep_for(after);
    ::kill(child.pid, signal);  // It is not waited for before this.
  });
  Finished finished = Collect(child);
  sender.join();
  finished.exit_code = WaitFor(child.pid);
  return finished;
}

DaemonProcess::DaemonProcess(const std::string& data_dir, std::vector<std::string> flags,
                             const Surroundings& surroundings) {
  flags.insert(flags.end(), {"--data-dir", data_dir});
  if (std::ranges::find(flags, "--listen") == flags.end()) {
    flags.insert(flags.end(), {"--listen", "127.0.0.1:0"});
  }
  const Child child =
      Spawn(KindreddPath(), flags, surroundings.environment, /*capture_err=*/false, surroundings.log_path);
  pid_ = child.pid;
  out_fd_ = child.out;
  char byte = 0;
  while (::read(out_fd_, &byte, 1) == 1 && byte != '\n') {
    ready_line_ += byte;
  }
  const size_t begin = ready_line_.find("listen=");
  if (begin == std::string::npos) {
    ADD_FAILURE() << "kindredd did not get ready: exit code " << Wait();
    return;
  }
  address_ = ready_line_.substr(begin + 7, ready_line_.find(' ', begin) - begin - 7);
}

std::string DaemonProcess::http_address() const {
  const size_t begin = ready_line_.find(" http=");
  return begin == std::string::npos ? "" : ready_line_.substr(begin + 6);
}

DaemonProcess::~DaemonProcess() {
  if (pid_ > 0) {
    Stop(SIGKILL);
  }
  ::close(out_fd_);
}

int DaemonProcess::Stop(int signal) {
  if (pid_ <= 0) {
    return -1;  // It never got ready, or was stopped before. A signal to -1 would go to every process.
  }
  ::kill(pid_, signal);
  return Wait();
}

int DaemonProcess::Wait() { return WaitFor(std::exchange(pid_, -1)); }

std::shared_ptr<grpc::Channel> DaemonProcess::NewChannel() const {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // A connection of its own.
  return grpc::CreateCustomChannel(address_.substr(0, address_.find(',')), grpc::InsecureChannelCredentials(),
                                   arguments);
}

void StartAndKill(const std::string& data_dir, std::chrono::microseconds after) {
  const std::vector<std::string> flags{"--data-dir",  data_dir,      "--listen",
                                       "127.0.0.1:0", "--log-level", "warn"};
  const Child child = Spawn(KindreddPath(), flags, {}, /*capture_err=*/false);
  std::this_thread::sleep_for(after);
  ::kill(child.pid, SIGKILL);
  int status = 0;
  ::waitpid(child.pid, &status, 0);
  ::close(child.out);
  EXPECT_EQ(ExitCode(status), 128 + SIGKILL) << "kindredd ended by itself";
}

UnreadExport::UnreadExport(const DaemonProcess& daemon) : stub_(daemon.NewStub()), context_(NewContext()) {
  v1::PutRequest put;
  v1::Record& record = *put.add_records();
  record.set_id("large");
  record.set_payload(std::string(12'000'000, 'x'));
  record.mutable_graph()->add_labels("C");
  record.mutable_graph()->add_vertices(0);
  v1::PutResponse stored;
  EXPECT_TRUE(stub_->Put(NewContext().get(), put, &stored).ok());
  reader_ = stub_->Export(context_.get(), {});
  reader_->WaitForInitialMetadata();  // It goes out with the first page, so that one is being written.
}

UnreadExport::~UnreadExport() {
  context_->TryCancel();
  reader_->Finish();
}

std::unique_ptr<grpc::ClientContext> NewContext(int seconds) {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(seconds));
  context->set_wait_for_ready(true);
  return context;
}

}  // namespace kindred::test
