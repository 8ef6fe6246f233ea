// WriteGate: the reserve at its edge, the first failure for good, one line for each change.

#include "index/store/write_gate.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/free_space.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

using test::IsOk;
using test::kResourceExhausted;
using test::StatusIs;

constexpr auto kGateUnavailable = absl::StatusCode::kUnavailable;

class WriteGateTest : public ::testing::Test {
 protected:
  WriteGateTest() {
    options_.disk_reserve_bytes = 1000;
    options_.env = disk_.env();
    options_.report = [this](std::string_view line) { reports_.emplace_back(line); };
  }

  test::FreeSpace disk_;
  StoreOptions options_;
  std::vector<std::string> reports_;
};

TEST_F(WriteGateTest, AdmitsUpToTheReserveAndNoByteMore) {
  WriteGate gate(options_, "/");
  disk_.Set(1100);
  EXPECT_THAT(gate.Admit(100), IsOk());
  EXPECT_THAT(gate.Admit(101), StatusIs(kResourceExhausted, "disk_reserve_bytes = 1000"));
  disk_.Set(1099);
  EXPECT_THAT(gate.Admit(100), StatusIs(kResourceExhausted, "1099 bytes left"));
}

TEST_F(WriteGateTest, OpensAgainByItselfAndSaysEachOnce) {
  WriteGate gate(options_, "/");
  disk_.Set(10);
  EXPECT_FALSE(gate.Admit(1).ok());
  EXPECT_FALSE(gate.Admit(1).ok());
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_NE(reports_.front().find("writes are refused"), std::string::npos);
  disk_.Set(10'000);
  EXPECT_THAT(gate.Admit(1), IsOk());
  EXPECT_THAT(gate.Admit(1), IsOk());
  ASSERT_EQ(reports_.size(), 2u);
  EXPECT_NE(reports_.back().find("taken again"), std::string::npos);
}

TEST_F(WriteGateTest, WithoutAReserveAdmitsEverything) {
  options_.disk_reserve_bytes = 0;
  disk_.Set(0);
  EXPECT_THAT(WriteGate(options_, "/").Admit(1 << 30), IsOk());
}

TEST_F(WriteGateTest, StaysClosedAfterAFailureAndNamesTheFirst) {
  WriteGate gate(options_, "/");
  gate.Fail(absl::UnavailableError("the disk burns"));
  gate.Fail(absl::ResourceExhaustedError("the disk is full"));
  EXPECT_THAT(gate.Admit(0), StatusIs(kGateUnavailable, "the disk burns"));
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_NE(reports_.front().find("NO MORE WRITES: the disk burns"), std::string::npos);
}

TEST_F(WriteGateTest, ClosesOnABackgroundErrorAndDoesNotLetItBeTriedAgain) {
  WriteGate gate(options_, "/");
  auto error = rocksdb::Status::NoSpace("while flushing");
  gate.OnBackgroundError(rocksdb::BackgroundErrorReason::kFlush, &error);
  EXPECT_THAT(gate.Admit(0), StatusIs(kResourceExhausted, "while flushing"));
  EXPECT_TRUE(gate.failed());
  bool again = true;
  gate.OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason::kFlush, error, &again);
  EXPECT_FALSE(again);
}

TEST(NearlyFullDisk, RefusesWritesUntilThereIsSpaceAndSearchesOn) {
  test::FreeSpace disk;
  EngineOptions options;
  options.store.env = disk.env();
  test::EngineHarness harness(options);
  harness.Put("kept", test::Path("CO"));
  disk.Set(options.limits.disk_reserve_bytes);
  const WriteResult refused = harness.Write({test::PutOf("b", test::Path("CCN"))});
  EXPECT_THAT(refused.status, StatusIs(kResourceExhausted, "disk_reserve_bytes"));
  EXPECT_EQ(harness.Hits(test::Ask(test::Path("CO"))), (std::vector<Hit>{{"kept", 8, 1.0, 2}}));
  disk.Set(options.limits.disk_reserve_bytes + (1 << 20));
  EXPECT_EQ(harness.Put("b", test::Path("CCN")).kind, Outcome::Kind::kInserted);
  harness.Restart();
  EXPECT_EQ(harness.engine().stats().graphs, 2u);
}

}  // namespace
}  // namespace kindred
