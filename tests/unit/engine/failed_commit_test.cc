// A commit the disk refuses: nothing of it is acknowledged or seen, no further one is tried, and after a
// restart everything that was acknowledged is there.
//
// The disk "fills up" by RLIMIT_FSIZE: no file may grow beyond a size, so that writing the log fails.

#include <sys/resource.h>

#include <csignal>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/engine/engine.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/no_locks.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::EngineHarness;
using test::IsOk;
using test::Path;

// No file may grow beyond `bytes` while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

// A put whose payload does not fit under the limit.
Mutation LargePut(const std::string& id) {
  Mutation put = test::PutOf(id, Path("NNN"));
  (*put.record)->payload.assign(8 << 20, 'x');
  return put;
}

TEST(FailedCommit, IsNotAcknowledgedNotSeenAndStopsFurtherWrites) {
  EngineOptions options;
  options.store.env = test::EnvWithoutLocks();
  EngineHarness harness(options);
  ASSERT_EQ(harness.Put("kept", Path("CO")).kind, Outcome::Kind::kInserted);
  auto before = harness.Newest();
  const auto contents = test::ReadContents(*before->store);
  {
    const FileSizeLimit limit(4 << 20);
    const WriteResult refused = harness.Write({LargePut("lost")});
    EXPECT_THAT(refused.status, test::StatusIs(test::kResourceExhausted, "commit"));
    EXPECT_TRUE(refused.outcomes.empty());
    EXPECT_EQ(harness.Newest(), before) << "a snapshot of a failed commit was published";
  }
  // The disk has room again, but the store no longer knows what is on it.
  const WriteResult later = harness.Write({test::PutOf("later", Path("CC"))});
  EXPECT_THAT(later.status, test::StatusIs(test::kResourceExhausted, "earlier write failed"));
  EXPECT_TRUE(later.outcomes.empty());
  EXPECT_EQ(harness.Hits(test::Ask(Path("CO"))), (std::vector<Hit>{{"kept", 8, 1.0, 2}})) << "searches go on";

  before.reset();  // A snapshot must not outlive its engine.
  harness.Restart();
  EXPECT_EQ(test::ReadContents(*harness.Newest()->store), contents);
  EXPECT_EQ(harness.Put("later", Path("CC")).kind, Outcome::Kind::kInserted);
}

}  // namespace
}  // namespace kindred
