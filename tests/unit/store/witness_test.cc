// Witness: the last claim is what is read, a torn half leaves the other, damage is DATA_LOSS.

#include "index/store/witness.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/damage.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kDataLoss;
using test::Must;
using test::StatusIs;

constexpr size_t kSlotBytes = 4096;

class WitnessTest : public ::testing::Test {
 protected:
  std::unique_ptr<Witness> Create(uint64_t sequence) {
    return Must(Witness::Create(files_, path_, {identity_, CommitSequence{sequence}}));
  }
  absl::StatusOr<std::optional<Witness::Claim>> Read() { return Witness::Read(files_, path_); }
  uint64_t Sequence() { return Raw(Must(Read()).value().sequence); }

  test::TempDir temp_;
  rocksdb::FileSystem& files_ = *rocksdb::FileSystem::Default();
  const std::string path_ = temp_.Sub("witness");
  const StoreIdentity identity_ = NewStoreIdentity();
};

TEST_F(WitnessTest, IsNothingBeforeItIsCreated) { EXPECT_EQ(Must(Read()).has_value(), false); }

TEST_F(WitnessTest, ClaimsWhatItWasCreatedWith) {
  Create(7);
  EXPECT_EQ(Sequence(), 7u);
  EXPECT_EQ(Must(Read())->identity, identity_);
  EXPECT_EQ(std::filesystem::file_size(path_), 2 * kSlotBytes);
}

TEST_F(WitnessTest, ClaimsTheLastAdvance) {
  const auto witness = Create(0);
  for (const uint64_t sequence : {1, 2, 3, 1000, 1001}) {
    ASSERT_THAT(witness->Advance(CommitSequence{sequence}), IsOk());
    EXPECT_EQ(Sequence(), sequence);
  }
  EXPECT_EQ(std::filesystem::file_size(path_), 2 * kSlotBytes);
}

TEST_F(WitnessTest, AnotherOneTakesItsPlace) {
  ASSERT_THAT(Create(5)->Advance(CommitSequence{6}), IsOk());
  ASSERT_THAT(Create(2)->Advance(CommitSequence{3}), IsOk());
  EXPECT_EQ(Sequence(), 3u);
}

// A power cut while a half is written leaves the other, with the commit before.
TEST_F(WitnessTest, WithOneHalfTornClaimsWhatTheOtherSays) {
  const auto witness = Create(0);
  ASSERT_THAT(witness->Advance(CommitSequence{1}), IsOk());
  ASSERT_THAT(witness->Advance(CommitSequence{2}), IsOk());
  for (size_t byte = 0; byte < 40; ++byte) {
    test::FlipByte(path_, kSlotBytes + byte);
    EXPECT_EQ(Sequence(), 1u) << byte;
    test::FlipByte(path_, kSlotBytes + byte);
    test::FlipByte(path_, byte);
    EXPECT_EQ(Sequence(), 2u) << byte;
    test::FlipByte(path_, byte);
  }
}

TEST_F(WitnessTest, WithBothHalvesDamagedIsDataLossThatNamesTheFile) {
  Create(3);
  test::FlipByte(path_, 30);
  test::FlipByte(path_, kSlotBytes + 39);
  EXPECT_THAT(Read(), StatusIs(kDataLoss, path_ + " is damaged"));
}

TEST_F(WitnessTest, OfAnotherLengthIsDataLoss) {
  for (const size_t bytes : {size_t{0}, size_t{39}, kSlotBytes, 2 * kSlotBytes - 1, 2 * kSlotBytes + 1}) {
    Create(3);
    std::filesystem::resize_file(path_, bytes);
    EXPECT_THAT(Read(), StatusIs(kDataLoss, "is damaged")) << bytes;
  }
}

TEST_F(WitnessTest, OfHalvesOfDifferentStoresIsDataLoss) {
  Create(3);
  const std::string other = temp_.Sub("other");
  Must(Witness::Create(files_, other, {NewStoreIdentity(), CommitSequence{3}}));
  test::CopyBytes(other, path_, kSlotBytes, 40);
  EXPECT_THAT(Read(), StatusIs(kDataLoss, "different stores"));
}

TEST_F(WitnessTest, IdentitiesDiffer) { EXPECT_NE(NewStoreIdentity(), NewStoreIdentity()); }

}  // namespace
}  // namespace kindred
