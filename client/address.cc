#include "client/address.h"

#include <sys/un.h>

#include <charconv>

#include "index/base/status.h"

namespace kindred::client {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr size_t kSocketPathMax = sizeof(sockaddr_un::sun_path) - 1;

// gRPC reads a target as a URI; a path may hold characters that a URI may not.
std::string PercentEncode(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

bool IsPort(std::string_view text) {
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port != 0;
}

}  // namespace

absl::StatusOr<std::string> ToGrpcTarget(std::string_view address) {
  if (address.substr(0, kUnix.size()) == kUnix) {
    const std::string_view path = address.substr(kUnix.size());
    if (path.empty() || path.size() > kSocketPathMax || path.find('\0') != std::string_view::npos) {
      return InvalidArgument("\"{}\": the path of a socket has 1 to {} bytes", address, kSocketPathMax);
    }
    return fmt::format("{}{}", kUnix, PercentEncode(path));
  }
  const size_t colon = address.rfind(':');
  const std::string_view host = address.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (colon == std::string_view::npos || host.empty() || !IsPort(address.substr(colon + 1)) ||
      (!bracketed && host.find_first_of(":[]/ ") != std::string_view::npos)) {
    return InvalidArgument("\"{}\" is not an address: write HOST:PORT, [IPV6]:PORT or unix:PATH", address);
  }
  return std::string(address);
}

}  // namespace kindred::client
