// PairsBetween of a real daemon: against searches, under load, and at its ends.

#include <csignal>
#include <map>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/pairs_fixture.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

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
