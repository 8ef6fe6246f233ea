// Priorities are those of threads, not of the process.

#include "index/base/priority.h"

#include <sys/resource.h>
#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"

namespace kindred {
namespace {

int NicenessOfThread() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

int NicenessWith(Priority priority) {
  int niceness = 0;
  std::thread([&] {
    SetPriority(priority);
    niceness = NicenessOfThread();
  }).join();
  return niceness;
}

TEST(Priority, TheSecondGivesWayToTheFirst) {
  const int own = NicenessOfThread();
  if (own > 14) {
    GTEST_SKIP() << "runs at niceness " << own << ": too low to lower it by 5";
  }
  EXPECT_EQ(NicenessWith(Priority::kFirst), own);
  EXPECT_GT(NicenessWith(Priority::kSecond), own);
  EXPECT_GT(NicenessWith(Priority::kLast), NicenessWith(Priority::kSecond));
  EXPECT_EQ(NicenessOfThread(), own);
}

}  // namespace
}  // namespace kindred
