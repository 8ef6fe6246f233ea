// Tokens for tests, and files of them.

#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "client/client.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/support/paths.h"

namespace kindred::test {

// One of each role, made by the command line. `file` is for kindredd --tokens.
class Tokens {
 public:
  explicit Tokens(std::string file) : file_(std::move(file)) {
    for (const char* const role : {"read-only", "read-write", "admin"}) {
      Add(role, role);
    }
    Write();
  }

  // A new token for the file; Write() writes it.
  void Add(const std::string& name, const std::string& role) {
    const Finished made = RunProgram(KindredPath(), {"token", name, role, "-o", "-"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const size_t end = made.out.find('\n');
    tokens_[name] = made.out.substr(0, end);
    lines_[name] = made.out.substr(end + 1);
  }
  void Remove(const std::string& name) { lines_.erase(name); }

  // At once, as an operator should: under another name first.
  void Write() const {
    std::string text = "# name role sha256\n";
    for (const auto& [name, line] : lines_) {
      text += line;
    }
    std::ofstream(file_ + ".new") << text;
    std::filesystem::rename(file_ + ".new", file_);
  }

  const std::string& file() const { return file_; }
  const std::string& of(const std::string& name) const { return tokens_.at(name); }

 private:
  const std::string file_;
  std::map<std::string, std::string> tokens_;
  std::map<std::string, std::string> lines_;
};

inline client::AccessOptions WithToken(const std::string& token) {
  client::AccessOptions access;
  access.token = token;
  return access;
}

inline std::unique_ptr<client::Client> NewClient(const std::string& address,
                                                 const client::AccessOptions& access) {
  client::ClientOptions options;
  options.access = access;
  options.attempts_max = 1;
  options.call_timeout = std::chrono::seconds(30);
  auto client = client::Client::Create(address, options);
  EXPECT_TRUE(client.ok()) << client.status();
  return *std::move(client);
}

// How a Stats call ends.
inline absl::Status StatsOf(const std::string& address, const client::AccessOptions& access) {
  return NewClient(address, access)->Stats().status();
}

// Asks until the answer has this code; what reloads files does so within seconds.
inline absl::Status WaitForStats(const std::string& address, const client::AccessOptions& access,
                                 absl::StatusCode code) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  absl::Status status;
  do {
    status = StatsOf(address, access);
    ::usleep(20'000);
  } while (status.code() != code && std::chrono::steady_clock::now() < deadline);
  return status;
}

inline std::string FileText(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace kindred::test
