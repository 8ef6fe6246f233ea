#include "daemon/service_notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "fmt/format.h"

namespace kindred::daemon {

void NotifyService(std::string_view state) {
  const char* const variable = std::getenv("NOTIFY_SOCKET");
  const std::string path = variable == nullptr ? "" : variable;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if ((!path.starts_with('/') && !path.starts_with('@')) || path.size() >= sizeof(address.sun_path)) {
    return;
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path.starts_with('@')) {
    address.sun_path[0] = '\0';  // A name without a file.
  }
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return;
  }
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  (void)!::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
                  size);
  ::close(fd);
}

void NotifyReloading() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  NotifyService(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", now.tv_sec * 1'000'000 + now.tv_nsec / 1'000));
}

void NotifyReady() { NotifyService("READY=1\nSTATUS=serving"); }

}  // namespace kindred::daemon
