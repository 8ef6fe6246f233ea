#include <csignal>
#include <thread>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/model/session.h"

namespace kindred::test {
namespace {

using Code = grpc::StatusCode;

void SleepMicros(uint64_t micros) { std::this_thread::sleep_for(std::chrono::microseconds(micros)); }

}  // namespace

// A stream of answers that its client gives up at some moment, mostly before its end.
std::string Session::Cancel(Chooser& choose) {
  const auto context = NewContext();
  const uint64_t micros = choose.Below(2'000);
  std::jthread canceller([&] {
    SleepMicros(micros);
    context->TryCancel();
  });
  grpc::Status status;
  std::string what;
  if (choose.Once(2)) {
    what = "export";
    const auto reader = stub(choose).Export(context.get(), {});
    for (v1::ExportResponse page; reader->Read(&page);) {
    }
    status = reader->Finish();
  } else {
    what = "pairs";
    v1::PairsRequest request;
    request.set_min_similarity(0.1);
    const auto reader = stub(choose).Pairs(context.get(), request);
    for (v1::PairsResponse message; reader->Read(&message);) {
    }
    status = reader->Finish();
  }
  EXPECT_TRUE(status.ok() || status.error_code() == Code::CANCELLED) << status.error_message();
  return fmt::format("cancel {} after {} us: {}", what, micros, status.ok() ? "done" : "cancelled");
}

// A deadline that may be met or not: the answer is right, or there is none.
std::string Session::Hurry(Chooser& choose) {
  const Asked asked = AskSearch(choose);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::microseconds(choose.Below(3'000)));
  v1::SearchResponse response;
  const grpc::Status status = stub(choose).Search(&context, asked.request, &response);
  EXPECT_TRUE(status.ok() || status.error_code() == Code::DEADLINE_EXCEEDED) << status.error_message();
  if (status.ok()) {
    ExpectHits(response, asked);
  }
  return std::string("search in a hurry: ") + (status.ok() ? "in time" : "too late");
}

std::string Session::Restart(Chooser&) {
  EXPECT_EQ(daemon_->Stop(SIGTERM), 0);
  Start();
  ExpectContents();
  return "restart";
}

std::string Session::Kill(Chooser&) {
  daemon_->Stop(SIGKILL);
  Start();
  ExpectContents();
  return "kill";
}

// Several clients write, one record after the other, until the daemon is killed. What was acknowledged is
// there; of each client at most the one write that was not answered is open, and it is there whole or not at
// all.
std::string Session::KillWhileWriting(Chooser& choose) {
  struct Client {
    std::vector<std::pair<std::string, KeptRecord>> writes;
    size_t acknowledged = 0;
  };
  std::vector<Client> clients(stubs_.size());
  std::map<std::string, KeptRecord> sent;
  for (size_t c = 0; c < clients.size(); ++c) {
    for (int i = 0; i < 30; ++i) {
      const uint64_t number = choose.Below(ids_ / clients.size()) * clients.size() + c;
      const std::string id = "g" + std::to_string(number);
      if (!sent.contains(id)) {
        clients[c].writes.emplace_back(id, choose.Record());
        // Unlike anything that was ever stored.
        clients[c].writes.back().second.payload = fmt::format("{} after {}", id, world_.sequence());
        sent.emplace(id, clients[c].writes.back().second);
      }
    }
  }
  {
    std::vector<std::jthread> threads;
    for (size_t c = 0; c < clients.size(); ++c) {
      threads.emplace_back([&client = clients[c], own_stub = stubs_[c].get()] {
        for (const auto& [id, record] : client.writes) {
          v1::PutRequest request;
          *request.add_records() = MessageOf(id, record);
          v1::PutResponse response;
          grpc::ClientContext context;
          context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
          if (!own_stub->Put(&context, request, &response).ok()) {
            return;
          }
          ++client.acknowledged;
        }
      });
    }
    SleepMicros(choose.Below(20'000));
    daemon_->Stop(SIGKILL);
  }
  Start();
  // The order of the commits, and which of the open writes are among them, only the daemon knows.
  const uint64_t before = world_.sequence();
  const auto context = NewContext();
  const auto reader = stubs_[0]->Export(context.get(), {});
  uint64_t sequence = before;
  std::set<std::string> stored;
  for (v1::ExportResponse page; reader->Read(&page);) {
    sequence = page.sequence();
    for (const v1::Record& told : page.records()) {
      const auto record = sent.find(told.id());
      if (record != sent.end() && told.payload() == record->second.payload) {
        stored.insert(told.id());
        world_.Put(told.id(), record->second, v1::WRITE_MODE_UPSERT);
      }
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  uint64_t acknowledged = 0;
  for (const Client& client : clients) {
    acknowledged += client.acknowledged;
    for (size_t i = 0; i < client.writes.size(); ++i) {
      const bool is_there = stored.contains(client.writes[i].first);
      EXPECT_TRUE(i >= client.acknowledged || is_there)
          << client.writes[i].first << " was acknowledged and is lost";
      EXPECT_TRUE(i <= client.acknowledged || !is_there) << client.writes[i].first << " was never sent";
    }
  }
  EXPECT_EQ(sequence, world_.sequence());
  ExpectContents();
  return fmt::format("kill while writing: {} acknowledged, {} stored", acknowledged, stored.size());
}

}  // namespace kindred::test
