// Timer: calls in time and in order, and not what was given up.

#include "daemon/timer.h"

#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace kindred::daemon {
namespace {

using std::chrono::milliseconds;
using Clock = Timer::Clock;

TEST(Timer, CallsInTheOrderOfTimesNotBefore) {
  Timer timer;
  std::vector<int> called;  // By the timer's thread alone, until `last`.
  std::promise<Clock::time_point> last;
  const auto begin = Clock::now();
  const auto third = timer.At(begin + milliseconds(60), [&] { last.set_value(Clock::now()); });
  const auto second = timer.At(begin + milliseconds(40), [&] { called.push_back(2); });
  const auto first = timer.At(begin + milliseconds(20), [&] { called.push_back(1); });
  const auto past = timer.At(begin - milliseconds(20), [&] { called.push_back(0); });
  EXPECT_GE(last.get_future().get(), begin + milliseconds(60));
  EXPECT_EQ(called, (std::vector{0, 1, 2}));
}

TEST(Timer, WakesForWhatComesBeforeTheOthers) {
  Timer timer;
  std::this_thread::sleep_for(milliseconds(30));  // It sleeps by then, until something comes.
  std::promise<void> first;
  const auto one = timer.At(Clock::now() + milliseconds(1), [&] { first.set_value(); });
  ASSERT_EQ(first.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  const auto never = timer.At(Clock::now() + std::chrono::hours(1), [] {});
  std::this_thread::sleep_for(milliseconds(30));  // Until an hour later.
  std::promise<void> second;
  timer.CallAt(Clock::now() + milliseconds(1), [&] { second.set_value(); });
  ASSERT_EQ(second.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(Timer, ForgetsWhatWasGivenUp) {
  Timer timer;
  bool called = false;
  timer.At(Clock::now() + milliseconds(20), [&] { called = true; }).reset();
  std::promise<void> later;
  const auto handle = timer.At(Clock::now() + milliseconds(40), [&] { later.set_value(); });
  later.get_future().get();
  EXPECT_FALSE(called);
}

TEST(Timer, CallsWhatNobodyHasAHandleOf) {
  Timer timer;
  std::promise<Clock::time_point> called;
  const auto begin = Clock::now();
  timer.CallAt(begin + milliseconds(20), [&] { called.set_value(Clock::now()); });
  EXPECT_GE(called.get_future().get(), begin + milliseconds(20));
}

TEST(Timer, EndsWithoutWaitingForWhatIsFarAway) {
  const auto begin = Clock::now();
  {
    Timer timer;
    const auto never = timer.At(begin + std::chrono::hours(1), [] {});
    const auto latest = timer.At(Clock::time_point::max(), [] {});
  }
  EXPECT_LT(Clock::now() - begin, std::chrono::minutes(1));
}

// A function may set the next, as a watch does.
TEST(Timer, CanBeUsedFromItsOwnFunctions) {
  Timer timer;
  std::promise<void> done;
  Timer::Handle next;
  const auto first = timer.At(
      Clock::now(), [&] { next = timer.At(Clock::now() + milliseconds(5), [&] { done.set_value(); }); });
  done.get_future().get();
}

}  // namespace
}  // namespace kindred::daemon
