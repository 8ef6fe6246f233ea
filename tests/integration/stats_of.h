// What a daemon says of itself.

#pragma once

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"

namespace kindred::test {

inline v1::StatsResponse StatsOf(v1::Index::Stub& stub) {
  v1::StatsResponse stats;
  EXPECT_TRUE(stub.Stats(NewContext().get(), {}, &stats).ok());
  return stats;
}

}  // namespace kindred::test
