#include "index/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace kindred {

void ForEachInTurn(size_t count, const std::function<void(size_t)>& work) {
  for (size_t i = 0; i < count; ++i) {
    work(i);
  }
}

ParallelFor ForEachOnThreads(int threads) {
  return [threads](size_t count, const std::function<void(size_t)>& work) {
    std::atomic<size_t> next{0};
    const auto run = [&] {
      for (size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
        work(i);
      }
    };
    std::vector<std::jthread> others;  // Joined before `next` and `run` go.
    for (size_t i = 1; i < std::min(count, static_cast<size_t>(std::max(threads, 1))); ++i) {
      others.emplace_back(run);
    }
    run();
  };
}

}  // namespace kindred
