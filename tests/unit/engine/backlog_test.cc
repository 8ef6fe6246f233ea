// A backlog of plain graphs, as after a start, slows writes down where people search, and never stops them.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/status_matchers.h"

namespace kindred {
namespace {

TEST(Backlog, WritesGoOnBesideIt) {
  test::EngineHarness harness(test::OptionsOf(2, 0));
  std::vector<Mutation> puts;
  for (int i = 0; i < 40'000; ++i) {
    puts.push_back(test::PutOf("g" + std::to_string(i), test::Isolated("C")));
  }
  ASSERT_THAT(harness.Write(std::move(puts)).status, test::IsOk());
  harness.Restart();
  for (int i = 0; i < 200; ++i) {
    harness.Hits(test::Ask(test::Isolated("C"), 1));
    harness.Put("new" + std::to_string(i), test::Isolated("N"));
  }
  EXPECT_EQ(harness.Newest()->graph_count(), 40'200u);
}

}  // namespace
}  // namespace kindred
