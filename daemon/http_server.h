// A small HTTP server for those who watch the daemon: /metrics, /healthz, /readyz, and nothing else.
//
// Written here because Debian's cpp-httplib (0.11.4) reads a header of any length into memory, waits anew for
// every byte, and queues connections without bound; what is needed is to answer GET. A connection gets one
// answer; what it sends, and the time it takes, are bounded. There is no access control: it is meant for
// loopback or a network of the operator's.
//
// Threads: one caller; its callbacks are called from its threads, several at a time. A thread takes a
// connection
//          when it has none, so that a scrape waits for no search, no search for a scrape, and what is beyond
//          connections_max waits in the kernel.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"

namespace kindred::daemon {

struct HttpPages {
  std::function<std::string()> metrics;
  std::function<bool()> ready;
};

class HttpServer {
 public:
  // `address` is PORT (of loopback), HOST:PORT or [IPV6]:PORT; port 0 is any free one. REQUIRES: it was
  // checked (daemon/config.cc).
  static absl::StatusOr<std::unique_ptr<HttpServer>> Listen(const std::string& address,
                                                            uint64_t connections_max, HttpPages pages);
  // Gives up what is under way.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // With the port that was chosen.
  const std::string& address() const { return address_; }

 private:
  using Clock = std::chrono::steady_clock;

  HttpServer(int listener, int stop_event, std::string address, HttpPages pages);

  // Of one thread: takes connections until it is to stop.
  void Run() const;
  void Serve(int connection) const;
  // Up to the empty line behind the headers; nothing when it does not come.
  std::string ReadHead(int connection, Clock::time_point deadline) const;
  void Write(int connection, std::string_view text, Clock::time_point deadline) const;
  // The whole answer.
  std::string Answer(std::string_view head) const;
  // False: it is to stop, or the time is over.
  bool Wait(int fd, short events, Clock::time_point deadline) const;

  const int listener_;
  const int stop_event_;  // Readable from the beginning of the end.
  const std::string address_;
  const HttpPages pages_;
  std::vector<std::thread> threads_;
};

}  // namespace kindred::daemon
