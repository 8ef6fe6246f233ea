#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/integration/watch_call.h"
#include "tests/model/session.h"
#include "tests/support/status_matchers.h"
#include "wire/graph.h"

namespace kindred::test {

void Session::ExpectRecord(const v1::Record& told, const std::string& id) const {
  EXPECT_EQ(told.id(), id);
  const auto found = world_.records().find(id);
  if (found == world_.records().end()) {
    ADD_FAILURE() << id << " is there, and should not be";
    return;
  }
  const KeptRecord& record = found->second;
  EXPECT_TRUE(SameGraph(Must(ToGraph(told.graph(), Limits())), record.graph)) << id;
  EXPECT_EQ(told.payload(), record.payload) << id;
  TagMap tags;
  for (const v1::Tag& tag : told.tags()) {
    tags[tag.key()] = tag.value();
  }
  EXPECT_EQ(tags, record.tags) << id;
}

std::string Session::Get(Chooser& choose) {
  v1::GetRequest request;
  for (uint64_t i = 1 + choose.Below(8); i > 0; --i) {
    request.add_ids(choose.Id());
  }
  v1::GetResponse response;
  const grpc::Status status = stub(choose).Get(NewContext().get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.sequence(), world_.sequence());
  EXPECT_EQ(response.entries_size(), request.ids_size());
  for (int i = 0; i < response.entries_size(); ++i) {
    const v1::GetResponse::Entry& entry = response.entries(i);
    EXPECT_EQ(entry.id(), request.ids(i));
    EXPECT_EQ(entry.has_record(), world_.contains(entry.id())) << entry.id();
    if (entry.has_record()) {
      ExpectRecord(entry.record(), entry.id());
    }
  }
  return "get " + request.ShortDebugString();
}

namespace {

struct AskedPairs {
  v1::PairsRequest request;
  PairQuestion question;
  ChosenFilter filter;
};

AskedPairs AskPairs(Chooser& choose) {
  AskedPairs asked;
  const ChosenScoring scoring = choose.Scoring();
  SetScoring(scoring, asked.request);
  asked.question = {scoring.measure, choose.Threshold(scoring.measure), scoring.depth, scoring.weights};
  asked.request.set_min_similarity(asked.question.min_similarity);
  asked.filter = choose.Filter();
  asked.request.set_filter(asked.filter.text);
  asked.request.set_threads(static_cast<uint32_t>(choose.Below(3)));
  return asked;
}

}  // namespace

std::string Session::Pairs(Chooser& choose) {
  const AskedPairs asked = AskPairs(choose);
  const auto context = NewContext();
  const auto reader = stub(choose).Pairs(context.get(), asked.request);
  std::vector<IdPair> pairs;
  v1::PairsResponse message;
  while (reader->Read(&message)) {
    for (const v1::PairsResponse::Pair& pair : message.pairs()) {
      pairs.push_back({pair.a(), pair.b(), pair.kernel(), pair.similarity()});
    }
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(message.stats().pairs(), pairs.size());
  std::vector<IdPair> expected = world_.Pairs(asked.filter.matches).Pairs(asked.question);
  std::ranges::sort(pairs);
  std::ranges::sort(expected);
  EXPECT_EQ(pairs, expected) << asked.request.ShortDebugString();
  return "pairs " + asked.request.ShortDebugString();
}

std::string Session::Clusters(Chooser& choose) {
  const AskedPairs asked = AskPairs(choose);
  v1::ClustersRequest request;
  *request.mutable_pairs() = asked.request;
  const uint32_t size_min = static_cast<uint32_t>(1 + choose.Below(3));
  request.set_size_min(size_min);
  const auto context = NewContext();
  const auto reader = stub(choose).Clusters(context.get(), request);
  std::vector<IdCluster> clusters;
  for (v1::ClustersResponse message; reader->Read(&message);) {
    for (const v1::ClustersResponse::Cluster& cluster : message.clusters()) {
      if (!cluster.continued()) {
        clusters.push_back({cluster.representative(), {}});
      }
      clusters.back().members.insert(clusters.back().members.end(), cluster.ids().begin(),
                                     cluster.ids().end());
    }
  }
  const grpc::Status status = reader->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  const NaivePairs graphs = world_.Pairs(asked.filter.matches);
  EXPECT_EQ(clusters, NaiveClusters(graphs, asked.question, size_min, Limits().cluster_medoid_max))
      << request.ShortDebugString();
  return "clusters " + request.ShortDebugString();
}

// From some commit up to the last, which is all there will be: the daemon stands still meanwhile.
std::string Session::Watch(Chooser& choose) {
  v1::WatchRequest request;
  const ChosenScoring scoring = choose.Scoring();
  SetScoring(scoring, request);
  const ChosenFilter filter = choose.Filter();
  request.set_filter(filter.text);
  const uint64_t back = choose.Below(choose.Once(2) ? 30 : world_.sequence() + 1);
  const uint64_t after = world_.sequence() - std::min(back, world_.sequence());
  request.set_after_sequence(after);
  using Told = std::tuple<uint64_t, std::string, std::string, double>;
  std::vector<std::tuple<uint64_t, uint64_t, Told>> expected;
  for (uint64_t q = 0, queries = 1 + choose.Below(3); q < queries; ++q) {
    const Graph graph = choose.RandomlyMadeGraph();
    const double least = choose.Threshold(scoring.measure);
    const std::string name = "q" + std::to_string(q);
    AddQuery(request, name, MessageOf(graph), least);
    const ModelQuery how{scoring.measure, scoring.depth, scoring.weights, 10, least};
    for (const Hit& hit : world_.Search(graph, how, filter.matches, {})) {
      const uint64_t sequence = world_.records().at(hit.id).sequence;
      if (sequence > after) {
        expected.emplace_back(sequence, q, Told{sequence, hit.id, name, hit.similarity});
      }
    }
  }
  std::ranges::sort(expected);
  std::vector<Told> wanted;
  for (const auto& [sequence, q, told] : expected) {
    wanted.push_back(told);
  }
  WatchCall watch(stub(choose), request);
  std::vector<Told> told;
  if (after < world_.sequence()) {
    for (const auto& match : watch.ReadUntil(world_.sequence())) {
      told.emplace_back(match.sequence(), match.id(), match.query(), match.similarity());
    }
  }
  EXPECT_EQ(told, wanted) << request.ShortDebugString();
  return "watch " + request.ShortDebugString();
}

std::string Session::Stats(Chooser& choose) {
  v1::StatsResponse response;
  const grpc::Status status = stub(choose).Stats(NewContext().get(), {}, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.graphs(), world_.records().size());
  EXPECT_EQ(response.sequence(), world_.sequence());
  EXPECT_EQ(response.depth(), kDepth);
  return fmt::format("stats: {} graphs, commit {}", response.graphs(), response.sequence());
}

void Session::ExpectContents() {
  const auto context = NewContext();
  const auto reader = stubs_[0]->Export(context.get(), {});
  std::vector<std::string> ids;
  for (v1::ExportResponse page; reader->Read(&page);) {
    EXPECT_EQ(page.sequence(), world_.sequence());
    for (const v1::Record& record : page.records()) {
      ids.push_back(record.id());
      ExpectRecord(record, record.id());
    }
  }
  EXPECT_TRUE(reader->Finish().ok());
  EXPECT_EQ(ids, world_.InOrder());
}

std::string Session::Export(Chooser&) {
  ExpectContents();
  return "export";
}

}  // namespace kindred::test
