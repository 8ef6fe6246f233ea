#include <thread>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/model/session.h"

namespace kindred::test {

std::string Session::Put(Chooser& choose) {
  v1::PutRequest request;
  request.set_mode(choose.Mode());
  std::vector<v1::Outcome::Kind> expected;
  std::string told = fmt::format("put mode {}:", request.mode());
  for (uint64_t i = 1 + choose.Below(6); i > 0; --i) {
    const std::string id = choose.Id();
    const KeptRecord record = choose.Record();
    v1::Record& message = *request.add_records();
    message = MessageOf(id, record);
    told += " " + id;
    if (choose.Once(12)) {  // One that is no graph changes nothing, and stops no other.
      message.mutable_graph()->set_vertices(0, 1'000'000);
      expected.push_back(v1::Outcome::REJECTED);
    } else {
      expected.push_back(world_.Put(id, record, request.mode()));
    }
  }
  v1::PutResponse response;
  const grpc::Status status = stub(choose).Put(NewContext().get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.outcomes_size(), request.records_size());
  for (int i = 0; i < response.outcomes_size(); ++i) {
    const v1::Outcome& outcome = response.outcomes(i);
    EXPECT_EQ(outcome.kind(), expected[static_cast<size_t>(i)]) << i << ": " << outcome.message();
    EXPECT_EQ(outcome.kind() == v1::Outcome::REJECTED, outcome.code() != 0);
    EXPECT_EQ(outcome.code() != 0, !outcome.message().empty());
  }
  EXPECT_EQ(response.sequence(), world_.sequence());
  return told;
}

std::string Session::Delete(Chooser& choose) {
  v1::DeleteRequest request;
  std::vector<v1::Outcome::Kind> expected;
  std::string told = "delete:";
  for (uint64_t i = 1 + choose.Below(5); i > 0; --i) {
    request.add_ids(choose.Id());
    expected.push_back(world_.Delete(request.ids(request.ids_size() - 1)));
    told += " " + request.ids(request.ids_size() - 1);
  }
  v1::DeleteResponse response;
  const grpc::Status status = stub(choose).Delete(NewContext().get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.outcomes_size(), request.ids_size());
  for (int i = 0; i < response.outcomes_size(); ++i) {
    EXPECT_EQ(response.outcomes(i).kind(), expected[static_cast<size_t>(i)]) << i;
  }
  EXPECT_EQ(response.sequence(), world_.sequence());
  return told;
}

std::string Session::PutIfNovel(Chooser& choose) {
  const ChosenScoring scoring = choose.Scoring();
  const ChosenFilter filter = choose.Filter();
  const NoveltyParts rule{scoring.measure, choose.Threshold(scoring.measure),
                          scoring.depth,   scoring.weights,
                          filter.text,     choose.Once(3)};
  v1::PutIfNovelRequest request;
  SetScoring(scoring, *request.mutable_rule());
  request.mutable_rule()->set_min_similarity(rule.min_similarity);
  request.mutable_rule()->set_filter(rule.filter);
  request.mutable_rule()->set_isomorphic(rule.isomorphic);
  struct Expected {
    v1::Outcome::Kind kind;
    std::optional<ClosestGraph> closest;
  };
  std::vector<Expected> expected;
  std::string told = fmt::format("put if novel, filter '{}':", filter.text);
  for (uint64_t i = 1 + choose.Below(4); i > 0; --i) {
    const std::string id = choose.Id();
    const KeptRecord record = choose.Record();
    *request.add_records() = MessageOf(id, record);
    const auto closest = world_.Closest(record.graph, rule, filter.matches);
    expected.push_back(
        {closest ? v1::Outcome::NOT_NOVEL : world_.Put(id, record, v1::WRITE_MODE_UPSERT), closest});
    told += " " + id;
  }
  v1::PutIfNovelResponse response;
  const grpc::Status status = stub(choose).PutIfNovel(NewContext().get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.entries_size(), request.records_size());
  for (int i = 0; i < response.entries_size(); ++i) {
    const auto& [kind, closest] = expected[static_cast<size_t>(i)];
    const v1::PutIfNovelResponse::Entry& entry = response.entries(i);
    EXPECT_EQ(entry.outcome().kind(), kind) << i << ": " << entry.outcome().message();
    EXPECT_EQ(entry.has_closest(), closest.has_value()) << i;
    if (closest && entry.has_closest()) {
      EXPECT_EQ(entry.closest().id(), closest->id) << i;
      EXPECT_EQ(entry.closest().similarity(), closest->similarity) << i;
      EXPECT_EQ(entry.closest().kernel(), closest->kernel) << i;
      EXPECT_EQ(entry.closest().identity(), 1 + static_cast<int>(closest->identity)) << i;
    }
  }
  EXPECT_EQ(response.sequence(), world_.sequence());
  return told;
}

// Several clients, each with ids of its own, so that what they do is known but for the order of their
// commits: that is learnt from an export.
std::string Session::PutAtOnce(Chooser& choose) {
  std::vector<v1::PutRequest> requests(stubs_.size());
  std::map<std::string, KeptRecord> records;
  for (size_t client = 0; client < requests.size(); ++client) {
    for (uint64_t i = 1 + choose.Below(4); i > 0; --i) {
      const uint64_t number = choose.Below(ids_ / stubs_.size()) * stubs_.size() + client;
      const std::string id = "g" + std::to_string(number);
      if (records.contains(id)) {
        continue;
      }
      records.emplace(id, choose.Record());
      *requests[client].add_records() = MessageOf(id, records.at(id));
    }
  }
  {
    std::vector<std::jthread> clients;
    for (size_t client = 0; client < requests.size(); ++client) {
      clients.emplace_back([&, client] {
        v1::PutResponse response;
        const grpc::Status status = stubs_[client]->Put(NewContext().get(), requests[client], &response);
        EXPECT_TRUE(status.ok()) << status.error_message();
        for (const v1::Outcome& outcome : response.outcomes()) {
          EXPECT_NE(outcome.kind(), v1::Outcome::REJECTED) << outcome.message();
        }
      });
    }
  }
  const auto context = NewContext();
  const auto reader = stubs_[0]->Export(context.get(), {});
  for (v1::ExportResponse page; reader->Read(&page);) {
    for (const v1::Record& told : page.records()) {
      if (const auto record = records.find(told.id()); record != records.end()) {
        world_.Put(told.id(), record->second, v1::WRITE_MODE_UPSERT);
      }
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  return fmt::format("put at once: {} records", records.size());
}

}  // namespace kindred::test
