// A daemon that gets no more memory from the system (RLIMIT_AS, set while it runs): calls are answered,
// refused or cut off, and after a restart everything acknowledged is there.

#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

uint64_t AddressSpaceBytes(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;) {
    if (word == "VmSize:") {
      uint64_t kib = 0;
      status >> kib;
      return kib << 10;
    }
  }
  return 0;
}

class OutOfMemory : public ::testing::TestWithParam<uint64_t> {
 protected:
  static constexpr int kWritesMax = 300;

  // Every call either succeeds or fails for a reason that is told; false once the daemon is gone.
  bool Expect(const grpc::Status& status) {
    const auto code = status.error_code();
    refused_ += code == grpc::StatusCode::RESOURCE_EXHAUSTED ? 1 : 0;
    EXPECT_TRUE(status.ok() || code == grpc::StatusCode::RESOURCE_EXHAUSTED ||
                code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED ||
                code == grpc::StatusCode::CANCELLED)
        << code << ": " << status.error_message();
    return status.ok() || code == grpc::StatusCode::RESOURCE_EXHAUSTED;
  }

  static std::unique_ptr<grpc::ClientContext> Context() {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    return context;
  }

  int refused_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Kibibytes, OutOfMemory, ::testing::Values(0, 512, 8'192, 65'536),
                         [](const auto& param) { return std::to_string(param.param); });

TEST_P(OutOfMemory, LosesNothingThatWasAcknowledged) {
  const TempDir dir;
  std::set<std::string> acknowledged;
  std::mt19937_64 rng(GetParam());
  {
    DaemonProcess daemon(dir.Sub("d"), {"--log-level", "error"});
    const auto stub = daemon.NewStub();
    const uint64_t bytes = AddressSpaceBytes(daemon.pid()) + (GetParam() << 10);
    const rlimit limit{bytes, bytes};
    const rlimit no_core{0, 0};
    ASSERT_EQ(::prlimit(daemon.pid(), RLIMIT_CORE, &no_core, nullptr), 0);
    ASSERT_EQ(::prlimit(daemon.pid(), RLIMIT_AS, &limit, nullptr), 0);
    for (int i = 0; i < kWritesMax; ++i) {
      v1::PutRequest put;
      for (int record = 0; record < 20; ++record) {
        const std::string id = std::to_string(i) + "-" + std::to_string(record);
        *put.add_records() = RecordMessage(id, RandomTreeMessage(rng, 200));
        put.mutable_records(record)->set_payload(std::string(30'000, 'p'));
      }
      v1::PutResponse stored;
      const grpc::Status status = stub->Put(Context().get(), put, &stored);
      if (!Expect(status)) {
        break;
      }
      for (int record = 0; record < stored.outcomes_size(); ++record) {
        if (stored.outcomes(record).kind() == v1::Outcome::INSERTED) {
          acknowledged.insert(put.records(record).id());
        }
      }
      v1::SearchRequest search;
      *search.mutable_graph() = RandomTreeMessage(rng, 5'000);
      search.set_k(1'000);
      search.set_with_payload(true);
      v1::SearchResponse answer;
      if (!Expect(stub->Search(Context().get(), search, &answer))) {
        break;
      }
    }
    std::cout << acknowledged.size() << " acknowledged, " << refused_ << " refused" << std::endl;
  }
  DaemonProcess daemon(dir.Sub("d"), {"--log-level", "error"});
  const auto stub = daemon.NewStub();
  v1::StatsResponse stats;
  ASSERT_TRUE(stub->Stats(NewContext().get(), {}, &stats).ok());
  EXPECT_GE(stats.graphs(), acknowledged.size());
  const auto context = NewContext();
  const auto reader = stub->Export(context.get(), {});
  for (v1::ExportResponse page; reader->Read(&page);) {
    for (const v1::Record& record : page.records()) {
      acknowledged.erase(record.id());
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_TRUE(acknowledged.empty()) << acknowledged.size() << " are lost";
}

}  // namespace
}  // namespace kindred::test
