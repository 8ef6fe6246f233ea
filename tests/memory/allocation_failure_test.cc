// Allocations that fail: a search is given up cleanly, and the next one is right; a process that dies of one
// in the middle of its writes has lost nothing it acknowledged. A program of its own, because it has an
// operator new of its own.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <future>
#include <iostream>
#include <new>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "index/base/out_of_memory.h"
#include "index/engine/engine.h"
#include "index/store/data_directory.h"
#include "tests/crash/rounds.h"
#include "tests/support/engine_harness.h"
#include "tests/support/graphs.h"
#include "tests/support/no_locks.h"
#include "tests/support/status_matchers.h"

namespace {

// After so many more allocations of this thread, or of all threads, one fails, and with `goes_on` all that
// follow.
thread_local int64_t left_here = INT64_MAX;
std::atomic<int64_t> left_everywhere{INT64_MAX};
std::atomic<bool> goes_on{false};

bool Fails() {
  if (left_here != INT64_MAX && left_here-- == 0) {
    return true;
  }
  if (left_everywhere.load(std::memory_order_relaxed) == INT64_MAX) {
    return false;
  }
  const int64_t before = left_everywhere.fetch_sub(1);
  return before == 0 || (before < 0 && goes_on);
}

}  // namespace

[[gnu::noinline]] void* operator new(size_t size) {
  void* const memory = Fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

// Called, not inlined: the compiler would take it for a mistake beside an operator new it sees.
[[gnu::noinline]] void operator delete(void* pointer) noexcept { std::free(pointer); }
[[gnu::noinline]] void operator delete(void* pointer, size_t /*size*/) noexcept { std::free(pointer); }

namespace kindred::test {
namespace {

constexpr RandomGraphOptions kGraphs{.vertices_min = 3, .vertices_max = 9};

constexpr int kWrites = 30;

// In a process of its own, since one that was forked has none of the threads that RocksDB thinks it has.
int RunChild(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::alarm(60);  // One that hangs is found out.
    [&]() noexcept { ::_exit(work()); }();
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// Writes, and says on a pipe what is acknowledged, until an allocation fails somewhere.
int WriteUntilItFails(const std::string& path, int out, int64_t n) {
  if (std::freopen("/dev/null", "w", stderr) == nullptr) {  // For what std::terminate has to say.
    return 1;
  }
  auto engine = Must(Engine::Open(Must(DataDirectory::Open(path)), OptionsOf(2, 2)));
  Rng rng(3);
  const std::vector<Graph> graphs = RandomGraphs(rng, kWrites, kGraphs);
  left_everywhere = n;
  for (int i = 0; i < kWrites; ++i) {
    const auto done = std::make_shared<std::promise<bool>>();
    engine->writer().Submit({{PutOf("g" + std::to_string(i), graphs[static_cast<size_t>(i)])},
                             100,
                             [done](const WriteResult& result) {
                               done->set_value(result.status.ok() && result.outcomes[0].status.ok());
                             }});
    const auto number = static_cast<unsigned char>(i);
    if (done->get_future().get() && ::write(out, &number, 1) != 1) {
      return 1;
    }
  }
  left_everywhere = INT64_MAX;
  return 0;
}

// What was acknowledged is there, and of the rest at most the one write that was under way.
int CheckWrites(const std::string& path, const std::set<int>& acknowledged) {
  const auto engine = Must(Engine::Open(Must(DataDirectory::Open(path)), OptionsOf(1, 2)));
  const auto snapshot = Must(engine->snapshot());
  for (const int i : acknowledged) {
    if (!snapshot->FindGraph("g" + std::to_string(i)).has_value()) {
      std::cout << "g" << i << " was acknowledged, and is lost" << std::endl;
      return 1;
    }
  }
  return engine->stats().graphs <= acknowledged.size() + 1 ? 0 : 2;
}

// Comes first in this program: nothing in it may have started a thread before it forks.
TEST(AllocationFailureOfWrites, LosesNothingThatWasAcknowledged) {
  const uint64_t seed = SeedOr(23);
  const uint64_t rounds = Rounds("KINDRED_ALLOCATION_FAILURES", 10);
  std::cout << "seed " << seed << std::endl;
  Rng rng(seed);
  uint64_t died = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const TempDir dir;
    const auto n = static_cast<int64_t>(Below(rng, 3'000));
    goes_on = Below(rng, 2) == 0;
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const int status = RunChild([&] { return WriteUntilItFails(dir.Sub("index"), pipe[1], n); });
    ::close(pipe[1]);
    std::set<int> acknowledged;  // Few enough to have waited in the pipe.
    for (unsigned char number = 0; ::read(pipe[0], &number, 1) == 1;) {
      acknowledged.insert(number);
    }
    ::close(pipe[0]);
    EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT))
        << "status " << status << ", allocation " << n;
    died += status == 0 ? 0 : 1;
    EXPECT_EQ(RunChild([&] { return CheckWrites(dir.Sub("index"), acknowledged); }), 0) << "allocation " << n;
  }
  std::cout << died << " of " << rounds << " ended of it" << std::endl;
  EXPECT_GT(died, 0u) << "no allocation failed";
}

class AllocationFailure : public ::testing::Test {
 protected:
  void Fill(int graphs) {
    Rng rng(91);
    std::vector<Mutation> mutations;
    for (int i = 0; i < graphs; ++i) {
      mutations.push_back(PutOf("g" + std::to_string(i), RandomGraph(rng, kGraphs)));
    }
    ASSERT_TRUE(harness_.Write(std::move(mutations)).status.ok());
  }

  // Gives each allocation of a search in turn no memory, and then looks whether anything is the worse for it.
  void SearchUntilNothingFails(const SearchRequest& request) {
    const std::vector<Hit> expected = harness_.Hits(request);
    int refused = 0;
    for (int64_t n = 0;; ++n) {
      left_here = n;
      const auto reply = OrOutOfMemory(
          [&]() -> absl::StatusOr<SearchReply> { return harness_.engine().Search(request, {}); });
      const bool met = left_here < 0;
      left_here = INT64_MAX;
      if (!reply.ok()) {
        EXPECT_THAT(reply, StatusIs(kResourceExhausted, "out of memory")) << n;
        ++refused;
      } else {
        EXPECT_EQ(reply->answer.hits, expected) << n;
      }
      ASSERT_EQ(harness_.Hits(request), expected) << "after a failure of allocation " << n;
      if (!met) {
        break;  // It took fewer.
      }
    }
    EXPECT_GT(refused, 5) << "nothing failed";
  }

  EngineHarness harness_{OptionsWithoutLocks()};

 private:
  static EngineOptions OptionsWithoutLocks() {
    EngineOptions options = OptionsOf(1, 2);
    options.store.env = EnvWithoutLocks();
    return options;
  }
};

TEST_F(AllocationFailure, ASearchIsGivenUpAndTheNextIsRight) {
  Fill(300);
  Rng rng(7);
  for (const uint32_t threads : {1, 2}) {
    SearchRequest request = Ask(RandomGraph(rng, kGraphs), 20);
    request.threads = threads;
    SearchUntilNothingFails(request);
  }
}

// It reads by RocksDB, which loses count of what it holds when an allocation of its own fails.
TEST_F(AllocationFailure, AnExhaustiveSearchIsGivenUpAndTheStoreClosesAndOpensAgain) {
  Fill(40);
  Rng rng(8);
  SearchRequest request = Ask(RandomGraph(rng, kGraphs), 20);
  request.mode = SearchMode::kExhaustive;
  SearchUntilNothingFails(request);
  const std::vector<Hit> expected = harness_.Hits(request);
  harness_.Restart();
  EXPECT_EQ(harness_.Hits(request), expected);
  SearchUntilNothingFails(request);  // Now from tables, or from the log that was read again.
}

}  // namespace
}  // namespace kindred::test
