#include "daemon/serving.h"

#include <random>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

std::string NewIncarnation() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

}  // namespace

Serving::Serving(Access& access, Monitor& monitor)
    : access_(access), monitor_(monitor), incarnation_(NewIncarnation()) {}

void Serving::Start(Engine& engine) {
  const std::scoped_lock lock(mutex_);
  engine_ = &engine;
  state_ = State::kServing;
}

void Serving::Drain() {
  std::vector<std::shared_ptr<const std::function<void()>>> told;
  {
    const std::scoped_lock lock(mutex_);
    state_ = State::kDraining;
    for (const auto& listener : listeners_) {
      if (auto alive = listener.lock()) {
        told.push_back(std::move(alive));
      }
    }
    listeners_.clear();
  }
  for (const auto& listener : told) {
    (*listener)();
  }
}

void Serving::WaitForCalls(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  calls_done_.wait_until(lock, deadline, [this] { return calls_ == 0; });
}

absl::StatusOr<Serving::Admission> Serving::Admit(const grpc::CallbackServerContext& context) {
  KINDRED_RETURN_IF_ERROR(access_.Check(CallContext::Of(context)));
  const std::scoped_lock lock(mutex_);
  switch (state_) {
    case State::kRecovering:
      return absl::UnavailableError("kindredd is recovering its index; try again soon");
    case State::kDraining:
      return absl::UnavailableError("kindredd is stopping");
    case State::kServing:
      break;
  }
  return Enter();
}

Serving::Admission Serving::Enter() {
  ++calls_;
  return {engine_, std::shared_ptr<const void>(this, [this](const void*) {
            const std::scoped_lock lock(mutex_);
            if (--calls_ == 0) {
              calls_done_.notify_all();
            }
          })};
}

std::optional<Serving::Admission> Serving::Borrow() {
  const std::scoped_lock lock(mutex_);
  return state_ == State::kServing ? std::optional(Enter()) : std::nullopt;
}

bool Serving::draining() const {
  const std::scoped_lock lock(mutex_);
  return state_ == State::kDraining;
}

bool Serving::ready() const {
  const std::scoped_lock lock(mutex_);
  return state_ == State::kServing;
}

Serving::Handle Serving::OnDrain(std::function<void()> on_drain) {
  const auto listener = std::make_shared<const std::function<void()>>(std::move(on_drain));
  {
    const std::scoped_lock lock(mutex_);
    if (state_ != State::kDraining) {
      listeners_.remove_if([](const auto& other) { return other.expired(); });
      listeners_.push_back(listener);
      return listener;
    }
  }
  (*listener)();
  return listener;
}

}  // namespace kindred::daemon
