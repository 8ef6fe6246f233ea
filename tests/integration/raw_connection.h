// A TCP connection to a daemon that speaks whatever a test wants, and what the system tells of a daemon.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "tests/integration/daemon_process.h"

namespace kindred::test {

class RawConnection {
 public:
  // To an address of the form 127.0.0.1:PORT.
  explicit RawConnection(const std::string& address) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    where.sin_port = htons(static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&where), sizeof(where)) == 0;
  }
  RawConnection(RawConnection&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), connected_(other.connected_) {}
  RawConnection& operator=(RawConnection&&) = delete;
  ~RawConnection() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }

  bool connected() const { return connected_; }
  void Send(std::string_view bytes) const { ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

  // Reads until the daemon hangs up; false when it does not within so many seconds.
  bool IsHungUpOn(int seconds) const {
    pollfd waiting{fd_, POLLIN, 0};
    char buffer[4096];
    while (::poll(&waiting, 1, seconds * 1'000) > 0) {
      if (::recv(fd_, buffer, sizeof(buffer), 0) <= 0) {
        return true;
      }
    }
    return false;
  }

  // What an HTTP/2 client says first: the preface and empty settings.
  static constexpr std::string_view kHttp2Hello{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 24 + 9};

 private:
  int fd_;
  bool connected_ = false;
};

inline int OpenFiles(const DaemonProcess& daemon) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(daemon.pid()) + "/fd",
                                           std::filesystem::directory_options::skip_permission_denied)) {
    files += entry.path().empty() ? 0 : 1;
  }
  return files;
}

// Until it has at most so many; gives how many it has.
inline int WaitForOpenFiles(const DaemonProcess& daemon, int most) {
  int files = OpenFiles(daemon);
  for (int i = 0; i < 3'000 && files > most; ++i) {
    ::usleep(10'000);
    files = OpenFiles(daemon);
  }
  return files;
}

inline int64_t ResidentMiB(const DaemonProcess& daemon) {
  std::ifstream statm("/proc/" + std::to_string(daemon.pid()) + "/statm");
  int64_t total = 0;
  int64_t resident = 0;
  statm >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) >> 20;
}

}  // namespace kindred::test
