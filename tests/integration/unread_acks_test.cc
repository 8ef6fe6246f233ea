// Clients of an ingest stream that never read what the daemon answers: nothing is lost of what they send, and
// the daemon's memory stays bounded.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/integration/stats_of.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using Stream = grpc::ClientReaderWriter<v1::IngestRequest, v1::IngestResponse>;

constexpr int kItems = 100;
constexpr uint64_t kUnreadRiseMax = 64 << 20;

std::unique_ptr<Stream> Open(v1::Index::Stub& stub, grpc::ClientContext* context) {
  auto stream = stub.Ingest(context);
  v1::IngestRequest open;
  open.mutable_open()->set_client_id("deaf");
  EXPECT_TRUE(stream->Write(open));
  return stream;
}

v1::IngestRequest Frame(uint64_t number, const v1::Record& record) {
  v1::IngestRequest request;
  request.mutable_frame()->set_client_sequence(number);
  for (int i = 0; i < kItems; ++i) {
    v1::Record& put = *request.mutable_frame()->add_items()->mutable_put();
    put = record;
    put.set_id(std::to_string(number) + "-" + std::to_string(i));
  }
  return request;
}

TEST(UnreadAcks, WhatIsSentIsStoredAllTheSame) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const auto stub = daemon.NewStub();
  const auto context = NewContext();
  const auto stream = Open(*stub, context.get());
  constexpr uint64_t kFrames = 300;
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    ASSERT_TRUE(stream->Write(Frame(frame, RecordMessage("", PathMessage("CCO")))));
  }
  while (StatsOf(*stub).graphs() < kFrames * kItems) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  context->TryCancel();
  stream->Finish();
}

// Every item is rejected, and each rejection waits to be read.
TEST(UnreadAcks, ReadingStopsWhenTooMuchIsToBeSaidOfRejectedItems) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"), {"--ingest-window-bytes", "65536"});
  const auto stub = daemon.NewStub();
  const uint64_t before = StatsOf(*stub).resident_bytes();
  const auto context = NewContext(600);
  const auto stream = Open(*stub, context.get());
  constexpr uint64_t kFrames = 50'000;  // Some 400 MB of rejections.
  std::atomic<uint64_t> written{0};
  std::atomic<bool> ended{false};
  std::thread writer([&] {
    for (uint64_t frame = 1; frame <= kFrames && stream->Write(Frame(frame, v1::Record())); ++frame) {
      ++written;
    }
    ended = true;
  });
  // Until nothing was written for two seconds.
  for (uint64_t seen = 0, quiet = 0; quiet < 20 && !ended;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    quiet = written == seen ? quiet + 1 : 0;
    seen = written;
  }
  EXPECT_FALSE(ended) << "all " << kFrames << " frames were taken";
  EXPECT_LT(StatsOf(*stub).resident_bytes(), before + kUnreadRiseMax);

  // Once it is read, everything goes on.
  const uint64_t stopped_at = written;
  v1::IngestResponse response;
  while (written < std::min(stopped_at * 2, kFrames) && stream->Read(&response)) {
  }
  EXPECT_GE(written, std::min(stopped_at * 2, kFrames));
  context->TryCancel();
  writer.join();
  stream->Finish();
}

}  // namespace
}  // namespace kindred::test
