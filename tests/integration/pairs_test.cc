// Pairs, PairsBetween and Clusters of a real daemon: against searches, under load, and at their ends.

#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

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

// What PairsBetween answers to some messages, put together.
struct BetweenAnswer {
  std::vector<std::string> pairs;  // "a b".
  std::vector<v1::PairsResponse::Rejected> rejected;
  v1::PairsResponse last;
  grpc::Status status;
};

class PairsBetweenTest : public PairsTest {
 protected:
  BetweenAnswer Between(const std::vector<v1::PairsBetweenRequest>& requests) {
    const auto context = NewContext();
    const auto stream = stub_->PairsBetween(context.get());
    std::thread writer([&] {
      for (const v1::PairsBetweenRequest& request : requests) {
        if (!stream->Write(request)) {
          break;
        }
      }
      stream->WritesDone();
    });
    BetweenAnswer answer;
    for (v1::PairsResponse message; stream->Read(&message);) {
      for (const auto& pair : message.pairs()) {
        answer.pairs.push_back(pair.a() + " " + pair.b());
      }
      answer.rejected.insert(answer.rejected.end(), message.rejected().begin(), message.rejected().end());
      answer.last = message;
    }
    writer.join();
    answer.status = stream->Finish();
    return answer;
  }
  static v1::PairsBetweenRequest Open(double min_similarity) {
    v1::PairsBetweenRequest request;
    *request.mutable_open() = Ask(min_similarity);
    return request;
  }
};

TEST_F(PairsBetweenTest, ComeInTheOrderOfTheRecordsAndOfASearch) {
  Start({"--threads", "3"});
  PutTrees(500);
  std::vector<v1::PairsBetweenRequest> requests{Open(0.4)};
  std::vector<std::string> expected;
  for (int batch = 0; batch < 12; ++batch) {
    v1::PairsBetweenRequest& request = requests.emplace_back();
    for (int i = 0; i < batch * 10; ++i) {  // The first has none.
      v1::SearchRequest search;
      *search.mutable_graph() = RandomTreeMessage(rng_);
      search.set_k(10'000);
      search.set_min_similarity(0.4);
      v1::SearchResponse response;
      ASSERT_TRUE(stub_->Search(NewContext().get(), search, &response).ok());
      const std::string id = "q" + std::to_string(batch) + "-" + std::to_string(i);
      *request.add_records() = RecordMessage(id, search.graph());
      for (const v1::Hit& hit : response.hits()) {
        expected.push_back(id + " " + hit.id());
      }
    }
  }
  const BetweenAnswer answer = Between(requests);
  EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
  EXPECT_EQ(answer.pairs, expected);
  EXPECT_GT(expected.size(), 1'000u);
  EXPECT_EQ(answer.last.graphs_done(), 660u);
  EXPECT_EQ(answer.last.stats().pairs(), expected.size());
  EXPECT_EQ(answer.last.sequence(), 500u);
}

// Each record has 2,000 pairs, and ids are long: far more than a message holds, or gRPC's buffers do.
TEST_F(PairsBetweenTest, AllPairsComeHoweverManyAndWhoeverReadsLate) {
  Start({"--threads", "1"});
  PutEqual(2'000, 200);
  std::vector<v1::PairsBetweenRequest> requests{Open(1), {}};
  for (int i = 0; i < 40; ++i) {
    *requests[1].add_records() = RecordMessage("same", PathMessage("CCO"));
  }
  const auto context = NewContext();
  const auto stream = stub_->PairsBetween(context.get());
  ASSERT_TRUE(stream->Write(requests[0]));
  ASSERT_TRUE(stream->Write(requests[1]));
  stream->WritesDone();
  v1::SearchRequest search;
  search.set_id(std::string(199, 'e') + "0");
  v1::SearchResponse response;
  for (int i = 0; i < 20; ++i) {  // Others get their turn.
    ASSERT_TRUE(stub_->Search(NewContext().get(), search, &response).ok());
  }
  std::vector<std::string> partners;
  for (v1::PairsResponse message; stream->Read(&message);) {
    EXPECT_LT(message.ByteSizeLong(), 1u << 20);
    for (const auto& pair : message.pairs()) {
      partners.push_back(pair.b());
    }
  }
  EXPECT_TRUE(stream->Finish().ok());
  ASSERT_EQ(partners.size(), 40u * 2'000);
  for (size_t i = 0; i < partners.size(); ++i) {
    ASSERT_EQ(i % 2'000 == 0, i == 0 || partners[i] < partners[i - 1]) << "in the order of ids, 40 times";
  }
}

TEST_F(PairsBetweenTest, ABadRecordIsToldAndStopsNothing) {
  Start();
  PutTrees(5);
  v1::PairsBetweenRequest records;
  *records.add_records() = RecordMessage("loop", GraphMessage("C", {{0, 0}}));
  *records.add_records() = RecordMessage("", PathMessage("C"));
  *records.add_records() = RecordMessage("fine", RandomTreeMessage(rng_));
  *records.add_records() = RecordMessage(std::string(513, 'x'), PathMessage("C"));
  const BetweenAnswer answer = Between({Open(1e-9), records, records});
  EXPECT_TRUE(answer.status.ok()) << answer.status.error_message();
  ASSERT_EQ(answer.rejected.size(), 6u);
  EXPECT_EQ(answer.rejected[0].index(), 0u);
  EXPECT_EQ(answer.rejected[0].id(), "loop");
  EXPECT_EQ(answer.rejected[0].code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(answer.rejected[0].message(), StartsWith("graph.edges[0]: "));
  EXPECT_THAT(answer.rejected[1].message(), StartsWith("id: is empty"));
  EXPECT_EQ(answer.rejected[5].index(), 7u);
  EXPECT_THAT(answer.rejected[5].message(), StartsWith("id: has 513 bytes"));
  EXPECT_GT(answer.pairs.size(), 1u);
  EXPECT_EQ(answer.last.graphs_done(), 8u);
}

TEST_F(PairsBetweenTest, RefusesWhatIsOutOfTurn) {
  Start({"--batch-items-max", "3"});
  v1::PairsBetweenRequest records;
  *records.add_records() = RecordMessage("a", PathMessage("C"));
  v1::PairsBetweenRequest both = Open(0.5);
  *both.add_records() = RecordMessage("a", PathMessage("C"));
  v1::PairsBetweenRequest many;
  for (int i = 0; i < 4; ++i) {
    *many.add_records() = RecordMessage("a", PathMessage("C"));
  }
  EXPECT_THAT(Between({}).status.error_message(), HasSubstr("open: "));
  EXPECT_THAT(Between({records}).status.error_message(), StartsWith("open: the first message"));
  EXPECT_THAT(Between({both}).status.error_message(), StartsWith("records: "));
  EXPECT_THAT(Between({Open(0.5), Open(0.5)}).status.error_message(), StartsWith("open: only the first"));
  EXPECT_THAT(Between({Open(0)}).status.error_message(), StartsWith("open.min_similarity: "));
  const BetweenAnswer over = Between({Open(0.5), many});
  EXPECT_EQ(over.status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(over.status.error_message(), HasSubstr("batch_items_max"));
  many.mutable_records()->RemoveLast();
  EXPECT_TRUE(Between({Open(0.5), many}).status.ok());
}

TEST_F(PairsBetweenTest, EndsWithTheDaemon) {
  Start();
  PutEqual(2'000, 300);
  const auto context = NewContext();
  const auto stream = stub_->PairsBetween(context.get());
  ASSERT_TRUE(stream->Write(Open(1)));
  v1::PairsResponse message;
  ASSERT_TRUE(stream->Read(&message));
  std::thread stop([&] { EXPECT_EQ(daemon_->Stop(SIGTERM), 0); });
  while (stream->Read(&message)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  stop.join();
}

}  // namespace
}  // namespace kindred::test
