// Backups of a running engine: they are the index at their commit, only what is new is copied, older ones
// stay restorable, and whatever goes wrong harms neither them nor the index.

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/support/backups.h"
#include "tests/support/damage.h"
#include "tests/support/workload.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kBackupSeed = 211;

class BackupTest : public ::testing::Test {
 protected:
  BackupTest() : harness_(Options()) {}

  EngineOptions Options() const {
    fs::create_directory(root_);
    EngineOptions options = OptionsOf(2, 2);
    options.store.write_buffer_bytes = kTinyWriteBufferBytes;
    options.backup_dir = root_;
    return options;
  }

  void WriteGroups(size_t count) {
    for (const size_t end = written_ + count; written_ < end; ++written_) {
      ASSERT_THAT(harness_.Write(workload_[written_]).status, IsOk());
    }
  }
  StoreContents Contents() { return ReadContents(*harness_.Newest()->store); }

  std::vector<fs::path> Tables(uint64_t id) const {
    return FilesOf(fs::path(daily_) / fmt::format("{:06}", id) / "db", ".sst");
  }

  const TempDir dir_;
  const std::string root_ = dir_.Sub("backups");
  const std::string daily_ = fs::canonical(dir_.path()).string() + "/backups/daily";
  const std::vector<std::vector<Mutation>> workload_ = Workload(kBackupSeed, 120);
  size_t written_ = 0;
  EngineHarness harness_;
};

TEST_F(BackupTest, IsTheIndexAtItsCommit) {
  WriteGroups(20);
  const StoreContents then = Contents();
  const BackupSummary summary = Must(TryBackup(harness_));
  EXPECT_EQ(summary.path, daily_ + "/000001");
  EXPECT_EQ(Raw(summary.progress.sequence), then.sequence);
  EXPECT_EQ(summary.progress.graphs, then.graphs.size());
  EXPECT_EQ(summary.progress.bytes_copied, summary.progress.bytes);
  WriteGroups(20);
  const StoreContents now = Contents();
  EXPECT_NE(then, now);
  EXPECT_EQ(Must(Restored(daily_)), then);
  EXPECT_EQ(Must(Restored(summary.path)), then) << "one backup by its own path";
  // And a copy of it is a data directory.
  CopyDirectory(summary.path, dir_.Sub("copied"));
  EXPECT_EQ(Must(ContentsOf(dir_.Sub("copied"))), then);
  EXPECT_EQ(Contents(), now) << "the index itself goes on";
}

TEST_F(BackupTest, OfAnEmptyIndexIsAnEmptyIndex) {
  Must(TryBackup(harness_));
  EXPECT_EQ(Must(Restored(daily_)), Contents());
}

TEST_F(BackupTest, ANextOneCopiesOnlyWhatIsNewAndAllStayRestorable) {
  std::vector<StoreContents> contents;
  for (uint64_t id = 1; id <= 4; ++id) {
    WriteGroups(15);
    contents.push_back(Contents());
    const BackupSummary summary = Must(TryBackup(harness_));
    EXPECT_EQ(summary.progress.id, id);
  }
  harness_.Restart();
  WriteGroups(20);
  for (uint64_t id = 1; id <= 4; ++id) {
    EXPECT_EQ(Must(Restored(daily_, id)), contents[id - 1]) << id;
  }
  EXPECT_EQ(Must(Restored(daily_)), contents.back());
}

TEST_F(BackupTest, CopiesNoTableTwice) {
  harness_.options().store.write_buffer_bytes = 16 << 20;  // So large that nothing is compacted meanwhile.
  harness_.Restart();
  WriteGroups(20);
  Must(TryBackup(harness_));
  const BackupSummary same = Must(TryBackup(harness_));
  uint64_t shared = 0;
  for (const fs::path& table : Tables(2)) {
    EXPECT_EQ(fs::hard_link_count(table), 2u) << table;
    shared += fs::file_size(table);
  }
  EXPECT_GT(shared, 0u);
  EXPECT_EQ(same.progress.bytes_copied, same.progress.bytes - shared);
  EXPECT_EQ(same.progress.bytes_checked, same.progress.bytes);
  WriteGroups(5);
  Must(TryBackup(harness_));
  for (const fs::path& table : Tables(2)) {
    EXPECT_EQ(fs::hard_link_count(table), 3u) << table;
  }
  EXPECT_EQ(Must(Restored(daily_)), Contents());
}

TEST_F(BackupTest, KeepsAsManyAsAsked) {
  WriteGroups(10);
  for (int i = 0; i < 4; ++i) {
    Must(TryBackup(harness_));
  }
  EXPECT_EQ(Must(TryBackup(harness_, "daily", 2)).removed, 3u);
  EXPECT_FALSE(fs::exists(daily_ + "/000003"));
  EXPECT_EQ(Must(Restored(daily_, 4)), Contents());
  EXPECT_EQ(Must(Restored(daily_, 5)), Contents());
  EXPECT_THAT(Restored(daily_, 3).status(), StatusIs(absl::StatusCode::kNotFound, "has no backup 3"));
  EXPECT_EQ(Must(TryBackup(harness_, "daily", 2)).progress.id, 6u) << "numbers are not used twice";
}

TEST_F(BackupTest, WhatACrashLeftIsRemovedAndNotRestored) {
  WriteGroups(10);
  Must(TryBackup(harness_));
  CopyDirectory(daily_ + "/000001", daily_ + "/000002");
  fs::remove(daily_ + "/000002/manifest");
  EXPECT_EQ(Must(Restored(daily_)), Contents()) << "the first";
  EXPECT_THAT(Restored(daily_ + "/000002").status(), StatusIs(kFailedPrecondition, "no kindred backups"));
  WriteGroups(5);
  EXPECT_EQ(Must(TryBackup(harness_)).path, daily_ + "/000002");
  EXPECT_EQ(Must(Restored(daily_)), Contents());
}

TEST_F(BackupTest, AnInterruptedOneLeavesNothing) {
  WriteGroups(20);
  Must(TryBackup(harness_));
  WriteGroups(20);
  for (int checks = 0;; ++checks) {
    int left = checks;
    const Interrupt interrupt([&] { return left-- <= 0; }, Interrupt::Clock::time_point::max());
    const auto summary = TryBackup(harness_, "daily", 0, interrupt);
    if (summary.ok()) {
      EXPECT_GT(checks, 5);
      break;
    }
    EXPECT_THAT(summary, StatusIs(absl::StatusCode::kCancelled, ""));
    EXPECT_FALSE(fs::exists(daily_ + "/000002")) << checks;
  }
  EXPECT_EQ(Must(Restored(daily_)), Contents());
}

TEST_F(BackupTest, ADamagedTableOfTheOneBeforeIsCopiedAgain) {
  WriteGroups(30);
  Must(TryBackup(harness_));
  const fs::path table = Tables(1).front();
  FlipByte(table, fs::file_size(table) / 2);
  Must(TryBackup(harness_));
  EXPECT_EQ(Must(Restored(daily_, 2)), Contents());
  EXPECT_THAT(Restored(daily_, 1).status(), StatusIs(kDataLoss, table.filename().string()));
}

TEST_F(BackupTest, EveryDamageOfABackupIsFoundWhenItIsRestored) {
  WriteGroups(10);
  const std::string backup = Must(TryBackup(harness_)).path;
  for (const fs::path& file : FilesOf(backup)) {
    if (fs::file_size(file) == 0) {
      continue;
    }
    FlipByte(file, fs::file_size(file) / 2);
    const std::string to = dir_.Sub("to");
    EXPECT_THAT(Restore({daily_, std::nullopt, to}).status(), StatusIs(kDataLoss, "")) << file;
    EXPECT_TRUE(fs::is_empty(to)) << file;
    fs::remove_all(to);
    FlipByte(file, fs::file_size(file) / 2);
  }
  fs::rename(Tables(1).front(), dir_.Sub("gone"));
  EXPECT_THAT(Restored(daily_).status(), StatusIs(kDataLoss, "is missing"));
}

TEST_F(BackupTest, ARestoreOverwritesNothing) {
  WriteGroups(5);
  Must(TryBackup(harness_));
  EXPECT_THAT(Restore({daily_, std::nullopt, harness_.path()}),
              StatusIs(kFailedPrecondition, "is not empty"));
  EXPECT_THAT(Restore({daily_ + "/000001", 1, dir_.Sub("to")}), StatusIs(kInvalid, "--backup-id"));
  EXPECT_THAT(Restore({root_, std::nullopt, dir_.Sub("to")}),
              StatusIs(kFailedPrecondition, "no kindred backups"));
  EXPECT_FALSE(fs::exists(dir_.Sub("to")));
}

TEST_F(BackupTest, DirectoriesOfOthersAreRefused) {
  WriteGroups(5);
  fs::create_directory(root_ + "/photos");
  fs::create_directory(root_ + "/photos/holidays");
  EXPECT_THAT(TryBackup(harness_, "photos"), StatusIs(kFailedPrecondition, "holds no kindred backups"));
  Must(TryBackup(harness_));
  EngineHarness other(Options());
  EXPECT_THAT(TryBackup(other), StatusIs(kFailedPrecondition, "of another index"));
  Must(TryBackup(other, "other"));
  EXPECT_EQ(Must(Restored(daily_)), Contents());
}

TEST_F(BackupTest, TwoAtATimeToOneDirectoryAreNot) {
  WriteGroups(5);
  Must(TryBackup(harness_));
  const BackupDirectory held = Must(harness_.engine().OpenBackups(daily_));
  EXPECT_THAT(TryBackup(harness_), StatusIs(kFailedPrecondition, "another backup or restore"));
  EXPECT_THAT(Restored(daily_).status(), StatusIs(kFailedPrecondition, "another backup or restore"));
  Must(TryBackup(harness_, "weekly"));
}

TEST_F(BackupTest, AHistoryThatWentAnotherWayIsNotMixedUp) {
  WriteGroups(20);
  Must(TryBackup(harness_));
  const StoreContents first = Contents();
  WriteGroups(20);
  Must(TryBackup(harness_));
  const StoreContents second = Contents();
  // The first one, restored, goes on by itself, and is backed up to the same place: tables get the same
  // numbers.
  harness_.Close();
  fs::remove_all(harness_.path());
  ASSERT_THAT(Restore({daily_, 1, harness_.path()}), IsOk());
  harness_.Restart();
  EXPECT_EQ(Contents(), first);
  written_ = 60;
  WriteGroups(20);
  Must(TryBackup(harness_));
  EXPECT_EQ(Must(Restored(daily_, 1)), first);
  EXPECT_EQ(Must(Restored(daily_, 2)), second);
  EXPECT_EQ(Must(Restored(daily_, 3)), Contents());
}

TEST_F(BackupTest, WithoutSpaceItIsRefusedBeforeItBegins) {
  WriteGroups(5);
  harness_.options().limits.disk_reserve_bytes = uint64_t{1} << 50;
  harness_.Restart();
  EXPECT_THAT(TryBackup(harness_), StatusIs(kResourceExhausted, "disk_reserve_bytes"));
  harness_.options().limits.disk_reserve_bytes = 0;
  harness_.Restart();
  Must(TryBackup(harness_));
}

TEST_F(BackupTest, WritesGoOnMeanwhile) {
  WriteGroups(10);
  std::atomic<bool> stop{false};
  std::vector<StoreContents> after;  // Each commit.
  std::jthread writer([&] {
    for (size_t i = 10; i < 100 && !stop; ++i) {
      ASSERT_THAT(harness_.Write(workload_[i]).status, IsOk());
      after.push_back(Contents());
    }
  });
  std::vector<BackupSummary> backups;
  for (int i = 0; i < 5; ++i) {
    backups.push_back(Must(TryBackup(harness_)));
  }
  stop = true;
  writer.join();
  for (const BackupSummary& backup : backups) {
    const StoreContents restored = Must(Restored(daily_, backup.progress.id));
    EXPECT_EQ(restored.sequence, Raw(backup.progress.sequence));
    for (const StoreContents& contents : after) {
      if (contents.sequence == restored.sequence) {
        EXPECT_EQ(restored, contents);
      }
    }
  }
}

}  // namespace
}  // namespace kindred::test
