#include "daemon/http_server.h"

#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "daemon/metrics_text.h"
#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr int kBacklog = 16;
// A request of ours has some hundred bytes.
constexpr size_t kHeadBytesMax = 8192;
// For a whole exchange.
constexpr std::chrono::seconds kPatience{5};

struct HostAndPort {
  std::string host;
  std::string port;
};

HostAndPort Split(const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) {
    return {kLoopback, address};
  }
  std::string host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  }
  return {std::move(host), address.substr(colon + 1)};
}

std::string Join(const std::string& host, const std::string& port) {
  return host.find(':') == std::string::npos ? host + ":" + port : "[" + host + "]:" + port;
}

// A socket that listens; -1 when there is none to be had.
int ListenOn(const HostAndPort& at) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(at.host.c_str(), at.port.c_str(), &hints, &found) != 0) {
    return -1;
  }
  const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  const bool listens = fd >= 0 && ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
                       ::bind(fd, found->ai_addr, found->ai_addrlen) == 0 && ::listen(fd, kBacklog) == 0;
  ::freeaddrinfo(found);
  if (!listens && fd >= 0) {
    ::close(fd);
  }
  return listens ? fd : -1;
}

uint16_t PortOf(int listener) {
  sockaddr_storage name{};
  socklen_t size = sizeof(name);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&name), &size);
  return ::ntohs(name.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(name).sin6_port
                                            : reinterpret_cast<const sockaddr_in&>(name).sin_port);
}

std::string Response(std::string_view status, std::string_view type, std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: "
      "close\r\n\r\n{}",
      status, type, body.size(), body);
}

std::string TextResponse(std::string_view status, std::string_view body) {
  return Response(status, "text/plain; charset=utf-8", body);
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Listen(const std::string& address,
                                                               uint64_t connections_max, HttpPages pages) {
  const HostAndPort at = Split(address);
  const int listener = ListenOn(at);
  const int stop_event = listener < 0 ? -1 : ::eventfd(0, EFD_CLOEXEC);
  if (stop_event < 0) {
    if (listener >= 0) {
      ::close(listener);
    }
    return MakeStatus(
        absl::StatusCode::kUnavailable,
        "cannot listen on {} for HTTP: the address is in use, not allowed or not this machine's",
        Join(at.host, at.port));
  }
  std::unique_ptr<HttpServer> server(new HttpServer(
      listener, stop_event, Join(at.host, std::to_string(PortOf(listener))), std::move(pages)));
  for (uint64_t i = 0; i < connections_max; ++i) {
    server->threads_.emplace_back([&http = *server] { http.Run(); });
  }
  return server;
}

HttpServer::HttpServer(int listener, int stop_event, std::string address, HttpPages pages)
    : listener_(listener), stop_event_(stop_event), address_(std::move(address)), pages_(std::move(pages)) {}

HttpServer::~HttpServer() {
  ::eventfd_write(stop_event_, 1);
  for (std::thread& thread : threads_) {
    thread.join();
  }
  ::close(listener_);
  ::close(stop_event_);
}

bool HttpServer::Wait(int fd, short events, Clock::time_point deadline) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const int timeout =
      deadline == Clock::time_point::max() ? -1 : static_cast<int>(std::max<int64_t>(left.count(), 0));
  pollfd waited[2] = {{fd, events, 0}, {stop_event_, POLLIN, 0}};
  return ::poll(waited, 2, timeout) > 0 && waited[1].revents == 0;
}

void HttpServer::Run() const {
  while (Wait(listener_, POLLIN, Clock::time_point::max())) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection >= 0) {
      Serve(connection);
      ::close(connection);
    } else if (errno == EMFILE || errno == ENFILE) {
      Wait(stop_event_, POLLIN, Clock::now() + std::chrono::milliseconds(100));  // Until others close some.
    }
  }
}

void HttpServer::Serve(int connection) const {
  const Clock::time_point deadline = Clock::now() + kPatience;
  const std::string head = ReadHead(connection, deadline);
  if (!head.empty()) {
    Write(connection, Answer(head), deadline);
    ::shutdown(connection, SHUT_WR);
  }
}

std::string HttpServer::ReadHead(int connection, Clock::time_point deadline) const {
  std::string head;
  while (head.size() < kHeadBytesMax && Wait(connection, POLLIN, deadline)) {
    char buffer[1024];
    const ssize_t got = ::recv(connection, buffer, sizeof(buffer), 0);
    if (got <= 0 && !(got < 0 && (errno == EAGAIN || errno == EINTR))) {
      return "";
    }
    head.append(buffer, static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (const size_t end = head.find("\r\n\r\n"); end != std::string::npos) {
      return head.substr(0, end + 2);
    }
  }
  return head.size() < kHeadBytesMax ? "" : head;
}

void HttpServer::Write(int connection, std::string_view text, Clock::time_point deadline) const {
  while (!text.empty() && Wait(connection, POLLOUT, deadline)) {
    const ssize_t sent = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
      return;
    }
    text.remove_prefix(static_cast<size_t>(std::max<ssize_t>(sent, 0)));
  }
}

std::string HttpServer::Answer(std::string_view head) const {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const size_t space = line.find(' ');
  const size_t second = line.rfind(' ');
  if (!head.ends_with("\r\n")) {
    return TextResponse("431 Request Header Fields Too Large", "too long\n");
  }
  if (space == second || !line.substr(second + 1).starts_with("HTTP/1.")) {
    return TextResponse("400 Bad Request", "not HTTP/1\n");
  }
  if (line.substr(0, space) != "GET") {
    return TextResponse("405 Method Not Allowed", "only GET\n");
  }
  std::string_view path = line.substr(space + 1, second - space - 1);
  path = path.substr(0, path.find('?'));
  if (path == "/metrics") {
    return Response("200 OK", MetricsText::kContentType, pages_.metrics());
  }
  if (path == "/healthz") {
    return TextResponse("200 OK", "alive\n");
  }
  if (path == "/readyz") {
    return pages_.ready() ? TextResponse("200 OK", "ready\n")
                          : TextResponse("503 Service Unavailable", "not ready\n");
  }
  return TextResponse("404 Not Found", "here are /metrics, /healthz and /readyz\n");
}

}  // namespace kindred::daemon
