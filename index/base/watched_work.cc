#include "index/base/watched_work.h"

#include <future>
#include <thread>

#include "index/base/priority.h"

namespace kindred {

absl::Status RunWatched(const Interrupt& interrupt, const std::function<void()>& beat,
                        const std::function<void(const std::stop_token&)>& work) {
  absl::Status status = interrupt.Check();
  if (!status.ok()) {
    return status;
  }
  std::promise<void> done;
  const std::future<void> ended = done.get_future();
  std::jthread thread([&](const std::stop_token& stop) {
    SetPriority(Priority::kLast);
    work(stop);
    done.set_value();
  });
  while (ended.wait_for(kWatchEvery) != std::future_status::ready) {
    beat();
    status = interrupt.Check();
    if (!status.ok()) {
      thread.request_stop();
      ended.wait();
    }
  }
  return status;
}

}  // namespace kindred
