// A store that lacks something that was acknowledged is refused, and says what and what to do; --accept-loss
// opens it with what is there. A start that was cut short bricks nothing.

#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "index/store/witness.h"
#include "tests/support/damage.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

namespace fs = std::filesystem;
using test::EngineHarness;
using test::IsOk;
using test::kDataLoss;
using test::Path;
using test::StatusIs;

// A closed index of three commits.
class LostCommits : public ::testing::Test {
 protected:
  LostCommits() {
    for (const char* const id : {"a", "b", "c"}) {
      harness_.Put(id, Path("CO"));
    }
    harness_.Close();
  }

  fs::path witness() const { return fs::path(harness_.path()) / "witness"; }
  fs::path log() const { return test::FilesOf(fs::path(harness_.path()) / "db", ".log").back(); }

  void ExpectRefused(const std::string& why) {
    EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, why));
    EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "--accept-loss")) << "and it stays refused";
    EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "Restore a backup"));
  }

  // Opens with --accept-loss; returns what it reported.
  std::vector<std::string> Accept() {
    std::vector<std::string> reports;
    EngineOptions options;
    options.store.accept_loss = true;
    options.store.report = [&](std::string_view line) { reports.emplace_back(line); };
    EXPECT_THAT(Engine::Open(test::Must(DataDirectory::Open(harness_.path())), options), IsOk());
    return reports;
  }

  EngineHarness harness_;
};

TEST_F(LostCommits, WithNothingLostItOpens) {
  EXPECT_THAT(harness_.Open(), IsOk());
  EXPECT_EQ(harness_.Newest()->sequence, CommitSequence{3});
}

TEST_F(LostCommits, ARemovedLogIsRefused) {
  fs::remove(log());
  ExpectRefused("data directory " + harness_.path() + ": commits 1 to 3 are lost");
}

TEST_F(LostCommits, ALogThatWasCutShortIsRefusedAndSaysFromWhereToWhere) {
  fs::resize_file(log(), fs::file_size(log()) - 1);
  ExpectRefused("commits 3 to 3 are lost");
}

TEST_F(LostCommits, AcceptedLeaveWhatIsThere) {
  fs::resize_file(log(), fs::file_size(log()) - 1);
  const auto reports = Accept();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_NE(reports.front().find("LOSS ACCEPTED"), std::string::npos) << reports.front();
  EXPECT_NE(reports.front().find("commits 3 to 3 are lost"), std::string::npos) << reports.front();
  // From then on it is a store like any other.
  harness_.Restart();
  EXPECT_EQ(harness_.Newest()->sequence, CommitSequence{2});
  EXPECT_EQ(harness_.Put("d", Path("CN")).kind, Outcome::Kind::kInserted);
  harness_.Restart();
  EXPECT_EQ(harness_.engine().stats().graphs, 3u);
}

TEST_F(LostCommits, AcceptedWhereNothingIsLostChangeNothing) {
  EXPECT_EQ(Accept(), std::vector<std::string>{});
  harness_.Restart();
  EXPECT_EQ(harness_.Newest()->sequence, CommitSequence{3});
}

TEST_F(LostCommits, AnOlderCopyOfTheDatabaseIsRefused) {
  const fs::path older = fs::path(harness_.path()).parent_path() / "older";
  test::CopyDirectory(harness_.path(), older);
  harness_.Restart();
  harness_.Put("d", Path("CO"));
  harness_.Close();
  fs::remove_all(harness_.path() + "/db");
  test::CopyDirectory(older / "db", harness_.path() + "/db");
  ExpectRefused("commits 4 to 4 are lost");
}

TEST_F(LostCommits, AMissingWitnessIsRefusedUntilAccepted) {
  fs::remove(witness());
  ExpectRefused(witness().string() + " is missing");
  ASSERT_EQ(Accept().size(), 1u);
  harness_.Restart();
  EXPECT_EQ(harness_.engine().stats().graphs, 3u);
}

TEST_F(LostCommits, ADamagedWitnessIsRefusedUntilAccepted) {
  fs::resize_file(witness(), 100);
  ExpectRefused(witness().string() + " is damaged");
  ASSERT_EQ(Accept().size(), 1u);
  harness_.Restart();
}

TEST_F(LostCommits, TheWitnessOfAnotherStoreIsRefused) {
  EngineHarness other;
  for (int i = 0; i < 3; ++i) {
    other.Put("x" + std::to_string(i), Path("CO"));
  }
  other.Close();
  fs::copy_file(other.path() + "/witness", witness(), fs::copy_options::overwrite_existing);
  ExpectRefused("is the witness of another store");
}

// RocksDB takes a directory without CURRENT for a new one, and clears it.
TEST_F(LostCommits, AMissingCurrentIsRefusedAndNothingIsRemoved) {
  fs::remove(fs::path(harness_.path()) / "db/CURRENT");
  const auto files = test::FilesOf(harness_.path(), ".log");
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "CURRENT"));
  EXPECT_EQ(test::FilesOf(harness_.path(), ".log"), files);
  fs::remove(witness());
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, "CURRENT"));
  EXPECT_EQ(test::FilesOf(harness_.path(), ".log"), files);
}

TEST_F(LostCommits, AMissingDatabaseIsRefused) {
  fs::remove_all(fs::path(harness_.path()) / "db");
  EXPECT_THAT(harness_.Open(), StatusIs(kDataLoss, harness_.path() + "/db"));
}

// A crash between the commit and its witness: the commit was not acknowledged, but it may be there.
TEST_F(LostCommits, AStoreAheadOfItsWitnessOpensAndCatchesUp) {
  const fs::path before = fs::path(harness_.path()).parent_path() / "before";
  fs::copy_file(witness(), before);
  harness_.Restart();
  harness_.Put("d", Path("CO"));
  harness_.Close();
  fs::copy_file(before, witness(), fs::copy_options::overwrite_existing);
  harness_.Restart();
  EXPECT_EQ(harness_.Newest()->sequence, CommitSequence{4});
  const auto claim = Witness::Read(*rocksdb::FileSystem::Default(), witness());
  EXPECT_EQ(test::Must(claim)->sequence, CommitSequence{4});
}

// Nothing was acknowledged, so nothing can be lost: whatever is there of db/ may be made anew.
TEST(FirstStart, CutShortBeforeTheDatabaseIsThereStartsAgain) {
  EngineHarness harness;
  harness.Close();
  for (const char* const ending : {"CURRENT", ".log", ".sst"}) {  // A MANIFEST comes first, then CURRENT.
    for (const fs::path& file : test::FilesOf(harness.path(), ending)) {
      fs::remove(file);
    }
  }
  EXPECT_THAT(harness.Open(), IsOk());
}

TEST(FirstStart, WithAWitnessAndNoDatabaseStartsAgain) {
  EngineHarness harness;
  harness.Close();
  fs::remove_all(harness.path() + "/db");
  EXPECT_THAT(harness.Open(), IsOk());
  harness.Put("a", Path("CO"));
  harness.Restart();
  EXPECT_EQ(harness.engine().stats().graphs, 1u);
}

}  // namespace
}  // namespace kindred
