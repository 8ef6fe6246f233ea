// A daemon with graphs whose pairs are known, or are found by searches.

#pragma once

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {

// Ids, kernel and similarity.
using PairSet = std::map<std::pair<std::string, std::string>, std::pair<double, double>>;

class PairsTest : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& flags = {}) {
    daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"), flags);
    stub_ = daemon_->NewStub();
  }

  void Put(const v1::PutRequest& request) {
    v1::PutResponse response;
    const grpc::Status status = stub_->Put(NewContext().get(), request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  void PutTrees(int count) {
    v1::PutRequest request;
    for (int i = 0; i < count; ++i) {
      *request.add_records() = RecordMessage("t" + std::to_string(stored_++), RandomTreeMessage(rng_));
    }
    Put(request);
  }
  // All equal: every two are a pair.
  void PutEqual(int count, size_t id_bytes) {
    v1::PutRequest request;
    for (int i = 0; i < count; ++i) {
      std::string id = std::to_string(stored_++);
      id.insert(0, id_bytes - id.size(), 'e');
      *request.add_records() = RecordMessage(id, PathMessage("CCO"));
    }
    Put(request);
  }

  static v1::PairsRequest Ask(double min_similarity, v1::Measure measure = v1::MEASURE_TANIMOTO) {
    v1::PairsRequest request;
    request.set_min_similarity(min_similarity);
    request.set_measure(measure);
    return request;
  }

  PairSet PairsOf(const v1::PairsRequest& request) {
    const auto context = NewContext();
    const auto reader = stub_->Pairs(context.get(), request);
    PairSet pairs;
    v1::PairsResponse message;
    bool last = false;
    while (reader->Read(&message)) {
      EXPECT_FALSE(last) << "something comes after the stats";
      for (const auto& pair : message.pairs()) {
        EXPECT_LT(pair.a(), pair.b());
        EXPECT_TRUE(pairs.insert({{pair.a(), pair.b()}, {pair.kernel(), pair.similarity()}}).second)
            << "told twice";
      }
      last = message.has_stats();
    }
    EXPECT_TRUE(last);
    EXPECT_EQ(message.stats().pairs(), pairs.size());
    EXPECT_EQ(message.graphs_done(), message.graphs());
    const grpc::Status status = reader->Finish();
    EXPECT_TRUE(status.ok()) << status.error_message();
    return pairs;
  }

  // By one search for each graph.
  PairSet SearchedPairs(const v1::PairsRequest& how) {
    PairSet pairs;
    for (uint64_t i = 0; i < stored_; ++i) {
      v1::SearchRequest request;
      request.set_id("t" + std::to_string(i));
      request.set_k(10'000);
      request.set_measure(how.measure());
      request.set_min_similarity(how.min_similarity());
      v1::SearchResponse response;
      EXPECT_TRUE(stub_->Search(NewContext().get(), request, &response).ok());
      for (const v1::Hit& hit : response.hits()) {
        if (request.id() < hit.id()) {
          pairs[{request.id(), hit.id()}] = {hit.kernel(), hit.similarity()};
        }
      }
    }
    return pairs;
  }

  template <typename Message, typename Request, typename Call>
  grpc::Status Refused(Call call, const Request& request) {
    const auto context = NewContext();
    const auto reader = (stub_.get()->*call)(context.get(), request);
    Message message;
    EXPECT_FALSE(reader->Read(&message));
    return reader->Finish();
  }

  const TempDir dir_;
  std::mt19937_64 rng_{12};
  uint64_t stored_ = 0;
  std::unique_ptr<DaemonProcess> daemon_;
  std::unique_ptr<v1::Index::Stub> stub_;
};

}  // namespace kindred::test
