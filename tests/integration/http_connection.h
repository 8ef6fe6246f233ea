// A connection to the daemon's HTTP server, over a plain socket: what a client can do wrong, too.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace kindred::test {

struct HttpAnswer {
  int status = 0;  // 0: none came.
  std::string headers;
  std::string body;
};

class HttpConnection {
 public:
  // `address` is 127.0.0.1:PORT.
  explicit HttpConnection(const std::string& address)
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    to.sin_port = ::htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) {
      throw std::runtime_error("nobody listens on " + address);
    }
  }
  ~HttpConnection() { Close(); }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void Send(const std::string& text) { (void)!::send(fd_, text.data(), text.size(), MSG_NOSIGNAL); }
  void Ask(const std::string& path) { Send("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n"); }

  // Whether something came within this time.
  bool HasAnswer(std::chrono::milliseconds within) const {
    pollfd waiting{fd_, POLLIN, 0};
    return ::poll(&waiting, 1, static_cast<int>(within.count())) > 0;
  }

  // What comes until the server closes the connection.
  HttpAnswer Answer() {
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(fd_, buffer, sizeof(buffer))) > 0;) {
      text.append(buffer, static_cast<size_t>(got));
    }
    HttpAnswer answer;
    const size_t body = text.find("\r\n\r\n");
    if (text.starts_with("HTTP/1.1 ") && body != std::string::npos) {
      answer = {std::stoi(text.substr(9, 3)), text.substr(0, body), text.substr(body + 4)};
    }
    return answer;
  }

  void Close() {
    if (fd_ >= 0) {
      ::close(fd_);
      fd_ = -1;
    }
  }

 private:
  int fd_;
};

inline HttpAnswer HttpGet(const std::string& address, const std::string& path) {
  HttpConnection connection(address);
  connection.Ask(path);
  return connection.Answer();
}

}  // namespace kindred::test
