// Files of a stopped index, damaged at random: it opens with everything that was in it and right answers, or
// is refused with the directory and a way out in the message. It never opens with less.
//
// KINDRED_DAMAGES=300 for all of a campaign; KINDRED_SEED.

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "rocksdb/env.h"
#include "tests/crash/answers.h"
#include "tests/crash/rounds.h"
#include "tests/support/damage.h"
#include "tests/support/engine_harness.h"
#include "tests/support/no_locks.h"
#include "tests/support/status_matchers.h"
#include "tests/support/workload.h"

namespace kindred::test {
namespace {

namespace fs = std::filesystem;

const uint64_t kDamageSeed = SeedOr(113);

enum class Damage { kFlip, kFlipMany, kZero, kTruncate, kRemove };
constexpr uint64_t kDamages = 5;

// Says what it did.
std::string Inflict(Damage damage, const fs::path& file, Rng& rng) {
  const uint64_t size = fs::file_size(file);
  if (damage == Damage::kRemove || size == 0) {
    fs::remove(file);
    return "removed " + file.string();
  }
  const uint64_t at = Below(rng, size);
  const std::string where = file.string() + " at byte " + std::to_string(at) + " of " + std::to_string(size);
  switch (damage) {
    case Damage::kTruncate:
      fs::resize_file(file, at);
      return "truncated " + where;
    case Damage::kZero: {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekp(static_cast<std::streamoff>(at));
      stream << std::string(std::min<uint64_t>(size - at, 1 + Below(rng, 4096)), '\0');
      return "zeroed " + where;
    }
    case Damage::kFlipMany:
      for (int i = 0; i < 8; ++i) {
        FlipByte(file, Below(rng, size));
      }
      [[fallthrough]];
    default:
      FlipByte(file, at);
      return "flipped " + where;
  }
}

// A closed index with tables of every family, and a log.
class DamagedFiles : public ::testing::Test {
 protected:
  DamagedFiles() {
    harness_.options().store.write_buffer_bytes = kTinyWriteBufferBytes;
    harness_.options().store.env = EnvWithoutLocks();  // A compaction may find the damage, too.
    harness_.Restart();
    const auto workload = Workload(kDamageSeed, 80);
    for (size_t group = 0; group < workload.size(); ++group) {
      EXPECT_THAT(harness_.Write(workload[group]).status, IsOk());
      if (group == 30) {
        harness_.Restart();
      }
    }
    contents_ = ReadContents(*harness_.Newest()->store);
    harness_.Close();
    CopyDirectory(harness_.path(), intact_);
  }

  void Restore() {
    harness_.Close();
    fs::remove_all(harness_.path());
    CopyDirectory(intact_, harness_.path());
  }

  EngineHarness harness_{OptionsOf(2, 2)};
  TempDir temp_;
  const fs::path intact_ = temp_.path() / "intact";
  StoreContents contents_;
};

TEST_F(DamagedFiles, AreRefusedOrMakeNoDifference) {
  const uint64_t rounds = Rounds("KINDRED_DAMAGES", 60);
  Rng rng(kDamageSeed);
  uint64_t refused = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    Restore();
    const auto files = FilesOf(harness_.path());
    const std::string what =
        Inflict(static_cast<Damage>(Below(rng, kDamages)), files[round % files.size()], rng);
    SCOPED_TRACE("seed " + std::to_string(kDamageSeed) + " round " + std::to_string(round) + ": " + what);
    const absl::Status opened = harness_.Open();
    if (opened.ok()) {
      ASSERT_EQ(ReadContents(*harness_.Newest()->store), contents_);
      ExpectExactAnswers(harness_, kDamageSeed);
      continue;
    }
    ++refused;
    EXPECT_THAT(opened, StatusIs(kDataLoss, harness_.path()));
    EXPECT_THAT(opened, StatusIs(kDataLoss, "estore a backup"));
  }
  Tally("damaged_files",
        "damages=" + std::to_string(rounds) + " refused_to_start=" + std::to_string(refused));
  EXPECT_GT(refused, rounds / 4);
  EXPECT_LT(refused, rounds);
}

TEST_F(DamagedFiles, OfOneTableAreNamed) {
  for (const fs::path& table : FilesOf(intact_, ".sst")) {
    Restore();
    const fs::path damaged = fs::path(harness_.path()) / "db" / table.filename();
    FlipByte(damaged, fs::file_size(damaged) / 3);
    EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, table.filename().string()));
  }
}

}  // namespace
}  // namespace kindred::test
