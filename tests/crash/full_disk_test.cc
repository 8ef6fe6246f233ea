// A disk that really is full: a small tmpfs, filled by commits. Needs the right to mount; skips without it.

#include <sys/mount.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/crash/answers.h"
#include "tests/crash/rounds.h"
#include "tests/support/engine_harness.h"
#include "tests/support/no_locks.h"
#include "tests/support/status_matchers.h"
#include "tests/support/workload.h"

namespace kindred::test {
namespace {

const uint64_t kDiskSeed = SeedOr(127);

// Temporary directories lie on a disk of 16 MiB while this lives.
class SmallDisk {
 public:
  SmallDisk() : mounted_(::mount("tmpfs", path_.path().c_str(), "tmpfs", 0, "size=16m") == 0), error_(errno) {
    ::setenv("TMPDIR", path_.path().c_str(), 1);
  }
  ~SmallDisk() {
    ::unsetenv("TMPDIR");
    if (mounted_) {
      ::umount2(path_.path().c_str(), MNT_DETACH);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  const char* why() const { return std::strerror(error_); }
  void Grow() const { ASSERT_EQ(::mount("tmpfs", path_.path().c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0); }

 private:
  TempDir path_;
  bool mounted_;
  int error_;
};

class FullDisk : public ::testing::TestWithParam<uint64_t> {};

// With a reserve, and without one: then RocksDB runs into the end of the disk itself.
INSTANTIATE_TEST_SUITE_P(Reserve, FullDisk, ::testing::Values(4 << 20, 0));

TEST_P(FullDisk, RefusesWritesLosesNothingAndWorksAgain) {
  const SmallDisk disk;
  if (!disk.mounted()) {
    GTEST_SKIP() << "a tmpfs cannot be mounted here: " << disk.why();
  }
  EngineOptions options = OptionsOf(2, 2);
  options.store.env = EnvWithoutLocks();
  options.store.write_buffer_bytes = 1 << 20;
  options.limits.disk_reserve_bytes = GetParam();
  EngineHarness harness(options);
  const auto workload = Workload(kDiskSeed, 4000);
  StoreContents acknowledged;
  size_t written = 0;
  absl::Status status;
  for (; written < workload.size(); ++written) {
    std::vector<Mutation> group = workload[written];
    for (Mutation& mutation : group) {
      mutation.external_id += "-" + std::to_string(written);
      if (mutation.record->has_value()) {
        (*mutation.record)->external_id = mutation.external_id;
      }
    }
    status = harness.Write(std::move(group)).status;
    if (!status.ok()) {
      break;
    }
  }
  EXPECT_THAT(status, StatusIs(kResourceExhausted, ""));
  EXPECT_GT(written, 50u);
  acknowledged = ReadContents(*harness.Newest()->store);
  ExpectExactAnswers(harness, kDiskSeed);

  disk.Grow();
  if (GetParam() > 0) {
    EXPECT_THAT(harness.Write(workload[0]).status, IsOk()) << "without a restart";
    acknowledged = ReadContents(*harness.Newest()->store);
  }
  harness.Restart();
  EXPECT_EQ(ReadContents(*harness.Newest()->store), acknowledged);
  EXPECT_THAT(harness.Write(workload[1]).status, IsOk());
  Tally("full_disk", "disks=1 commits_before_full=" + std::to_string(written));
}

}  // namespace
}  // namespace kindred::test
