// What no operation can mean, asked of each of them: filters that contradict themselves, similarities out of
// the range of the measure, ids that nobody stored. Each is refused by the path of its field, and changes
// nothing.

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/integration/watch_call.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::StartsWith;

// What all operations take, and one of them does with it.
struct Asked {
  v1::Measure measure = v1::MEASURE_TANIMOTO;
  double least = 0.5;
  std::string filter = {};
};

struct Operation {
  std::string path;  // Of the message that has the fields.
  std::string threshold_path;
  bool zero_is_fine = false;  // As a threshold.
  std::function<grpc::Status(const Asked&)> ask;
};

class RefusalsTest : public ::testing::Test {
 protected:
  // With the tag that filters ask for, so that it is what a rule of novelty finds.
  RefusalsTest() {
    v1::Record record = RecordMessage("stored", PathMessage("CCO"));
    record.add_tags()->set_key("a");
    record.mutable_tags(0)->set_value("x");
    PutOne(*stub_, record);
  }

  static v1::PairsRequest PairsOf(const Asked& asked) {
    v1::PairsRequest request;
    request.set_measure(asked.measure);
    request.set_min_similarity(asked.least);
    request.set_filter(asked.filter);
    return request;
  }
  static v1::NoveltyRule RuleOf(const Asked& asked) {
    v1::NoveltyRule rule;
    rule.set_measure(asked.measure);
    rule.set_min_similarity(asked.least);
    rule.set_filter(asked.filter);
    return rule;
  }
  template <typename Message, typename Reader>
  static grpc::Status EndOf(Reader& reader) {
    for (Message message; reader.Read(&message);) {
    }
    return reader.Finish();
  }

  grpc::Status Search(const Asked& asked) {
    v1::SearchRequest request;
    request.set_id("stored");
    request.set_measure(asked.measure);
    request.set_min_similarity(asked.least);
    request.set_filter(asked.filter);
    v1::SearchResponse response;
    return stub_->Search(NewContext().get(), request, &response);
  }
  grpc::Status Pairs(const Asked& asked) {
    const auto context = NewContext();
    return EndOf<v1::PairsResponse>(*stub_->Pairs(context.get(), PairsOf(asked)));
  }
  grpc::Status Clusters(const Asked& asked) {
    v1::ClustersRequest request;
    *request.mutable_pairs() = PairsOf(asked);
    const auto context = NewContext();
    return EndOf<v1::ClustersResponse>(*stub_->Clusters(context.get(), request));
  }
  grpc::Status PairsBetween(const Asked& asked) {
    const auto context = NewContext();
    const auto stream = stub_->PairsBetween(context.get());
    v1::PairsBetweenRequest request;
    *request.mutable_open() = PairsOf(asked);
    stream->Write(request);
    stream->WritesDone();
    return EndOf<v1::PairsResponse>(*stream);
  }
  grpc::Status PutIfNovel(const Asked& asked) {
    v1::PutIfNovelRequest request;
    *request.mutable_rule() = RuleOf(asked);
    *request.add_records() = RecordMessage("stored", PathMessage("CCO"));
    v1::PutIfNovelResponse response;
    return stub_->PutIfNovel(NewContext().get(), request, &response);
  }
  grpc::Status Ingest(const Asked& asked) {
    v1::IngestOpen open;
    *open.mutable_novelty() = RuleOf(asked);
    return RunIngest(daemon_, open, {}).status;
  }
  // A watch goes on for ever: one that begins is fine.
  grpc::Status Watch(const Asked& asked) {
    v1::WatchRequest request = WatchRequestFor("CCO", asked.least);
    request.set_measure(asked.measure);
    request.set_filter(asked.filter);
    const auto context = NewContext();
    const auto reader = stub_->Watch(context.get(), request);
    v1::WatchResponse message;
    if (reader->Read(&message)) {
      context->TryCancel();
      EndOf<v1::WatchResponse>(*reader);
      return grpc::Status::OK;
    }
    return reader->Finish();
  }
  grpc::Status Recommend(const Asked& asked) {
    v1::RecommendRequest request;
    request.add_liked()->mutable_graph()->set_id("stored");
    request.set_measure(asked.measure);
    request.set_min_score(asked.least);
    request.set_filter(asked.filter);
    v1::RecommendResponse response;
    return stub_->Recommend(NewContext().get(), request, &response);
  }

  std::map<std::string, Operation> Operations() {
    const auto call = [this](grpc::Status (RefusalsTest::*member)(const Asked&)) {
      return [this, member](const Asked& asked) { return (this->*member)(asked); };
    };
    return {{"Search", {"", "min_similarity", true, call(&RefusalsTest::Search)}},
            {"Pairs", {"", "min_similarity", false, call(&RefusalsTest::Pairs)}},
            {"Clusters", {"pairs.", "pairs.min_similarity", false, call(&RefusalsTest::Clusters)}},
            {"PairsBetween", {"open.", "open.min_similarity", false, call(&RefusalsTest::PairsBetween)}},
            {"PutIfNovel", {"rule.", "rule.min_similarity", false, call(&RefusalsTest::PutIfNovel)}},
            {"Ingest", {"open.novelty.", "open.novelty.min_similarity", false, call(&RefusalsTest::Ingest)}},
            {"Watch", {"", "queries[0].min_similarity", false, call(&RefusalsTest::Watch)}},
            {"Recommend", {"", "min_score", true, call(&RefusalsTest::Recommend)}}};
  }

  void ExpectInvalid(const grpc::Status& status, const std::string& message) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    EXPECT_THAT(status.error_message(), StartsWith(message));
  }
  uint64_t Sequence() {
    v1::StatsResponse stats;
    EXPECT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
    return stats.sequence();
  }

  const TempDir dir_;
  const DaemonProcess daemon_{dir_.Sub("d")};
  const std::unique_ptr<v1::Index::Stub> stub_ = daemon_.NewStub();
};

TEST_F(RefusalsTest, FiltersThatNothingCanMatchOrThatAreNone) {
  const std::map<std::string, std::string> filters{
      {"a = x and a = y", "no graph can match: 'a = x' (byte 0) and 'a = y' (byte 10) contradict each other"},
      {"not exists a and a in (x, y)", "no graph can match: "},
      {"a = ", "byte 4: expected a value, but found the end"},
      {"a = x)", "byte 5: "}};
  for (const auto& [name, operation] : Operations()) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(operation.ask({.filter = "a = x or a = y"}).ok());  // Which may store.
    const uint64_t before = Sequence();
    for (const auto& [filter, message] : filters) {
      ExpectInvalid(operation.ask({.filter = filter}), operation.path + "filter: " + message);
    }
    EXPECT_EQ(Sequence(), before);
  }
}

TEST_F(RefusalsTest, SimilaritiesOutOfTheRangeOfTheMeasure) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [name, operation] : Operations()) {
    SCOPED_TRACE(name);
    for (const v1::Measure measure : {v1::MEASURE_UNSPECIFIED, v1::MEASURE_TANIMOTO, v1::MEASURE_COSINE}) {
      EXPECT_TRUE(operation.ask({.measure = measure, .least = 1}).ok());
      for (const double least : {-0.001, 1.001, nan, infinity, -infinity}) {
        ExpectInvalid(operation.ask({.measure = measure, .least = least}), operation.threshold_path + ": ");
      }
      EXPECT_EQ(operation.ask({.measure = measure, .least = 0}).ok(), operation.zero_is_fine);
    }
    EXPECT_TRUE(operation.ask({.measure = v1::MEASURE_KERNEL, .least = 5}).ok());
    for (const double least : {-1.0, nan, -infinity}) {
      ExpectInvalid(operation.ask({.measure = v1::MEASURE_KERNEL, .least = least}),
                    operation.threshold_path + ": ");
    }
  }
  EXPECT_EQ(Sequence(), 1u);
}

TEST_F(RefusalsTest, IdsThatNobodyStored) {
  const auto expect = [](const grpc::Status& status, const std::string& message) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND) << status.error_message();
    EXPECT_EQ(status.error_message(), message);
  };
  v1::SearchRequest search;
  search.set_id("nobody");
  v1::SearchResponse found;
  expect(stub_->Search(NewContext().get(), search, &found), "id: no graph has the id 'nobody'");
  v1::ExplainRequest explain;
  explain.mutable_a()->set_id("stored");
  explain.mutable_b()->set_id("nobody");
  v1::ExplainResponse explained;
  expect(stub_->Explain(NewContext().get(), explain, &explained), "b.id: no graph has the id 'nobody'");
  v1::WatchRequest watch = WatchRequestFor("CCO");
  watch.mutable_queries(0)->mutable_graph()->set_id("nobody");
  expect(WatchCall(*stub_, watch).End(), "queries[0].graph.id: no graph has the id 'nobody'");
  v1::RecommendRequest recommend;
  recommend.add_liked()->mutable_graph()->set_id("stored");
  recommend.add_disliked()->mutable_graph()->set_id("nobody");
  v1::RecommendResponse recommended;
  expect(stub_->Recommend(NewContext().get(), recommend, &recommended),
         "disliked[0].graph.id: no graph has the id 'nobody'");
  // What is to be left out need not be there.
  search.set_id("stored");
  search.add_exclude_ids("nobody");
  EXPECT_TRUE(stub_->Search(NewContext().get(), search, &found).ok());
  recommend.clear_disliked();
  recommend.add_exclude_ids("nobody");
  EXPECT_TRUE(stub_->Recommend(NewContext().get(), recommend, &recommended).ok());
  EXPECT_EQ(Sequence(), 1u);
}

}  // namespace
}  // namespace kindred::test
