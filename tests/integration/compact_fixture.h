// A data directory that is filled, emptied and asked.

#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {

inline constexpr uint64_t kCompactedGraphs = 4'000;
inline constexpr uint64_t kCompactSeed = 401;

class CompactServiceTest : public ::testing::Test {
 protected:
  static Finished Kindred(const DaemonProcess& daemon, std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon.address()});
    return RunProgram(KindredPath(), args);
  }

  // So many graphs g0, g1, ..., with payloads that do not compress.
  static void Fill(const DaemonProcess& daemon, uint64_t count) {
    const auto stub = daemon.NewStub();
    std::mt19937_64 rng(kCompactSeed);
    for (uint64_t first = 0; first < count; first += 500) {
      v1::PutRequest put;
      for (uint64_t i = first; i < std::min(count, first + 500); ++i) {
        v1::Record record = RecordMessage("g" + std::to_string(i), RandomTreeMessage(rng, 20));
        for (int byte = 0; byte < 500; ++byte) {
          record.mutable_payload()->push_back(static_cast<char>(rng()));
        }
        *put.add_records() = std::move(record);
      }
      v1::PutResponse response;
      ASSERT_TRUE(stub->Put(NewContext().get(), put, &response).ok());
    }
  }
  static void Remove(const DaemonProcess& daemon, uint64_t first, uint64_t end) {
    const auto stub = daemon.NewStub();
    v1::DeleteRequest removal;
    for (uint64_t i = first; i < end; ++i) {
      removal.add_ids("g" + std::to_string(i));
    }
    v1::DeleteResponse removed;
    ASSERT_TRUE(stub->Delete(NewContext().get(), removal, &removed).ok());
  }
  // Answers to some queries, which both modes agree on.
  static std::string Answers(const DaemonProcess& daemon) {
    const auto stub = daemon.NewStub();
    std::mt19937_64 rng(kCompactSeed + 1);
    std::string answers;
    for (int i = 0; i < 20; ++i) {
      v1::SearchRequest request;
      *request.mutable_graph() = RandomTreeMessage(rng, 20);
      request.set_k(15);
      v1::SearchResponse pruned;
      v1::SearchResponse exhaustive;
      EXPECT_TRUE(stub->Search(NewContext().get(), request, &pruned).ok());
      request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
      EXPECT_TRUE(stub->Search(NewContext().get(), request, &exhaustive).ok());
      pruned.clear_stats();
      exhaustive.clear_stats();
      EXPECT_EQ(pruned.DebugString(), exhaustive.DebugString());
      answers += pruned.DebugString();
    }
    return answers;
  }
  // Reads `messages` of the progress, or all (0), and gives the call up then.
  static grpc::Status CallCompact(const DaemonProcess& daemon, int messages, v1::CompactResponse& last) {
    const auto stub = v1::Admin::NewStub(daemon.NewChannel());
    const auto context = NewContext();
    const auto reader = stub->Compact(context.get(), {});
    for (int read = 0; reader->Read(&last);) {
      if (++read == messages) {
        context->TryCancel();
      }
    }
    return reader->Finish();
  }

  const TempDir dir_;
  const std::string data_ = dir_.Sub("data");
};

}  // namespace kindred::test
