// A Watch call as a test makes it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"

namespace kindred::test {

inline void AddQuery(v1::WatchRequest& request, const std::string& name, const v1::Graph& graph,
                     double least) {
  v1::WatchRequest::Query& query = *request.add_queries();
  query.set_name(name);
  query.set_min_similarity(least);
  *query.mutable_graph()->mutable_graph() = graph;
}

inline v1::WatchRequest WatchRequestFor(const std::string& path, double least = 1) {
  v1::WatchRequest request;
  AddQuery(request, path, PathMessage(path), least);
  return request;
}

class WatchCall {
 public:
  WatchCall(v1::Index::Stub& stub, const v1::WatchRequest& request, int seconds = 120)
      : context_(NewContext(seconds)), reader_(stub.Watch(context_.get(), request)) {}
  ~WatchCall() {
    if (reader_ != nullptr) {
      Cancel();
      End();
    }
  }

  // The next message; fails the test if there is none.
  v1::WatchResponse Read() {
    v1::WatchResponse message;
    EXPECT_TRUE(reader_->Read(&message)) << "the watch ended: " << End().error_message();
    return message;
  }

  // Messages until one says that the watch is up to date, or has come to `sequence`; the matches of all of
  // them.
  std::vector<v1::WatchResponse::Match> ReadUntil(uint64_t sequence) {
    std::vector<v1::WatchResponse::Match> matches;
    for (v1::WatchResponse message; message.sequence() < sequence && !testing::Test::HasFailure();) {
      message = Read();
      matches.insert(matches.end(), message.matches().begin(), message.matches().end());
    }
    return matches;
  }

  void Cancel() { context_->TryCancel(); }

  // Reads to the end of the call.
  grpc::Status End() {
    if (reader_ == nullptr) {
      return status_;
    }
    for (v1::WatchResponse message; reader_->Read(&message);) {
    }
    status_ = reader_->Finish();
    reader_ = nullptr;
    return status_;
  }

 private:
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchResponse>> reader_;
  grpc::Status status_;
};

// Stores one record; gives its commit.
inline uint64_t PutOne(v1::Index::Stub& stub, const v1::Record& record) {
  v1::PutRequest request;
  *request.add_records() = record;
  v1::PutResponse response;
  const grpc::Status status = stub.Put(NewContext().get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.sequence();
}

inline uint64_t PutPath(v1::Index::Stub& stub, const std::string& id, const std::string& path) {
  return PutOne(stub, RecordMessage(id, PathMessage(path)));
}

}  // namespace kindred::test
