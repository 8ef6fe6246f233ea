#include "daemon/edge/request_context.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <random>

#include "fmt/format.h"

namespace kindred::daemon {
namespace {

constexpr size_t kRequestIdBytesMax = 64;

// Tells this process from the one before.
uint32_t ProcessMark() {
  static const uint32_t mark = std::random_device()();
  return mark;
}

uint64_t NextNumber() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

bool IsRequestId(std::string_view id) {
  return !id.empty() && id.size() <= kRequestIdBytesMax && std::ranges::all_of(id, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("._:-").find(c) != std::string_view::npos;
  });
}

RequestContext::RequestContext() : number_(NextNumber()) {}

std::string RequestContext::id() const {
  if (const auto given = client_metadata().find(kRequestIdKey); given != client_metadata().end()) {
    const std::string_view id(given->second.data(), given->second.size());
    if (IsRequestId(id)) {
      return std::string(id);
    }
  }
  return fmt::format("{:08x}-{:x}", ProcessMark(), number_);
}

std::string RequestIdOf(const grpc::ServerContextBase& context) {
  const auto* const ours = dynamic_cast<const RequestContext*>(&context);
  return ours != nullptr ? ours->id() : std::string();
}

}  // namespace kindred::daemon
