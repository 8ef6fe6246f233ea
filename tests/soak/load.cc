#include "tests/soak/load.h"

#include <iostream>
#include <utility>

#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/integration/watch_call.h"

namespace kindred::test {
namespace {

using Random = std::mt19937_64;

constexpr uint64_t kIds = 5'000;
constexpr size_t kGraphs = 1'000;
constexpr int kFrameItems = 50;
// Between two writes: the load is steady, not all that the machine can take.
constexpr std::chrono::milliseconds kPause{20};

v1::Record RandomRecord(Random& rng, const std::vector<v1::Graph>& graphs) {
  v1::Record record = RecordMessage("g" + std::to_string(rng() % kIds), graphs[rng() % graphs.size()]);
  record.set_payload(std::string(rng() % 200, 'p'));
  v1::Tag& tag = *record.add_tags();
  tag.set_key("part");
  tag.set_value(std::to_string(rng() % 8));
  return record;
}

}  // namespace

Load::Load(const DaemonProcess& daemon, uint64_t seed) : daemon_(daemon) {
  Random rng(seed);
  for (size_t i = 0; i < kGraphs; ++i) {
    graphs_.push_back(RandomTreeMessage(rng, 24));
  }
  threads_.emplace_back([this, seed] { Ingest(seed + 1); });
  threads_.emplace_back([this, seed] { Write(seed + 2); });
  threads_.emplace_back([this, seed] { Search(seed + 3); });
  threads_.emplace_back([this, seed] { Search(seed + 4); });
  threads_.emplace_back([this, seed] { Watch(seed + 5); });
}

Load::~Load() {
  stopping_ = true;
  threads_.clear();
}

std::vector<double> Load::TakeSearchMillis() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(search_millis_, {});
}

void Load::Expect(const grpc::Status& status, const char* what) {
  if (!status.ok() && failures_++ == 0) {
    std::cout << what << " failed: " << status.error_message() << std::endl;
  }
}

// A named client whose stream comes and goes: connections, too, are to leave nothing behind.
void Load::Ingest(uint64_t seed) {
  Random rng(seed);
  v1::IngestOpen open;
  open.set_client_id("soak");
  for (uint64_t number = 1; !stopping_;) {
    std::vector<v1::IngestRequest> frames(1 + rng() % 4);
    for (v1::IngestRequest& request : frames) {
      request.mutable_frame()->set_client_sequence(number++);
      for (int i = 0; i < kFrameItems; ++i) {
        v1::IngestItem& item = *request.mutable_frame()->add_items();
        if (rng() % 5 == 0) {
          item.set_delete_id("g" + std::to_string(rng() % kIds));
        } else {
          *item.mutable_put() = RandomRecord(rng, graphs_);
        }
      }
    }
    Expect(RunIngest(daemon_, open, frames).status, "ingest");
    writes_ += frames.size() * kFrameItems;
    std::this_thread::sleep_for(kPause);
  }
}

void Load::Write(uint64_t seed) {
  Random rng(seed);
  const auto stub = daemon_.NewStub();
  while (!stopping_) {
    if (rng() % 4 == 0) {
      v1::DeleteRequest request;
      request.add_ids("g" + std::to_string(rng() % kIds));
      v1::DeleteResponse response;
      Expect(stub->Delete(NewContext().get(), request, &response), "delete");
    } else {
      v1::PutRequest request;
      *request.add_records() = RandomRecord(rng, graphs_);
      v1::PutResponse response;
      Expect(stub->Put(NewContext().get(), request, &response), "put");
    }
    ++writes_;
    std::this_thread::sleep_for(kPause);
  }
}

void Load::Search(uint64_t seed) {
  Random rng(seed);
  const auto stub = daemon_.NewStub();
  while (!stopping_) {
    v1::SearchRequest request;
    *request.mutable_graph() = graphs_[rng() % graphs_.size()];
    request.set_k(static_cast<uint32_t>(1 + rng() % 50));
    request.set_with_tags(rng() % 2 == 0);
    if (rng() % 4 == 0) {
      request.set_filter("part in (1, 2) or part = 5");
    }
    if (rng() % 200 == 0) {
      request.set_mode(v1::SEARCH_MODE_EXHAUSTIVE);
    }
    v1::SearchResponse response;
    const auto start = std::chrono::steady_clock::now();
    Expect(stub->Search(NewContext().get(), request, &response), "search");
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    ++searches_;
    if (request.mode() != v1::SEARCH_MODE_EXHAUSTIVE) {
      const std::scoped_lock lock(mutex_);
      search_millis_.push_back(took.count());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Each sees some messages, then goes, mostly without a word.
void Load::Watch(uint64_t seed) {
  Random rng(seed);
  while (!stopping_) {
    const auto stub = daemon_.NewStub();
    v1::WatchRequest request;
    for (int q = 0; q < 5; ++q) {
      AddQuery(request, "q" + std::to_string(q), graphs_[rng() % graphs_.size()], 0.5);
    }
    const auto context = NewContext();
    const auto reader = stub->Watch(context.get(), request);
    v1::WatchResponse message;
    for (uint64_t left = 1 + rng() % 5; left > 0 && !stopping_ && reader->Read(&message); --left) {
    }
    context->TryCancel();
    while (reader->Read(&message)) {
    }
    const grpc::Status status = reader->Finish();
    Expect(status.error_code() == grpc::StatusCode::CANCELLED ? grpc::Status() : status, "watch");
    ++watches_;
  }
}

}  // namespace kindred::test
