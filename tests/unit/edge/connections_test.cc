// The count of connections follows what others do with the descriptors.

#include "daemon/edge/connections.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "daemon/edge/file_descriptor.h"
#include "gtest/gtest.h"

namespace kindred::daemon {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Verdict = Connections::Verdict;

const Connections::Clock::time_point kBegin{seconds(1'000)};

// Sockets that were never connected count as silent from the beginning of time.
constexpr milliseconds kNever = milliseconds::max();

int NewSocket() { return ::socket(AF_INET, SOCK_STREAM, 0); }

TEST(Connections, TakesUpToTheLimit) {
  EdgeCounters counters;
  Connections connections({3, 2, kNever}, counters);
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
  EdgeCounters counters;
  Connections connections({2, 2, kNever}, counters);
  FileDescriptor a(NewSocket());
  const FileDescriptor b(NewSocket());
  connections.Take(a.get(), "x", kBegin);
  connections.Take(b.get(), "x", kBegin);
  connections.SweepIfDue(kBegin, seconds(2));
  EXPECT_EQ(connections.count(), 2);
  a.Reset();
  connections.SweepIfDue(kBegin + seconds(1), seconds(2));
  EXPECT_EQ(connections.count(), 2) << "it looked too early";
  connections.SweepIfDue(kBegin + seconds(2), seconds(2));
  EXPECT_EQ(connections.count(), 1);
}

TEST(Connections, LooksForClosedOnesBeforeItRefuses) {
  EdgeCounters counters;
  Connections connections({1, 1, kNever}, counters);
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

// Two ends of a TCP connection on which nothing was said.
struct Pair {
  FileDescriptor near;
  FileDescriptor far;
};

Pair NewPair() {
  const FileDescriptor listener(NewSocket());
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener.get(), any, size), 0);
  EXPECT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(::getsockname(listener.get(), any, &size), 0);
  FileDescriptor far(NewSocket());
  EXPECT_EQ(::connect(far.get(), any, size), 0);
  return {FileDescriptor(::accept(listener.get(), nullptr, nullptr)), std::move(far)};
}

bool IsShutDown(const FileDescriptor& far) {
  char byte = 0;
  return ::recv(far.get(), &byte, 1, MSG_DONTWAIT) == 0;
}

TEST(Connections, SilentOnesMakeRoomWhereALimitIsReached) {
  const Pair first = NewPair();
  const Pair second = NewPair();
  const Pair third = NewPair();
  EdgeCounters counters;
  Connections patient({1, 1, seconds(3'600)}, counters);
  EXPECT_EQ(patient.Take(first.near.get(), "x", kBegin), Verdict::kTaken);
  EXPECT_EQ(patient.Take(second.near.get(), "x", kBegin + seconds(1)), Verdict::kTooMany);
  EXPECT_FALSE(IsShutDown(first.far));

  Connections connections({3, 1, milliseconds(0)}, counters);
  EXPECT_EQ(connections.Take(first.near.get(), "x", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.Take(second.near.get(), "y", kBegin), Verdict::kTaken);
  EXPECT_EQ(connections.Take(third.near.get(), "y", kBegin + seconds(1)), Verdict::kTaken);
  EXPECT_TRUE(IsShutDown(second.far)) << "of the peer that has too many";
  EXPECT_FALSE(IsShutDown(first.far));
  EXPECT_EQ(connections.count(), 2);
  connections.MakeRoom(kBegin + seconds(2));
  EXPECT_TRUE(IsShutDown(first.far));
  EXPECT_TRUE(IsShutDown(third.far));
  EXPECT_EQ(connections.count(), 0);
  EXPECT_EQ(counters.made_room, 3);
  EXPECT_EQ(counters.open, 0);
}

TEST(Connections, CountsThoseThatWereClosedInTheEndWithoutHavingSaidMuch) {
  EdgeCounters counters;
  Connections connections({9, 9, seconds(3'600), seconds(10)}, counters);
  Pair silent = NewPair();
  Pair short_spoken = NewPair();
  Pair spoken = NewPair();
  Pair hung_up = NewPair();
  for (const Pair* pair : {&silent, &short_spoken, &spoken, &hung_up}) {
    connections.Take(pair->near.get(), "x", kBegin);
  }
  const std::string preface(24, 'p');
  ASSERT_EQ(::send(short_spoken.far.get(), preface.data(), 23, 0), 23);
  ASSERT_EQ(::send(spoken.far.get(), preface.data(), 24, 0), 24);
  connections.SweepIfDue(kBegin + seconds(5), seconds(1));
  hung_up.near.Reset();  // Before its time.
  connections.SweepIfDue(kBegin + seconds(6), seconds(1));
  EXPECT_EQ(counters.handshakes_timed_out, 0);
  for (Pair* pair : {&silent, &short_spoken, &spoken}) {
    pair->near.Reset();
  }
  connections.SweepIfDue(kBegin + seconds(10), seconds(1));
  EXPECT_EQ(counters.handshakes_timed_out, 2);
  EXPECT_EQ(counters.open, 0);
}

TEST(Connections, IsNotFooledByANumberThatIsUsedAgain) {
  EdgeCounters counters;
  Connections connections({2, 2}, counters);
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
