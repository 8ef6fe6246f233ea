// As many connections to a daemon as this machine can make: for tests of what a flood of them does.
//
// Each is made without waiting for it, says something or nothing, and is reset rather than closed, so that no
// port stays taken: a client that waits for its own connections makes a few thousand a second, this one makes
// tens of thousands.
//
// Threads: floods with threads of its own until it is destroyed.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace kindred::test {

class ConnectionFlood {
 public:
  using Clock = std::chrono::steady_clock;

  // To an address of the form 127.0.0.1:PORT; every other connection of a thread says `bytes`. Ends by itself
  // after `time` or `connections_max`.
  ConnectionFlood(const std::string& address, int threads, std::string_view bytes, Clock::duration time,
                  uint64_t connections_max)
      : bytes_(bytes), begin_(Clock::now()), end_(begin_ + time), connections_max_(connections_max) {
    where_.sin_family = AF_INET;
    where_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    where_.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { Run(); });
    }
  }

  // Waits for the end; connections that were made, and how many a second.
  uint64_t Join() {
    for (std::jthread& thread : threads_) {
      if (thread.joinable()) {
        thread.join();
      }
    }
    return made_;
  }
  double a_second() const {
    return static_cast<double>(made_) / std::chrono::duration<double>(Clock::now() - begin_).count();
  }

 private:
  static constexpr size_t kAtOnce = 32;  // Open at a time, of one thread.

  void Run() {
    std::array<int, kAtOnce> open;
    open.fill(-1);
    for (uint64_t i = 0; made_ < connections_max_ && Clock::now() < end_; ++i) {
      int& fd = open[i % kAtOnce];
      Reset(fd);
      fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      // Over loopback it is there when this returns, whatever it says, unless too many wait to be accepted.
      ::connect(fd, reinterpret_cast<const sockaddr*>(&where_), sizeof(where_));
      sockaddr_in peer{};
      socklen_t size = sizeof(peer);
      made_ += ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0 ? 1 : 0;
      if (i % 2 == 1) {
        ::send(fd, bytes_.data(), bytes_.size(), MSG_NOSIGNAL);
      }
    }
    for (int& fd : open) {
      Reset(fd);
    }
  }

  static void Reset(int& fd) {
    if (fd >= 0) {
      const linger at_once{1, 0};
      ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
      ::close(fd);
      fd = -1;
    }
  }

  sockaddr_in where_{};
  const std::string_view bytes_;
  const Clock::time_point begin_;
  const Clock::time_point end_;
  const uint64_t connections_max_;
  std::atomic<uint64_t> made_{0};
  std::vector<std::jthread> threads_;
};

}  // namespace kindred::test
