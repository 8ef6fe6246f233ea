// Filters, excluded ids, pages and fields of hits through the real daemon and command: both modes, one by one
// and streamed, before and after a restart.

#include <csignal>
#include <fstream>
#include <random>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kTaggedSeed = 8;
constexpr int kTaggedGraphs = 400;

std::map<std::string, std::string> TagsOf(const v1::Hit& hit) {
  std::map<std::string, std::string> tags;
  for (const v1::Tag& tag : hit.tags()) {
    tags[tag.key()] = tag.value();
  }
  return tags;
}

std::vector<std::string> HitIdsOf(const v1::SearchResponse& response) {
  std::vector<std::string> ids;
  for (const v1::Hit& hit : response.hits()) {
    ids.push_back(hit.id());
  }
  return ids;
}

class FilterService : public ::testing::Test {
 protected:
  FilterService() { Fill(); }

  // "part" of 0 to 3 and the payload tell what a graph is; every fifth has no tags.
  void Fill() {
    std::mt19937_64 rng(kTaggedSeed);
    v1::PutRequest request;
    for (int i = 0; i < kTaggedGraphs; ++i) {
      v1::Record record = RecordMessage("g" + std::to_string(i), RandomTreeMessage(rng, 6));
      record.set_payload("payload " + std::to_string(i));
      if (i % 5 != 0) {
        v1::Tag& tag = *record.add_tags();
        tag.set_key("part");
        tag.set_value(std::to_string(i % 4));
      }
      *request.add_records() = record;
    }
    v1::PutResponse response;
    ASSERT_TRUE(daemon_->NewStub()->Put(NewContext().get(), request, &response).ok());
  }

  v1::SearchRequest Request(uint32_t k) {
    v1::SearchRequest request;
    *request.mutable_graph() = PathMessage("CCNO");
    request.set_k(k);
    return request;
  }

  v1::SearchResponse Search(const v1::SearchRequest& request) {
    v1::SearchResponse response;
    const grpc::Status status = daemon_->NewStub()->Search(NewContext().get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  grpc::Status Failure(const v1::SearchRequest& request) {
    v1::SearchResponse response;
    return daemon_->NewStub()->Search(NewContext().get(), request, &response);
  }

  // All graphs in the order of the answers, with all their fields.
  v1::SearchResponse Everything() {
    v1::SearchRequest request = Request(kTaggedGraphs);
    request.set_with_payload(true);
    request.set_with_tags(true);
    return Search(request);
  }

  const TempDir dir_;
  std::unique_ptr<DaemonProcess> daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"));
};

TEST_F(FilterService, HitsMatchAndCarryWhatWasStored) {
  for (const bool restarted : {false, true}) {
    if (restarted) {
      daemon_->Stop(SIGKILL);
      daemon_ = std::make_unique<DaemonProcess>(dir_.Sub("d"));
    }
    const v1::SearchResponse all = Everything();
    ASSERT_EQ(all.hits_size(), kTaggedGraphs);
    std::vector<std::string> expected;
    for (const v1::Hit& hit : all.hits()) {
      const int number = std::stoi(hit.id().substr(1));
      const std::map<std::string, std::string> tags = TagsOf(hit);
      EXPECT_EQ(hit.payload(), "payload " + std::to_string(number));
      EXPECT_EQ(tags.size(), number % 5 == 0 ? 0u : 1u);
      EXPECT_GT(hit.vertices(), 0u);
      if (tags.contains("part") && tags.at("part") != "1" && hit.id() != "g7" && expected.size() < 25) {
        expected.push_back(hit.id());
      }
    }
    for (const auto mode : {v1::SEARCH_MODE_PRUNED, v1::SEARCH_MODE_EXHAUSTIVE}) {
      v1::SearchRequest request = Request(25);
      request.set_mode(mode);
      request.set_filter("exists part and part not in (1, 9)");
      request.add_exclude_ids("g7");
      request.add_exclude_ids("nobody");
      const v1::SearchResponse response = Search(request);
      EXPECT_EQ(HitIdsOf(response), expected);
      EXPECT_EQ(response.hits(0).payload(), "");
      EXPECT_EQ(response.hits(0).tags_size(), 0);
    }
  }
}

TEST_F(FilterService, PagesAndStreamsMakeUpTheWholeAnswer) {
  v1::SearchRequest request = Request(kTaggedGraphs);
  request.set_filter("part in (0, 2)");
  const v1::SearchResponse whole = Search(request);
  request.set_k(7);
  std::vector<std::string> paged;
  grpc::ClientContext context;
  const auto stub = daemon_->NewStub();
  const auto stream = stub->SearchStream(&context);
  for (int page = 0; page == 0 || paged.size() % 7 == 0; ++page) {
    request.set_mode(page % 2 == 0 ? v1::SEARCH_MODE_PRUNED : v1::SEARCH_MODE_EXHAUSTIVE);
    ASSERT_TRUE(stream->Write(request));
    v1::SearchStreamResponse answer;
    ASSERT_TRUE(stream->Read(&answer));
    ASSERT_TRUE(answer.has_response()) << answer.error().message();
    for (const v1::Hit& hit : answer.response().hits()) {
      paged.push_back(hit.id());
      *request.mutable_after() = hit;
    }
    if (answer.response().hits_size() < 7) {
      break;
    }
  }
  EXPECT_EQ(paged, HitIdsOf(whole));
  request.set_filter("part =");
  ASSERT_TRUE(stream->Write(request));
  v1::SearchStreamResponse refused;
  ASSERT_TRUE(stream->Read(&refused));
  EXPECT_EQ(refused.error().code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(refused.error().message(), "filter: byte 6: expected a value, but found the end");
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(FilterService, RefusesWithTheFieldsPath) {
  const auto expect = [&](const v1::SearchRequest& request, grpc::StatusCode code,
                          const std::string& message) {
    const grpc::Status status = Failure(request);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(message));
  };
  v1::SearchRequest request = Request(5);
  request.set_filter("part = 1 and part = 2");
  expect(request, grpc::StatusCode::INVALID_ARGUMENT,
         "filter: no graph can match: 'part = 1' (byte 0) and 'part = 2' (byte 13) contradict each other");
  request.set_filter("a = " + std::string(4093, 'x'));
  expect(request, grpc::StatusCode::RESOURCE_EXHAUSTED,
         "filter: 4097 is over the limit filter_bytes_max = 4096");
  request.set_filter("a = " + std::string(4092, 'x'));
  EXPECT_TRUE(Failure(request).ok());
  request = Request(5);
  request.add_exclude_ids("a");
  request.add_exclude_ids("");
  expect(request, grpc::StatusCode::INVALID_ARGUMENT, "exclude_ids[1].id: is empty");
  request = Request(5);
  for (int i = 0; i < 10'000; ++i) {
    request.add_exclude_ids("x" + std::to_string(i));
  }
  EXPECT_TRUE(Failure(request).ok());
  request.add_exclude_ids("one more");
  expect(request, grpc::StatusCode::RESOURCE_EXHAUSTED,
         "exclude_ids: 10001 is over the limit exclude_max = 10000");
  request = Request(5);
  *request.mutable_after() = Search(request).hits(4);
  EXPECT_TRUE(Failure(request).ok());
  request.set_measure(v1::MEASURE_COSINE);
  expect(request, grpc::StatusCode::INVALID_ARGUMENT, "after.similarity: ");
}

TEST(FilterLimits, AnAnswerWithFieldsIsNoLargerThanAMessage) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"), {"--message-bytes-max", "10000"});
  const auto stub = daemon.NewStub();
  for (const char* id : {"a", "b", "c"}) {
    v1::PutRequest put;
    *put.add_records() = RecordMessage(id, PathMessage("CCO"));
    put.mutable_records(0)->set_payload(std::string(4000, 'p'));
    v1::PutResponse response;
    ASSERT_TRUE(stub->Put(NewContext().get(), put, &response).ok());
  }
  v1::SearchRequest request;
  request.set_id("a");
  request.set_with_payload(true);
  request.set_k(2);
  v1::SearchResponse response;
  EXPECT_TRUE(stub->Search(NewContext().get(), request, &response).ok());
  request.set_k(3);
  const grpc::Status status = stub->Search(NewContext().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(),
              HasSubstr("bytes of the answer: 12000 is over the limit message_bytes_max"));
}

TEST(FilterCommand, IngestsTagsAndSearchesAmongThem) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const std::string kindred = KindredPath();
  const auto run = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon.address()});
    return RunProgram(kindred, args);
  };
  std::ofstream(dir.Sub("a.smi")) << "CCO\tethanol\nCCCO\tpropanol\nCO\tmethanol\n";
  std::ofstream(dir.Sub("b.smi")) << "CCN\tethylamine\n";
  ASSERT_EQ(run({"ingest", dir.Sub("a.smi"), "--tag", "source=demo", "--tag", "note=x=y"}).exit_code, 0);
  ASSERT_EQ(run({"ingest", dir.Sub("b.smi")}).exit_code, 0);
  const Finished found =
      run({"--json", "search", "--smiles", "CCO", "--filter", "source = demo and note = \"x=y\"", "--exclude",
           "methanol", "--fields", "tags"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const nlohmann::json line = nlohmann::json::parse(found.out);
  ASSERT_EQ(line["hits"].size(), 2u);
  EXPECT_EQ(line["hits"][0]["id"], "ethanol");
  EXPECT_EQ(line["hits"][1]["id"], "propanol");
  EXPECT_EQ(line["hits"][0]["tags"], nlohmann::json({{"source", "demo"}, {"note", "x=y"}}));
  const Finished first = run({"--json", "search", "--smiles", "CCO", "-k", "2"});
  const Finished second = run({"--json", "search", "--smiles", "CCO", "-k", "2", "--after", first.out});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const Finished page = run({"--json", "search", "--smiles", "CCO", "-k", "2", "--page", "2"});
  EXPECT_EQ(nlohmann::json::parse(page.out)["hits"], nlohmann::json::parse(second.out)["hits"]);
  std::set<std::string> ids;
  for (const Finished* each : {&first, &second}) {
    const nlohmann::json answer = nlohmann::json::parse(each->out);
    for (const auto& hit : answer["hits"]) {
      ids.insert(hit["id"]);
    }
  }
  EXPECT_THAT(ids, ElementsAre("ethanol", "ethylamine", "methanol", "propanol"));
  const Finished bad = run({"search", "--smiles", "CCO", "--filter", "source ="});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.err, HasSubstr("filter: byte 8: expected a value, but found the end"));
  EXPECT_EQ(run({"ingest", dir.Sub("b.smi"), "--tag", "=x"}).exit_code, 64);
}

}  // namespace
}  // namespace kindred::test
