#include "daemon/call_metrics.h"

#include <utility>
#include <vector>

namespace kindred::daemon {
namespace {

// From a search in a small index to a stream that lasts the night.
constexpr std::array kSecondsBounds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                    0.1,    0.25,    0.5,    1.0,   2.5,    5.0,   10.0, 60.0,  600.0};

constexpr std::array<std::string_view, 17> kCodeNames{
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
};

size_t IndexOf(grpc::StatusCode code) {
  const auto index = static_cast<size_t>(code);
  return index < kCodeNames.size() ? index : static_cast<size_t>(grpc::StatusCode::UNKNOWN);
}

}  // namespace

std::string_view NameOf(grpc::StatusCode code) { return kCodeNames[IndexOf(code)]; }

CallMetrics::Method::Method(std::string name) : name_(std::move(name)) {
  for (auto& seconds : seconds_) {
    seconds = std::make_unique<Distribution>(kSecondsBounds);
  }
}

void CallMetrics::Method::Finished(grpc::StatusCode code, std::chrono::nanoseconds took) {
  seconds_[IndexOf(code)]->Observe(std::chrono::duration<double>(took).count());
  finished_.fetch_add(1, std::memory_order_relaxed);
}

CallMetrics::Method& CallMetrics::Of(std::string_view name) {
  name.remove_prefix(name.starts_with('/') ? 1 : 0);
  const std::scoped_lock lock(mutex_);
  const auto at = methods_.find(name);
  return at != methods_.end() ? at->second
                              : methods_.try_emplace(std::string(name), std::string(name)).first->second;
}

void CallMetrics::WriteTo(MetricsText& text) const {
  std::vector<const Method*> methods;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [name, method] : methods_) {
      methods.push_back(&method);
    }
  }
  text.Family("kindred_rpc_started_total", MetricsText::Type::kCounter, "Calls that began.");
  for (const Method* method : methods) {
    text.Add({{"method", method->name()}}, method->started_.load());
  }
  text.Family("kindred_rpc_in_flight", MetricsText::Type::kGauge, "Calls under way.");
  for (const Method* method : methods) {
    const uint64_t finished = method->finished_.load();  // First: it never overtakes those started.
    text.Add({{"method", method->name()}}, method->started_.load() - finished);
  }
  const auto each_seen = [&](const auto& add) {
    for (const Method* method : methods) {
      for (size_t code = 0; code < Method::kCodes; ++code) {
        const Distribution& seconds = *method->seconds_[code];
        if (const uint64_t count = seconds.CumulativeCounts().back(); count > 0) {
          add({{"method", method->name()}, {"code", kCodeNames[code]}}, seconds, count);
        }
      }
    }
  };
  using Labels = MetricsText::Labels;
  text.Family("kindred_rpc_handled_total", MetricsText::Type::kCounter, "Calls that ended.");
  each_seen([&](const Labels& labels, const Distribution&, uint64_t count) { text.Add(labels, count); });
  text.Family("kindred_rpc_seconds", MetricsText::Type::kHistogram,
              "How long calls took that ended; of a stream, its whole life.");
  each_seen([&](const Labels& labels, const Distribution& seconds, uint64_t) { text.Add(labels, seconds); });
}

}  // namespace kindred::daemon
