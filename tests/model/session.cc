#include "tests/model/session.h"

#include <csignal>

#include "gtest/gtest.h"

namespace kindred::test {

Session::Session(std::string data_dir, uint64_t ids) : data_dir_(std::move(data_dir)), ids_(ids) { Start(); }

void Session::Start() {
  daemon_.reset();
  daemon_ = std::make_unique<DaemonProcess>(
      data_dir_, std::vector<std::string>{"--depth", std::to_string(kDepth), "--log-level", "error"});
  for (auto& stub : stubs_) {
    stub = daemon_->NewStub();
  }
}

std::string Session::Step(uint64_t seed) {
  struct Weighted {
    uint64_t weight;
    StepFunction function;
  };
  static constexpr Weighted kSteps[] = {
      {250, &Session::Put},           {80, &Session::Delete},      {60, &Session::PutIfNovel},
      {30, &Session::PutAtOnce},      {80, &Session::Ingest},      {20, &Session::RefusedIngest},
      {200, &Session::Search},        {20, &Session::SearchPages}, {30, &Session::SearchMany},
      {20, &Session::SearchAtOnce},   {60, &Session::Recommend},   {50, &Session::Get},
      {15, &Session::Pairs},          {10, &Session::Clusters},    {40, &Session::Watch},
      {15, &Session::Stats},          {5, &Session::Export},       {10, &Session::Cancel},
      {20, &Session::Hurry},          {2, &Session::Restart},      {2, &Session::Kill},
      {3, &Session::KillWhileWriting}};
  Chooser choose(seed, kDepth, ids_);
  uint64_t sum = 0;
  for (const Weighted& step : kSteps) {
    sum += step.weight;
  }
  uint64_t left = choose.Below(sum);
  const Weighted* chosen = kSteps;
  for (; left >= chosen->weight; ++chosen) {
    left -= chosen->weight;
  }
  return (this->*chosen->function)(choose);
}

void Session::End() {
  ExpectContents();
  const auto admin = v1::Admin::NewStub(daemon_->NewChannel());
  const auto context = NewContext(300);
  const auto reader = admin->Verify(context.get(), {});
  v1::VerifyResponse message;
  while (reader->Read(&message)) {
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_TRUE(message.done());
  EXPECT_EQ(message.finding_count(), 0u);
  EXPECT_EQ(daemon_->Stop(SIGTERM), 0);
  Start();
  ExpectContents();
}

}  // namespace kindred::test
