// A time of day that jumps back and forth by years, every tenth of a second: loaded before everything else
// (LD_PRELOAD) into the daemon of clock_test.cc. Clocks that only go forward are left alone.

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace {

constexpr long kNanosAJump = 100'000'000;
constexpr long kYear = 365L * 24 * 3600;

long RealTime(clockid_t which, timespec* out) { return ::syscall(SYS_clock_gettime, which, out); }

// Forward, back, right, by turns.
time_t Shift() {
  timespec steady{};
  RealTime(CLOCK_MONOTONIC, &steady);
  const long turn = (steady.tv_sec * 10 + steady.tv_nsec / kNanosAJump) % 3;
  return turn == 0 ? 10 * kYear : (turn == 1 ? -10 * kYear : 0);
}

bool IsTimeOfDay(clockid_t which) { return which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE; }

}  // namespace

extern "C" {

int clock_gettime(clockid_t which, timespec* out) noexcept {
  const long result = RealTime(which, out);
  if (result == 0 && IsTimeOfDay(which)) {
    out->tv_sec += Shift();
  }
  return static_cast<int>(result);
}

int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  *out = {now.tv_sec, now.tv_nsec / 1'000};
  return 0;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != nullptr) {
    *out = now.tv_sec;
  }
  return now.tv_sec;
}

}  // extern "C"
