// The count of connections follows what others do with the descriptors.

#include "daemon/edge/connections.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "daemon/edge/file_descriptor.h"
#include "gtest/gtest.h"

namespace kindred::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Verdict = Connections::Verdict;

const Connections::Clock::time_point kBegin{seconds(1'000)};

int NewSocket() { return ::socket(AF_INET, SOCK_STREAM, 0); }

TEST(Connections, TakesUpToTheLimit) {
  Connections connections(3, 2);
  const FileDescriptor a(NewSocket());
  const FileDescriptor b(NewSocket());
  const FileDescriptor c(NewSocket());
  const FileDescriptor d(NewSocket());
  EXPECT_EQ(connections.Take(a.get(), "x", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.Take(b.get(), "x", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.Take(c.get(), "x", kBegin), Verdict::kTooManyOfPeer);
  EXPECT_EQ(connections.Take(c.get(), "y", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.Take(d.get(), "z", kBegin), Verdict::kTooMany);
  EXPECT_EQ(connections.count(), 3);
}

TEST(Connections, NoticesThoseThatWereClosed) {
  Connections connections(2, 2);
  FileDescriptor a(NewSocket());
  const FileDescriptor b(NewSocket());
  connections.Take(a.get(), "x", kBegin);
  connections.Take(b.get(), "x", kBegin);
  a.Reset();
  connections.SweepIfDue(kBegin + seconds(1), seconds(2));
  EXPECT_EQ(connections.count(), 2) << "it looked too early";
  connections.SweepIfDue(kBegin + seconds(2), seconds(2));
  EXPECT_EQ(connections.count(), 1);
}

TEST(Connections, LooksForClosedOnesBeforeItRefuses) {
  Connections connections(1, 1);
  FileDescriptor a(NewSocket());
  const FileDescriptor b(NewSocket());
  const FileDescriptor c(NewSocket());
  EXPECT_EQ(connections.Take(a.get(), "x", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.Take(b.get(), "x", kBegin), Verdict::kTooMany);
  a.Reset();
  EXPECT_EQ(connections.Take(b.get(), "x", kBegin + milliseconds(1)), Verdict::kTooMany)
      << "a flood of connections would make it look at all for each";
  EXPECT_EQ(connections.Take(b.get(), "x", kBegin + milliseconds(20)), Verdict::kTaken);
  EXPECT_EQ(connections.Take(c.get(), "x", kBegin + milliseconds(40)), Verdict::kTooMany);
}

TEST(Connections, IsNotFooledByANumberThatIsUsedAgain) {
  Connections connections(2, 2);
  for (const bool file : {true, false}) {
    FileDescriptor connection(NewSocket());
    const int number = connection.get();
    connections.Take(number, "x", kBegin);
    connection.Reset();
    // The system gives the lowest number that is free.
    const FileDescriptor other(file ? ::open("/dev/null", O_RDONLY) : NewSocket());
    ASSERT_EQ(other.get(), number);
    connections.SweepIfDue(kBegin + seconds(9), seconds(0));
    EXPECT_EQ(connections.count(), 0);
  }
  FileDescriptor first(NewSocket());
  connections.Take(first.get(), "x", kBegin);
  first.Reset();
  const FileDescriptor second(NewSocket());
  EXPECT_EQ(connections.Take(second.get(), "y", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.count(), 1) << "the first was closed, or its number would not be free";
}

}  // namespace
}  // namespace kindred::daemon
