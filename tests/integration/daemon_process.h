// A real kindredd (or any program) as a child process of a test.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kindred/v1/kindred.grpc.pb.h"

namespace kindred::test {

struct Finished {
  int exit_code = -1;  // 128 + signal for a killed one.
  std::string out;
  std::string err;
};

// Runs a program to its end.
Finished RunProgram(const std::string& program, const std::vector<std::string>& args,
                    const std::map<std::string, std::string>& environment = {});

// The same, but it gets a signal so much later, if it has not ended by then.
Finished RunAndSignal(const std::string& program, const std::vector<std::string>& args, int signal,
                      std::chrono::milliseconds after);

// Where a daemon runs.
struct Surroundings {
  std::map<std::string, std::string> environment{};
  std::string log_path{};  // Where its standard error goes; empty: to the test's.
};

class DaemonProcess {
 public:
  // Starts kindredd with these flags (`--listen 127.0.0.1:0` is added unless one is there) and waits for
  // its ready line. Fails the test when it ends instead.
  explicit DaemonProcess(const std::string& data_dir, std::vector<std::string> flags = {},
                         const Surroundings& surroundings = {});
  ~DaemonProcess();
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  const std::string& ready_line() const { return ready_line_; }
  const std::string& address() const { return address_; }
  // Of --http-listen; empty without it.
  std::string http_address() const;
  pid_t pid() const { return pid_; }

  // Sends the signal and waits for the end; returns the exit code, or 128 + signal.
  int Stop(int signal);
  int Wait();

  std::shared_ptr<grpc::Channel> NewChannel() const;
  std::unique_ptr<v1::Index::Stub> NewStub() const { return v1::Index::NewStub(NewChannel()); }

 private:
  pid_t pid_ = -1;
  int out_fd_ = -1;
  std::string ready_line_;
  std::string address_;
};

// Starts kindredd and sends it SIGKILL so much later, whether it is ready or still recovers. Fails the test
// when it had ended before.
void StartAndKill(const std::string& data_dir, std::chrono::microseconds after);

// Keeps a call open that its daemon cannot finish: an export whose first page is larger than what gRPC
// sends to a client that does not read. The daemon needs the flag below.
class UnreadExport {
 public:
  static inline const std::vector<std::string> kFlag{"--payload-bytes-max", "12000000"};

  explicit UnreadExport(const DaemonProcess& daemon);
  ~UnreadExport();

 private:
  std::unique_ptr<v1::Index::Stub> stub_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReader<v1::ExportResponse>> reader_;
};

// A context with a deadline far enough for a test and near enough to end a hung one.
std::unique_ptr<grpc::ClientContext> NewContext(int seconds = 60);

}  // namespace kindred::test
