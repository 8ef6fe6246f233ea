// Pairs and Clusters of a real daemon: against searches, under load, and at their ends.

#include <csignal>
#include <map>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/pairs_fixture.h"

namespace kindred::test {
namespace {

using ::testing::StartsWith;

TEST_F(PairsTest, AreThoseThatSearchesFindAlsoAfterARestart) {
  Start();
  PutTrees(600);
  const std::vector<v1::PairsRequest> questions{Ask(0.9), Ask(0.5), Ask(0.8, v1::MEASURE_COSINE),
                                                Ask(20, v1::MEASURE_KERNEL)};
  std::vector<PairSet> found;
  for (const v1::PairsRequest& question : questions) {
    found.push_back(PairsOf(question));
    EXPECT_EQ(found.back(), SearchedPairs(question));
    EXPECT_GT(found.back().size(), 20u);
  }
  daemon_->Stop(SIGKILL);
  Start();
  for (size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(PairsOf(questions[i]), found[i]);
  }
}

// 4.5 million pairs, of which a client that does not read takes what fits into gRPC's buffers: the daemon has
// one thread, and everybody else gets their turn.
TEST_F(PairsTest, WhoeverDoesNotReadHoldsNoThread) {
  Start({"--threads", "1"});
  PutEqual(3'000, 300);
  const auto context = NewContext();
  const auto unread = stub_->Pairs(context.get(), Ask(1));
  v1::PairsResponse message;
  ASSERT_TRUE(unread->Read(&message));
  EXPECT_EQ(message.graphs(), 3'000u);
  for (int i = 0; i < 20; ++i) {
    v1::SearchRequest request;
    *request.mutable_graph() = PathMessage("CCO");
    v1::SearchResponse response;
    ASSERT_TRUE(stub_->Search(NewContext().get(), request, &response).ok());
    EXPECT_EQ(response.hits_size(), 10);
  }
  v1::StatsResponse stats;
  ASSERT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
  EXPECT_LT(stats.resident_bytes(), 1u << 30) << "the pairs take 2.7 GB";
  // Then it reads on, and misses nothing.
  uint64_t pairs = 0;
  do {
    pairs += static_cast<uint64_t>(message.pairs_size());
  } while (unread->Read(&message));
  EXPECT_TRUE(unread->Finish().ok());
  EXPECT_EQ(pairs, 3'000u * 2'999 / 2);
}

TEST_F(PairsTest, EndWithTheClientOrTheDaemon) {
  Start();
  PutEqual(3'000, 300);
  v1::PairsResponse message;
  {
    const auto context = NewContext();
    const auto reader = stub_->Pairs(context.get(), Ask(1));
    ASSERT_TRUE(reader->Read(&message));
    context->TryCancel();
    while (reader->Read(&message)) {
    }
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  {
    const auto context = NewContext();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(300));
    const auto reader = stub_->Pairs(context.get(), Ask(1));
    while (reader->Read(&message)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  }
  const auto context = NewContext();
  const auto reader = stub_->Pairs(context.get(), Ask(1));
  ASSERT_TRUE(reader->Read(&message));
  std::thread stop([&] { EXPECT_EQ(daemon_->Stop(SIGTERM), 0); });
  while (reader->Read(&message)) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  stop.join();
}

TEST_F(PairsTest, RefusesWhatItCannotMean) {
  Start({"--filter-bytes-max", "20"});
  const auto pairs = [&](const v1::PairsRequest& request) {
    return Refused<v1::PairsResponse>(
        static_cast<std::unique_ptr<grpc::ClientReader<v1::PairsResponse>> (v1::Index::Stub::*)(
            grpc::ClientContext*, const v1::PairsRequest&)>(&v1::Index::Stub::Pairs),
        request);
  };
  EXPECT_THAT(pairs(v1::PairsRequest()).error_message(), StartsWith("min_similarity: 0 is not above 0"));
  EXPECT_EQ(pairs(Ask(1.5)).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::PairsRequest request = Ask(0.5);
  request.set_depth(4);
  EXPECT_EQ(pairs(request).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  request = Ask(0.5, static_cast<v1::Measure>(9));
  EXPECT_THAT(pairs(request).error_message(), StartsWith("measure: 9"));
  request = Ask(0.5);
  request.set_min_sequence(1);
  EXPECT_THAT(pairs(request).error_message(), StartsWith("min_sequence: "));
  request = Ask(0.5);
  request.set_filter("a = ");
  EXPECT_THAT(pairs(request).error_message(), StartsWith("filter: "));
  request.set_filter(std::string(21, ' '));
  EXPECT_EQ(pairs(request).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  v1::ClustersRequest clusters;
  const grpc::Status status = Refused<v1::ClustersResponse>(
      static_cast<std::unique_ptr<grpc::ClientReader<v1::ClustersResponse>> (v1::Index::Stub::*)(
          grpc::ClientContext*, const v1::ClustersRequest&)>(&v1::Index::Stub::Clusters),
      clusters);
  EXPECT_THAT(status.error_message(), StartsWith("pairs.min_similarity: "));
}

TEST_F(PairsTest, AnEmptyIndexHasNoneOfEither) {
  Start();
  EXPECT_TRUE(PairsOf(Ask(0.5)).empty());
  v1::ClustersRequest request;
  *request.mutable_pairs() = Ask(0.5);
  const auto context = NewContext();
  const auto reader = stub_->Clusters(context.get(), request);
  v1::ClustersResponse message;
  while (reader->Read(&message)) {
    EXPECT_EQ(message.clusters_size(), 0);
  }
  EXPECT_TRUE(message.has_stats());
  EXPECT_TRUE(reader->Finish().ok());
}

// 1.5 MB of ids in one group, and a small one.
TEST_F(PairsTest, ALargeClusterGoesOnInTheNextMessage) {
  Start();
  PutEqual(3'000, 500);
  v1::PutRequest others;
  *others.add_records() = RecordMessage("x", PathMessage("NNNNF"));
  *others.add_records() = RecordMessage("y", PathMessage("NNNNF"));
  *others.add_records() = RecordMessage("z", PathMessage("SSSSSSS"));
  Put(others);
  v1::ClustersRequest request;
  *request.mutable_pairs() = Ask(0.9);
  const auto context = NewContext();
  const auto reader = stub_->Clusters(context.get(), request);
  v1::ClustersResponse message;
  std::vector<std::vector<std::string>> clusters;
  int continued = 0;
  while (reader->Read(&message)) {
    EXPECT_LT(message.ByteSizeLong(), 1u << 20);
    for (const auto& cluster : message.clusters()) {
      if (!cluster.continued()) {
        clusters.emplace_back();
      }
      continued += cluster.continued() ? 1 : 0;
      clusters.back().insert(clusters.back().end(), cluster.ids().begin(), cluster.ids().end());
      EXPECT_EQ(cluster.size(), clusters.size() == 1 ? 3'000u : 2u);
      EXPECT_EQ(cluster.representative(), clusters.back().front());
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  ASSERT_EQ(clusters.size(), 2u);
  EXPECT_GE(continued, 3);
  EXPECT_EQ(clusters[0].size(), 3'000u);
  EXPECT_TRUE(std::ranges::is_sorted(clusters[0]));
  EXPECT_EQ(clusters[1], (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(message.stats().pairs(), 3'000u * 2'999 / 2 + 1);
}

}  // namespace
}  // namespace kindred::test
