// The power is cut at every kind of moment: each acknowledged write is there afterwards, of the others at
// most the group that was being written, whole; and the directory always opens.
//
// KINDRED_POWER_CUTS=500 for all of a campaign; KINDRED_SEED.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "rocksdb/env.h"
#include "tests/crash/answers.h"
#include "tests/crash/rounds.h"
#include "tests/support/engine_harness.h"
#include "tests/support/power_cut_file_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/workload.h"

namespace kindred::test {
namespace {

const uint64_t kCutSeed = SeedOr(109);
constexpr size_t kGroups = 90;
// Here the engine is closed and opened again.
constexpr size_t kRestartAfter = 50;

EngineOptions TinyBuffers() {
  EngineOptions options = OptionsOf(2, 2);
  options.store.write_buffer_bytes = kTinyWriteBufferBytes;
  return options;
}

// Everything a store holds and, beside it, the scheme that its molecules decided.
struct Seen {
  StoreContents contents;
  std::string molecule_scheme;

  friend bool operator==(const Seen&, const Seen&) = default;
  friend void PrintTo(const Seen& seen, std::ostream* out) {
    *out << "molecule scheme '" << seen.molecule_scheme << "', ";
    PrintTo(seen.contents, out);
  }
};

Seen See(EngineHarness& harness) {
  const auto store = harness.Newest()->store;
  return {ReadContents(*store), store->molecule_scheme()};
}

class PowerCut : public ::testing::Test {
 protected:
  // A run of the workload on a disk of its own; the power goes at an operation, or not at all.
  struct Run {
    explicit Run(uint64_t cut_at = UINT64_MAX) {
      std::filesystem::create_directory(graveyard.path() / "files");
      files = std::make_shared<PowerCutFileSystem>(graveyard.Sub("files"));
      files->CutAt(cut_at);
      env = rocksdb::NewCompositeEnv(files);
      harness.options().store.env = env.get();
    }

    // Writes until it is done or refused; returns how many groups were acknowledged.
    size_t Write(const std::vector<std::vector<Mutation>>& workload, std::vector<Seen>* after) {
      if (!harness.Open().ok()) {
        return 0;
      }
      for (size_t group = 0; group < workload.size(); ++group) {
        if (group == kRestartAfter) {
          harness.Close();
          if (!harness.Open().ok()) {
            return group;
          }
        }
        if (!harness.Write(workload[group]).status.ok()) {
          return group;
        }
        if (after != nullptr) {
          after->push_back(See(harness));
        }
      }
      return workload.size();
    }

    TempDir graveyard;
    std::shared_ptr<PowerCutFileSystem> files;
    std::unique_ptr<rocksdb::Env> env;
    EngineHarness harness{TinyBuffers(), EngineHarness::Start::kClosed};
  };

  // What is there after 0, 1, ... groups, and how many operations they take.
  void RunWithoutCut() {
    Run run;
    ASSERT_THAT(run.harness.Open(), IsOk());
    expected_ = {See(run.harness)};
    run.harness.Close();
    ASSERT_EQ(run.Write(workload_, &expected_), kGroups);
    ASSERT_EQ(expected_.front().molecule_scheme, "");
    ASSERT_EQ(expected_.back().molecule_scheme, kWorkloadScheme);
    run.harness.Close();
    operations_ = run.files->operations();
  }

  void CutAndCheck(uint64_t operation, PowerCutFileSystem::Keep keep, Rng& rng) {
    Run run(operation);
    const size_t acknowledged = run.Write(workload_, nullptr);
    run.harness.Close();
    run.files->Settle(keep, rng);
    run.harness.options().store.env = nullptr;
    ASSERT_THAT(run.harness.Open(), IsOk());
    const Seen found = See(run.harness);
    if (found != expected_[acknowledged]) {
      ASSERT_LT(acknowledged, kGroups);
      ASSERT_EQ(found, expected_[acknowledged + 1]) << acknowledged << " groups were acknowledged";
      ++unacknowledged_;
    }
    ExpectExactAnswers(run.harness, kCutSeed);
    ASSERT_EQ(run.harness.Put("after", Path("CO")).kind, Outcome::Kind::kInserted);
    run.harness.Restart();
  }

  const std::vector<std::vector<Mutation>> workload_ = Workload(kCutSeed, kGroups);
  std::vector<Seen> expected_;
  uint64_t operations_ = 0;
  uint64_t unacknowledged_ = 0;  // Cuts after which a group was there that was not acknowledged.
};

TEST_F(PowerCut, LosesNothingThatWasAcknowledged) {
  RunWithoutCut();
  ASSERT_GT(operations_, 4 * kGroups);
  const uint64_t cuts = Rounds("KINDRED_POWER_CUTS", 15);
  Rng rng(kCutSeed);
  for (uint64_t cut = 0; cut < cuts; ++cut) {
    // Spread over the run, a bit beyond its end, so that some happen to miss.
    const uint64_t operation = 1 + cut * operations_ / cuts + Below(rng, operations_ / cuts + 1);
    const auto keep = static_cast<PowerCutFileSystem::Keep>(cut % 3);
    SCOPED_TRACE("seed " + std::to_string(kCutSeed) + " cut " + std::to_string(cut) + " at operation " +
                 std::to_string(operation) + " of " + std::to_string(operations_) + ", keep " +
                 std::to_string(cut % 3));
    CutAndCheck(operation, keep, rng);
    if (HasFatalFailure()) {
      return;
    }
  }
  Tally("power_cuts", "cuts=" + std::to_string(cuts));
  RecordProperty("operations", std::to_string(operations_));
  RecordProperty("unacknowledged", std::to_string(unacknowledged_));
}

}  // namespace
}  // namespace kindred::test
