// The power is cut while backups are made and old ones removed: the index loses nothing that was
// acknowledged, every backup that was reported done and not removed since comes back as it was, and the next
// one succeeds.
//
// KINDRED_POWER_CUTS=500 for all of a campaign; KINDRED_SEED.

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "rocksdb/env.h"
#include "tests/crash/rounds.h"
#include "tests/support/backups.h"
#include "tests/support/power_cut_file_system.h"
#include "tests/support/workload.h"

namespace kindred::test {
namespace {

const uint64_t kBackupCutSeed = SeedOr(113);
constexpr size_t kBackupGroups = 24;
constexpr size_t kGroupsABackup = 4;
constexpr uint64_t kKept = 3;

class BackupPowerCut : public ::testing::Test {
 protected:
  struct Run {
    explicit Run(uint64_t cut_at = UINT64_MAX) {
      std::filesystem::create_directory(directory.path() / "graves");
      std::filesystem::create_directory(directory.path() / "backups");
      files = std::make_shared<PowerCutFileSystem>(directory.Sub("graves"));
      files->CutAt(cut_at);
      env = rocksdb::NewCompositeEnv(files);
      harness.options().store.env = env.get();
      harness.options().store.write_buffer_bytes = kTinyWriteBufferBytes;
      harness.options().backup_dir = directory.Sub("backups");
    }

    // Until it is done or something fails; backups that were done, and what they should hold.
    void Write(const std::vector<std::vector<Mutation>>& workload) {
      if (!harness.Open().ok()) {
        return;
      }
      for (; acknowledged < workload.size(); ++acknowledged) {
        if (!harness.Write(workload[acknowledged]).status.ok()) {
          return;
        }
        if (acknowledged % kGroupsABackup != kGroupsABackup - 1) {
          continue;
        }
        const StoreContents contents = ReadContents(*harness.Newest()->store);
        const auto summary = TryBackup(harness, "b", kKept);
        if (!summary.ok()) {
          ++acknowledged;
          return;
        }
        done[summary->progress.id] = contents;
      }
    }

    // Those that were not to be removed, nor being removed when the power went.
    std::map<uint64_t, StoreContents> Expected() const {
      std::map<uint64_t, StoreContents> expected = done;
      while (expected.size() > kKept - 1 + (files->is_cut() ? 0 : 1)) {
        expected.erase(expected.begin());
      }
      return expected;
    }

    std::string backups() const { return directory.Sub("backups") + "/b"; }

    TempDir directory;
    std::shared_ptr<PowerCutFileSystem> files;
    std::unique_ptr<rocksdb::Env> env;
    EngineHarness harness{OptionsOf(2, 2), EngineHarness::Start::kClosed};
    size_t acknowledged = 0;
    std::map<uint64_t, StoreContents> done;
  };

  void CutAndCheck(uint64_t operation, PowerCutFileSystem::Keep keep, Rng& rng) {
    Run run(operation);
    run.Write(workload_);
    run.harness.Close();
    run.files->Settle(keep, rng);
    run.harness.options().store.env = nullptr;
    for (const auto& [id, contents] : run.Expected()) {
      const auto restored = Restored(run.backups(), id);
      ASSERT_THAT(restored, IsOk()) << "backup " << id;
      ASSERT_EQ(*restored, contents) << "backup " << id;
      ++restored_;
    }
    ASSERT_THAT(run.harness.Open(), IsOk());
    const StoreContents now = ReadContents(*run.harness.Newest()->store);
    ASSERT_THAT(TryBackup(run.harness, "b", kKept), IsOk());
    ASSERT_EQ(Must(Restored(run.backups())), now);
  }

  const std::vector<std::vector<Mutation>> workload_ = Workload(kBackupCutSeed, kBackupGroups);
  uint64_t restored_ = 0;
};

TEST_F(BackupPowerCut, LeavesEveryFinishedBackupAsItWas) {
  Run whole;
  whole.Write(workload_);
  ASSERT_EQ(whole.done.size(), kBackupGroups / kGroupsABackup);
  const uint64_t operations = whole.files->operations();
  const uint64_t cuts = Rounds("KINDRED_POWER_CUTS", 9);
  Rng rng(kBackupCutSeed);
  for (uint64_t cut = 0; cut < cuts; ++cut) {
    const uint64_t operation = 1 + cut * operations / cuts + Below(rng, operations / cuts + 1);
    const auto keep = static_cast<PowerCutFileSystem::Keep>(cut % 3);
    SCOPED_TRACE("seed " + std::to_string(kBackupCutSeed) + " cut at operation " + std::to_string(operation) +
                 " of " + std::to_string(operations) + ", keep " + std::to_string(cut % 3));
    CutAndCheck(operation, keep, rng);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(restored_, 0u);
  Tally("backup_power_cuts", "cuts=" + std::to_string(cuts));
}

}  // namespace
}  // namespace kindred::test
