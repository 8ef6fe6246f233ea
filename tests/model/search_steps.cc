#include <thread>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/model/session.h"
#include "tests/support/engine_harness.h"

namespace kindred::test {
namespace {

std::vector<Hit> HitsOf(const v1::SearchResponse& response) {
  std::vector<Hit> hits;
  for (const v1::Hit& hit : response.hits()) {
    hits.push_back({hit.id(), hit.kernel(), hit.similarity(), hit.vertices()});
  }
  return hits;
}

TagMap TagsOf(const google::protobuf::RepeatedPtrField<v1::Tag>& tags) {
  TagMap map;
  for (const v1::Tag& tag : tags) {
    map[tag.key()] = tag.value();
  }
  return map;
}

}  // namespace

Session::Asked Session::AskSearch(Chooser& choose) const {
  Asked asked;
  v1::SearchRequest& request = asked.request;
  const ChosenScoring scoring = choose.Scoring();
  SetScoring(scoring, request);
  const std::string id = choose.Id();
  Graph graph = choose.RandomlyMadeGraph();
  if (choose.Once(2) && world_.contains(id)) {
    request.set_id(id);
    graph = world_.records().at(id).graph;
  } else {
    *request.mutable_graph() = MessageOf(graph);
  }
  ModelQuery how{scoring.measure, scoring.depth, scoring.weights};
  if (choose.Once(3)) {
    how.min_similarity = choose.Threshold(scoring.measure);
    request.set_min_similarity(*how.min_similarity);
  }
  const ChosenFilter filter = choose.Filter();
  request.set_filter(filter.text);
  std::set<std::string> excluded;
  for (uint64_t i = choose.Once(2) ? choose.Below(6) : 0; i > 0; --i) {
    excluded.insert(choose.Id());
  }
  request.mutable_exclude_ids()->Add(excluded.begin(), excluded.end());
  asked.k = static_cast<uint32_t>(1 + choose.Below(choose.Once(4) ? ids_ + 5 : 12));
  request.set_k(asked.k);
  request.set_mode(choose.Once(2) ? v1::SEARCH_MODE_PRUNED : v1::SEARCH_MODE_EXHAUSTIVE);
  request.set_threads(static_cast<uint32_t>(choose.Below(3)));
  request.set_with_payload(choose.Once(3));
  request.set_with_tags(choose.Once(3));
  request.set_min_sequence(choose.Once(2) ? world_.sequence() : 0);
  asked.expected = world_.Search(graph, how, filter.matches, excluded);
  return asked;
}

void Session::ExpectHits(const v1::SearchResponse& told, const Asked& asked, size_t from) const {
  const size_t begin = std::min(from, asked.expected.size());
  const size_t end = std::min(begin + asked.k, asked.expected.size());
  const auto at = [&](size_t i) { return asked.expected.begin() + static_cast<std::ptrdiff_t>(i); };
  EXPECT_EQ(HitsOf(told), std::vector<Hit>(at(begin), at(end))) << asked.request.ShortDebugString();
  EXPECT_EQ(told.sequence(), world_.sequence());
  for (const v1::Hit& hit : told.hits()) {
    if (const auto record = world_.records().find(hit.id()); record != world_.records().end()) {
      EXPECT_EQ(hit.payload(), asked.request.with_payload() ? record->second.payload : "");
      EXPECT_EQ(TagsOf(hit.tags()), asked.request.with_tags() ? record->second.tags : TagMap());
    }
  }
}

std::string Session::Search(Chooser& choose) {
  Asked asked = AskSearch(choose);
  for (const v1::SearchMode mode : {v1::SEARCH_MODE_PRUNED, v1::SEARCH_MODE_EXHAUSTIVE}) {
    asked.request.set_mode(mode);
    v1::SearchResponse response;
    const grpc::Status status = stub(choose).Search(NewContext().get(), asked.request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    ExpectHits(response, asked);
  }
  return "search " + asked.request.ShortDebugString();
}

std::string Session::SearchPages(Chooser& choose) {
  Asked asked = AskSearch(choose);
  asked.k = static_cast<uint32_t>(1 + choose.Below(ids_ / 4 + 1));
  asked.request.set_k(asked.k);
  size_t from = 0;
  for (bool last = false; !last && !::testing::Test::HasFailure(); from += asked.k) {
    v1::SearchResponse response;
    const grpc::Status status = stub(choose).Search(NewContext().get(), asked.request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    ExpectHits(response, asked, from);
    last = response.hits_size() < static_cast<int>(asked.k);
    if (!last) {
      *asked.request.mutable_after() = response.hits(response.hits_size() - 1);
    }
  }
  return "search by pages " + asked.request.ShortDebugString();
}

// One stream of several; one of them may be wrong, and stops no other.
std::string Session::SearchMany(Chooser& choose) {
  std::vector<Asked> all;
  const auto context = NewContext();
  const auto stream = stub(choose).SearchStream(context.get());
  for (uint64_t i = 1 + choose.Below(6); i > 0; --i) {
    all.push_back(AskSearch(choose));
    if (choose.Once(8)) {
      all.back().request.set_id("no such graph");
    }
    stream->Write(all.back().request);
  }
  stream->WritesDone();
  for (const Asked& asked : all) {
    v1::SearchStreamResponse response;
    EXPECT_TRUE(stream->Read(&response));
    if (asked.request.id() == "no such graph") {
      EXPECT_EQ(response.error().code(), grpc::StatusCode::NOT_FOUND) << response.ShortDebugString();
    } else {
      EXPECT_TRUE(response.has_response()) << response.error().message();
      ExpectHits(response.response(), asked);
    }
  }
  EXPECT_TRUE(stream->Finish().ok());
  return fmt::format("search stream of {}", all.size());
}

std::string Session::SearchAtOnce(Chooser& choose) {
  std::vector<std::jthread> clients;
  for (const auto& client : stubs_) {
    clients.emplace_back([&, seed = choose.Below(UINT64_MAX), own_stub = client.get()] {
      Chooser own(seed, kDepth, ids_);
      for (int i = 0; i < 3; ++i) {
        const Asked asked = AskSearch(own);
        v1::SearchResponse response;
        const grpc::Status status = own_stub->Search(NewContext().get(), asked.request, &response);
        EXPECT_TRUE(status.ok()) << status.error_message();
        ExpectHits(response, asked);
      }
    });
  }
  return "searches at once";
}

std::string Session::Recommend(Chooser& choose) {
  const ChosenScoring scoring = choose.Scoring();
  const ChosenFilter filter = choose.Filter();
  ModelTaste taste;
  taste.measure = scoring.measure;
  taste.depth = scoring.depth;
  taste.weights = scoring.weights;
  taste.k = static_cast<uint32_t>(1 + choose.Below(20));
  taste.form = choose.Once(3) ? RecommendForm::kBestMinimum : RecommendForm::kWeightedSum;
  const bool sum = taste.form == RecommendForm::kWeightedSum;
  v1::RecommendRequest request;
  SetScoring(scoring, request);
  request.set_k(taste.k);
  request.set_form(sum ? v1::RecommendRequest::WEIGHTED_SUM : v1::RecommendRequest::BEST_MINIMUM);
  request.set_filter(filter.text);
  bool twice = false;  // An id is given more than once, which is refused.
  for (uint64_t i = 1 + choose.Below(4); i > 0; --i) {
    const bool liked = taste.liked.empty() || !sum || choose.Once(2);
    const std::string id = choose.Id();
    v1::RecommendRequest::Example& example = liked ? *request.add_liked() : *request.add_disliked();
    ModelTaste::Example modelled{choose.RandomlyMadeGraph(),
                                 sum ? static_cast<double>(1 + choose.Below(8)) / 4 : 1};
    if (choose.Once(2) && world_.contains(id)) {
      modelled.graph = world_.records().at(id).graph;
      example.mutable_graph()->set_id(id);
      twice = !taste.excluded.insert(id).second || twice;  // A stored example is no hit.
    } else {
      *example.mutable_graph()->mutable_graph() = MessageOf(modelled.graph);
    }
    example.set_weight(modelled.weight);
    (liked ? taste.liked : taste.disliked).push_back(modelled);
  }
  for (const v1::SearchMode mode : {v1::SEARCH_MODE_PRUNED, v1::SEARCH_MODE_EXHAUSTIVE}) {
    request.set_mode(mode);
    v1::RecommendResponse response;
    const grpc::Status status = stub(choose).Recommend(NewContext().get(), request, &response);
    if (twice) {
      EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << request.ShortDebugString();
      continue;
    }
    EXPECT_TRUE(status.ok()) << status.error_message();
    std::vector<RecommendHit> hits;
    for (const v1::RecommendResponse::Hit& hit : response.hits()) {
      hits.push_back({hit.id(), hit.score(), {hit.similarities().begin(), hit.similarities().end()}});
    }
    EXPECT_EQ(hits, world_.Recommend(taste, filter.matches)) << request.ShortDebugString();
    EXPECT_EQ(response.sequence(), world_.sequence());
  }
  return "recommend " + request.ShortDebugString();
}

}  // namespace kindred::test
