// Executor: runs what it accepts, refuses beyond its queue, and ParallelFor finishes on a busy pool.

#include "index/engine/executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <semaphore>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace kindred {
namespace {

// Keeps every thread of an executor busy until it is released.
class Hold {
 public:
  explicit Hold(Executor& executor) {
    std::latch held(executor.threads());
    for (int i = 0; i < executor.threads(); ++i) {
      executor.Submit([&held, released = released_] {
        held.count_down();
        released->wait();
      });
    }
    held.wait();
  }
  void Release() { released_->count_down(); }

 private:
  std::shared_ptr<std::latch> released_ = std::make_shared<std::latch>(1);
};

TEST(Executor, RunsEverythingItAcceptedBeforeItIsDestroyed) {
  std::atomic<int> ran{0};
  {
    Executor executor(3, 1'000);
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(executor.TrySubmit([&] { ++ran; }));
    }
  }
  EXPECT_EQ(ran, 500);
}

TEST(Executor, RunsTasksThatTasksSubmitBeforeItIsDestroyed) {
  std::atomic<int> ran{0};
  std::function<void(int)> chain;
  {
    Executor executor(2, 10);
    chain = [&](int left) {
      ++ran;
      if (left > 0) {
        executor.Submit([&chain, left] { chain(left - 1); });
      }
    };
    executor.Submit([&] { chain(100); });
  }
  EXPECT_EQ(ran, 101);
}

TEST(Executor, OneThreadRunsTasksInTheOrderOfTheQueue) {
  std::vector<int> order;
  {
    Executor executor(1, 100);
    for (int i = 0; i < 100; ++i) {
      executor.Submit([&, i] { order.push_back(i); });
    }
  }
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(Executor, RefusesBeyondItsQueueAndTakesAgainWhenThereIsRoom) {
  std::atomic<int> ran{0};
  std::atomic<bool> refused_ran{false};
  {
    Executor executor(2, 3);
    Hold hold(executor);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(executor.TrySubmit([&] { ++ran; }));
    }
    EXPECT_FALSE(executor.TrySubmit([&] { refused_ran = true; }));
    executor.Submit([&] { ++ran; });  // Never refused.
    hold.Release();
    while (ran < 4) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(executor.TrySubmit([&] { ++ran; }));
  }
  EXPECT_EQ(ran, 5);
  EXPECT_FALSE(refused_ran);
}

TEST(Executor, HasOneThreadAtLeast) {
  EXPECT_EQ(Executor(0, 1).threads(), 1);
  EXPECT_EQ(Executor(-3, 1).threads(), 1);
  EXPECT_EQ(Executor(4, 1).threads(), 4);
}

class ParallelForSizes : public ::testing::TestWithParam<size_t> {};

TEST_P(ParallelForSizes, CallsEveryIndexExactlyOnce) {
  for (const int threads : {1, 2, 5}) {
    Executor executor(threads, 10);
    std::vector<std::atomic<int>> calls(GetParam());
    executor.ParallelFor(GetParam(), [&](size_t i) { ++calls[i]; });
    for (size_t i = 0; i < calls.size(); ++i) {
      ASSERT_EQ(calls[i], 1) << "index " << i << " on " << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ParallelForSizes, ::testing::Values(0, 1, 2, 3, 7, 100, 5'000));

TEST(ParallelFor, FinishesOnTheCallerWhileEveryThreadIsBusy) {
  Executor executor(2, 10);
  Hold hold(executor);
  std::set<std::thread::id> threads;  // Only the caller can work, so no lock is needed.
  size_t calls = 0;
  executor.ParallelFor(50, [&](size_t) {
    threads.insert(std::this_thread::get_id());
    ++calls;
  });
  EXPECT_EQ(calls, 50u);
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
  hold.Release();
}

TEST(ParallelFor, ThrowsWhatWorkThrowsWhenNobodyWorksAnyMore) {
  Executor executor(3, 10);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> running{0};
    EXPECT_THROW(executor.ParallelFor(20,
                                      [&](size_t i) {
                                        ++running;
                                        std::this_thread::yield();
                                        --running;
                                        if (i == 7) {
                                          throw std::bad_alloc();
                                        }
                                      }),
                 std::bad_alloc);
    ASSERT_EQ(running, 0) << "a thread still works for a call that is over";
  }
  std::atomic<int> calls{0};
  executor.ParallelFor(10, [&](size_t) { ++calls; });
  EXPECT_EQ(calls, 10) << "the next is as any other";
}

TEST(ParallelFor, UsesIdleThreads) {
  Executor executor(3, 10);
  // Three items that wait for each other: they finish only if three threads take one each.
  std::latch all(3);
  executor.ParallelFor(3, [&](size_t) { all.arrive_and_wait(); });
}

TEST(ParallelFor, WorksFromInsideTheThreadsOfTheSameExecutor) {
  Executor executor(2, 100);
  std::atomic<int> calls{0};
  executor.ParallelFor(8, [&](size_t) {
    executor.ParallelFor(8, [&](size_t) { executor.ParallelFor(4, [&](size_t) { ++calls; }); });
  });
  EXPECT_EQ(calls, 8 * 8 * 4);
}

TEST(ParallelFor, ManyCallersAtOnceUnderLoad) {
  constexpr int kCallers = 6;
  constexpr int kRounds = 60;
  constexpr size_t kItems = 97;
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  Executor executor(3, 1'000);
  {
    std::jthread load([&] {
      while (!stop) {
        if (!executor.TrySubmit([] {})) {
          std::this_thread::yield();
        }
      }
    });
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < kRounds; ++round) {
          // Plain ints: ParallelFor itself must order the work before its return.
          std::vector<size_t> squares(kItems, 0);
          executor.ParallelFor(kItems, [&](size_t i) { squares[i] += i * i; });
          for (size_t i = 0; i < kItems; ++i) {
            wrong += squares[i] == i * i ? 0 : 1;
          }
        }
      });
    }
    callers.clear();
    stop = true;
  }
  EXPECT_EQ(wrong, 0);
}

// Its caches are warm.
TEST(Executor, OfIdleThreadsTheOneThatWorkedLastGoesFirst) {
  Executor executor(4, 10);
  const auto run_one = [&] {
    std::promise<std::thread::id> ran;
    executor.Submit([&] { ran.set_value(std::this_thread::get_id()); });
    return ran.get_future().get();
  };
  // A thread becomes idle a moment after its task is done, and the next task may then find another one.
  int same = 0;
  std::thread::id last = run_one();
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::thread::id now = run_one();
    same += now == last ? 1 : 0;
    last = now;
  }
  EXPECT_GT(same, 10);
}

}  // namespace
}  // namespace kindred
