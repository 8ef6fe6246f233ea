// PutIfNovel, and Ingest with a rule of novelty, through the real gRPC interface.

#include <csignal>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/ingest_call.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

v1::NoveltyRule Rule(double min_similarity, bool isomorphic = false) {
  v1::NoveltyRule rule;
  rule.set_min_similarity(min_similarity);
  rule.set_isomorphic(isomorphic);
  return rule;
}

v1::PutIfNovelRequest RequestOf(const std::vector<v1::Record>& records, const v1::NoveltyRule& rule) {
  v1::PutIfNovelRequest request;
  *request.mutable_rule() = rule;
  for (const v1::Record& record : records) {
    *request.add_records() = record;
  }
  return request;
}

v1::IngestRequest Frame(uint64_t sequence, const std::vector<v1::Record>& records) {
  v1::IngestRequest request;
  request.mutable_frame()->set_client_sequence(sequence);
  for (const v1::Record& record : records) {
    *request.mutable_frame()->add_items()->mutable_put() = record;
  }
  return request;
}

v1::Record Six(const std::string& id) {
  return RecordMessage(id, GraphMessage("CCCCCC", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}));
}
v1::Record TwiceThree(const std::string& id) {
  return RecordMessage(id, GraphMessage("CCCCCC", {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
}

class NoveltyTest : public ::testing::Test {
 protected:
  v1::PutIfNovelResponse Put(const v1::PutIfNovelRequest& request) {
    v1::PutIfNovelResponse response;
    const grpc::Status status = daemon_->NewStub()->PutIfNovel(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  grpc::Status Refusal(const v1::PutIfNovelRequest& request) {
    v1::PutIfNovelResponse response;
    return daemon_->NewStub()->PutIfNovel(NewContext().get(), request, &response);
  }
  v1::StatsResponse Stats() {
    v1::StatsResponse stats;
    EXPECT_TRUE(daemon_->NewStub()->Stats(NewContext().get(), {}, &stats).ok());
    return stats;
  }
  void KillAndRestart() {
    daemon_->Stop(SIGKILL);
    daemon_.emplace(dir_.Sub("d"));
  }

  const TempDir dir_;
  std::optional<DaemonProcess> daemon_{std::in_place, dir_.Sub("d")};
};

TEST_F(NoveltyTest, TellsOfEachRecordWhatBecameOfItAndWhatIsClosest) {
  v1::Record broken = RecordMessage("broken", PathMessage("CC"));
  broken.mutable_graph()->add_edges(7);
  broken.mutable_graph()->add_edges(8);
  const v1::PutIfNovelResponse response =
      Put(RequestOf({RecordMessage("a", PathMessage("CCO")), broken, RecordMessage("b", PathMessage("OCC")),
                     RecordMessage("c", PathMessage("NNN"))},
                    Rule(0.9)));
  ASSERT_EQ(response.entries_size(), 4);
  EXPECT_EQ(response.entries(0).outcome().kind(), v1::Outcome::INSERTED);
  EXPECT_FALSE(response.entries(0).has_closest());
  EXPECT_EQ(response.entries(1).outcome().kind(), v1::Outcome::REJECTED);
  EXPECT_THAT(response.entries(1).outcome().message(), HasSubstr("records[1].graph.edges"));
  EXPECT_EQ(response.entries(2).outcome().kind(), v1::Outcome::NOT_NOVEL);
  EXPECT_EQ(response.entries(2).outcome().code(), 0);
  EXPECT_EQ(response.entries(2).closest().id(), "a");
  EXPECT_EQ(response.entries(2).closest().kernel(), 12);
  EXPECT_EQ(response.entries(2).closest().similarity(), 1);
  EXPECT_EQ(response.entries(2).closest().identity(), v1::ClosestGraph::ISOMORPHIC);
  EXPECT_EQ(response.entries(3).outcome().kind(), v1::Outcome::INSERTED);
  EXPECT_EQ(response.sequence(), 2);
  EXPECT_EQ(Stats().graphs(), 2u);
}

TEST_F(NoveltyTest, WhatWasStoredBeforeARestartCounts) {
  Put(RequestOf({Six("ring")}, Rule(1)));
  KillAndRestart();
  const auto closest = Put(RequestOf({TwiceThree("rings")}, Rule(1))).entries(0).closest();
  EXPECT_EQ(closest.id(), "ring");
  EXPECT_EQ(closest.identity(), v1::ClosestGraph::EQUAL_HISTOGRAM);
  EXPECT_EQ(Put(RequestOf({TwiceThree("rings")}, Rule(1, true))).entries(0).outcome().kind(),
            v1::Outcome::INSERTED);
}

TEST_F(NoveltyTest, OnlyGraphsThatMatchTheFilterCount) {
  v1::Record tagged = RecordMessage("a", PathMessage("CCO"));
  v1::Tag& tag = *tagged.add_tags();
  tag.set_key("source");
  tag.set_value("old");
  v1::NoveltyRule rule = Rule(1);
  rule.set_filter("source = new");
  Put(RequestOf({tagged}, Rule(1)));
  v1::Record same = RecordMessage("b", PathMessage("CCO"));
  EXPECT_EQ(Put(RequestOf({same}, rule)).entries(0).outcome().kind(), v1::Outcome::INSERTED);
  rule.set_filter("source = old");
  EXPECT_EQ(Put(RequestOf({same}, rule)).entries(0).closest().id(), "a");
}

TEST_F(NoveltyTest, RefusesARuleThatIsNoneAndChangesNothing) {
  const v1::Record record = RecordMessage("a", PathMessage("CCO"));
  const auto expect = [&](const v1::PutIfNovelRequest& request, grpc::StatusCode code,
                          const std::string& message) {
    const grpc::Status status = Refusal(request);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), ::testing::StartsWith(message));
  };
  v1::PutIfNovelRequest request;
  *request.add_records() = record;
  expect(request, grpc::StatusCode::INVALID_ARGUMENT, "rule: is missing");
  request.mutable_rule();
  expect(request, grpc::StatusCode::INVALID_ARGUMENT, "rule.min_similarity: 0 is not above 0");
  expect(RequestOf({record}, Rule(1.5)), grpc::StatusCode::INVALID_ARGUMENT,
         "rule.min_similarity: 1.5 is not");
  expect(RequestOf({}, Rule(1)), grpc::StatusCode::INVALID_ARGUMENT, "records: is empty");
  v1::NoveltyRule rule = Rule(1);
  rule.set_depth(4);
  expect(RequestOf({record}, rule), grpc::StatusCode::FAILED_PRECONDITION, "rule.depth: 4 is beyond");
  rule = Rule(1);
  rule.add_weights(-1);
  expect(RequestOf({record}, rule), grpc::StatusCode::INVALID_ARGUMENT, "rule.weights");
  rule = Rule(1);
  rule.set_measure(static_cast<v1::Measure>(77));
  expect(RequestOf({record}, rule), grpc::StatusCode::INVALID_ARGUMENT, "rule.measure: 77 is unknown");
  rule = Rule(1);
  rule.set_filter("source =");
  expect(RequestOf({record}, rule), grpc::StatusCode::INVALID_ARGUMENT, "rule.filter: ");
  request = RequestOf({record}, Rule(1));
  request.set_mode(static_cast<v1::WriteMode>(9));
  expect(request, grpc::StatusCode::INVALID_ARGUMENT, "mode: 9 is unknown");
  v1::IngestOpen open;
  *open.mutable_novelty() = Rule(0);
  const EndedIngest ended = RunIngest(*daemon_, open, {});
  EXPECT_EQ(ended.status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(ended.status.error_message(), HasSubstr("open.novelty.min_similarity: 0 is not above 0"));
  EXPECT_EQ(Stats().sequence(), 0u);
}

TEST_F(NoveltyTest, AnIngestListsWhatIsNotNovelAndDoesNotRepeatItForARepeatedFrame) {
  v1::IngestOpen open;
  open.set_client_id("stream");
  *open.mutable_novelty() = Rule(1);
  const std::vector<v1::IngestRequest> frames{
      Frame(1, {RecordMessage("a", PathMessage("CCO")), RecordMessage("b", PathMessage("CCN"))}),
      Frame(2, {RecordMessage("c", PathMessage("NNN")), RecordMessage("d", PathMessage("OCC"))}),
      Frame(3, {RecordMessage("e", PathMessage("NCC"))})};
  const EndedIngest first = RunIngest(*daemon_, open, frames);
  ASSERT_TRUE(first.status.ok()) << first.status.error_message();
  EXPECT_EQ(first.acks.inserted(), 3u);
  ASSERT_EQ(first.acks.not_novel_size(), 2);
  EXPECT_EQ(first.acks.not_novel(0).client_sequence(), 2u);
  EXPECT_EQ(first.acks.not_novel(0).item(), 1u);
  EXPECT_EQ(first.acks.not_novel(0).id(), "d");
  EXPECT_EQ(first.acks.not_novel(0).closest().id(), "a");
  EXPECT_EQ(first.acks.not_novel(1).client_sequence(), 3u);
  EXPECT_EQ(first.acks.not_novel(1).closest().id(), "b");
  EXPECT_EQ(first.acks.rejected_size(), 0);
  const uint64_t sequence = Stats().sequence();
  EXPECT_EQ(sequence, 4u) << "a frame that stored nothing is a commit: its number must not be lost";

  // The same again: not compared with itself.
  KillAndRestart();
  const EndedIngest again = RunIngest(*daemon_, open, frames);
  EXPECT_TRUE(again.status.ok()) << again.status.error_message();
  EXPECT_EQ(again.acks.repeated_frames(), 3u);
  EXPECT_EQ(again.acks.inserted(), 0u);
  EXPECT_EQ(again.acks.not_novel_size(), 0);
  EXPECT_EQ(Stats().sequence(), sequence);
}

// Two streams bring the same graphs, each numbered anew: between them each is stored once.
TEST_F(NoveltyTest, OfTwoStreamsThatBringTheSameEachGraphIsStoredOnce) {
  constexpr int kGraphs = 1'500;
  std::vector<client::IngestSummary> summaries(2);
  std::vector<std::set<std::string>> not_novel(2);
  std::vector<std::jthread> streams;
  for (size_t s = 0; s < 2; ++s) {
    streams.emplace_back([&, s] {
      auto client = client::Client::Create(daemon_->address());
      client::IngestOptions options;
      options.novelty = Rule(1, true);
      options.frame_items_max = 20 + 17 * s;
      options.on_not_novel = [&, s](const client::NotNovel& record) { not_novel[s].insert(record.id); };
      auto stream = (*client)->Ingest(options, [](const client::Rejection&) {});
      std::mt19937_64 rng(11);
      for (int i = 0; i < kGraphs; ++i) {
        // Sets of labels that differ, so that graphs do.
        v1::Graph graph = RandomTreeMessage(rng, 9);
        graph.add_vertices(static_cast<uint32_t>(graph.labels_size()));
        graph.add_labels("label " + std::to_string(i));
        const std::string id = std::to_string(s) + "-" + std::to_string(i);
        ASSERT_TRUE((*stream)->Send(RecordMessage(id, graph), {}).ok());
      }
      const auto summary = (*stream)->Finish();
      ASSERT_TRUE(summary.ok()) << summary.status();
      summaries[s] = *summary;
    });
  }
  streams.clear();
  EXPECT_EQ(summaries[0].inserted + summaries[1].inserted, uint64_t{kGraphs});
  EXPECT_EQ(summaries[0].not_novel + summaries[1].not_novel, uint64_t{kGraphs});
  EXPECT_EQ(Stats().graphs(), uint64_t{kGraphs});
  for (int i = 0; i < kGraphs; ++i) {
    EXPECT_NE(not_novel[0].contains("0-" + std::to_string(i)),
              not_novel[1].contains("1-" + std::to_string(i)));
  }
}

}  // namespace
}  // namespace kindred::test
