// kindred recommend: what it asks for, what it prints, what it refuses before it asks.

#include <fstream>

#include "client/cli/example_flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

class RecommendCommandTest : public CliTest {
 protected:
  RecommendCommandTest() {
    server_.index.recommend = [this](const v1::RecommendRequest& request, v1::RecommendResponse& response) {
      request_ = request;
      response = response_;
      return grpc::Status::OK;
    };
    server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse& response) {
      response.set_depth(3);
      return grpc::Status::OK;
    };
    AddHit("y", 1.25, {0.75, 0.5, 0.25});
    AddHit("a longer id", -0.5, {0, 0, 1});
    response_.set_sequence(12);
    response_.mutable_stats()->set_micros(7);
  }

  void AddHit(const std::string& id, double score, const std::vector<double>& similarities) {
    v1::RecommendResponse::Hit& hit = *response_.add_hits();
    hit.set_id(id);
    hit.set_score(score);
    hit.mutable_similarities()->Assign(similarities.begin(), similarities.end());
  }

  v1::RecommendRequest request_;
  v1::RecommendResponse response_;
};

TEST_F(RecommendCommandTest, PrintsTheSimilarityToEachExampleForPeople) {
  const CliResult result = Run({"recommend", "--like", "x", "--like", "w=2", "--dislike", "v"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            "liked 2  disliked 1  form sum  measure tanimoto  depth 3  sequence 12  7 us\n"
            "rank  id             score      +x    +2 w      -v\n"
            "   1  y             1.2500  0.7500  0.5000  0.2500\n"
            "   2  a longer id  -0.5000  0.0000  0.0000  1.0000\n");
}

TEST_F(RecommendCommandTest, PrintsTheDocumentedJsonLine) {
  const CliResult result =
      Run({"recommend", "--like", "x", "--like", "w=2", "--dislike", "v", "--measure", "cosine", "--json"});
  EXPECT_EQ(
      result.out,
      R"({"liked":[{"name":"x","weight":1},{"name":"w","weight":2}],"disliked":[{"name":"v","weight":1}],)"
      R"("form":"sum","measure":"cosine","sequence":12,)"
      R"("hits":[{"id":"y","score":1.25,"similarities":[0.75,0.5,0.25]},)"
      R"({"id":"a longer id","score":-0.5,"similarities":[0,0,1]}],)"
      R"("stats":{"postings_read":0,"candidates":0,"micros":7,"blocks_bounded":0,"blocks_scored":0}})"
      "\n");
}

TEST_F(RecommendCommandTest, ShowsPayloadAndTagsWhenItIsToldTo) {
  response_.mutable_hits(0)->set_payload("CCO");
  v1::Tag& tag = *response_.mutable_hits(0)->add_tags();
  tag.set_key("source");
  tag.set_value("demo");
  const CliResult table = Run({"recommend", "--like", "x", "--fields", "both"});
  EXPECT_THAT(table.out, HasSubstr("payload  tags\n"));
  EXPECT_THAT(table.out, HasSubstr("CCO      source=demo\n"));
  EXPECT_TRUE(request_.with_payload() && request_.with_tags());
  EXPECT_THAT(Run({"recommend", "--like", "x", "--json"}).out,
              HasSubstr(R"("similarities":[0.75,0.5,0.25],"payload":"CCO","tags":{"source":"demo"}})"));
  EXPECT_FALSE(request_.with_payload() || request_.with_tags()) << "unless they are asked for";
}

TEST_F(RecommendCommandTest, SaysWhenThereIsNone) {
  response_.clear_hits();
  EXPECT_THAT(Run({"recommend", "--like", "x", "--min-score", "0.9"}).out,
              HasSubstr("\nno graph has such a score\n"));
}

TEST_F(RecommendCommandTest, SendsWhatIsAskedFor) {
  ASSERT_EQ(Run({"recommend",  "--like",      "x",
                 "--like=a=b", "--like",      "a=b=0.5",
                 "--form",     "minimum",     "-k",
                 "3",          "--measure",   "kernel",
                 "--depth",    "1",           "--weights",
                 "1,0.5",      "--min-score", "-2.5",
                 "--exclude",  "p",           "--exclude",
                 "q",          "--filter",    "a = b",
                 "--mode",     "exhaustive",  "--min-sequence",
                 "4"})
                .code,
            0);
  ASSERT_EQ(request_.liked_size(), 3);
  EXPECT_EQ(request_.liked(0).graph().id(), "x");
  EXPECT_EQ(request_.liked(0).weight(), 1);
  EXPECT_EQ(request_.liked(1).graph().id(), "a=b");
  EXPECT_EQ(request_.liked(2).graph().id(), "a=b");
  EXPECT_EQ(request_.liked(2).weight(), 0.5);
  EXPECT_EQ(request_.form(), v1::RecommendRequest::BEST_MINIMUM);
  EXPECT_EQ(request_.k(), 3u);
  EXPECT_EQ(request_.measure(), v1::MEASURE_KERNEL);
  EXPECT_EQ(request_.depth(), 1u);
  EXPECT_THAT(request_.weights(), testing::ElementsAre(1, 0.5));
  EXPECT_EQ(request_.min_score(), -2.5);
  EXPECT_THAT(request_.exclude_ids(), testing::ElementsAre("p", "q"));
  EXPECT_EQ(request_.filter(), "a = b");
  EXPECT_EQ(request_.mode(), v1::SEARCH_MODE_EXHAUSTIVE);
  EXPECT_EQ(request_.min_sequence(), 4u);
  EXPECT_TRUE(request_.molecule_scheme().empty());
}

TEST_F(RecommendCommandTest, ReadsMoleculesAndFiles) {
  std::ofstream(Path("liked.smi")) << "CCO ethanol\nCCN\n";
  std::ofstream(Path("disliked.jsonl")) << R"({"id":"j","vertices":["C"],"edges":[]})"
                                        << "\n";
  const CliResult result =
      Run({"recommend", "--like", "x", "--like-smiles", "[Na+]", "--like-smiles", "CC=O 2.5", "--like-file",
           Path("liked.smi"), "--dislike-file", Path("disliked.jsonl")});
  ASSERT_EQ(result.code, 0) << result.err;
  ASSERT_EQ(request_.liked_size(), 5);
  EXPECT_EQ(request_.liked(0).graph().id(), "x");
  EXPECT_EQ(request_.liked(1).graph().graph().labels(0), "Na");
  EXPECT_EQ(request_.liked(2).graph().graph().vertices_size(), 3);
  EXPECT_EQ(request_.liked(2).weight(), 2.5);
  EXPECT_EQ(request_.liked(3).graph().graph().vertices_size(), 3);
  EXPECT_EQ(request_.disliked(0).graph().graph().vertices_size(), 1);
  EXPECT_EQ(request_.molecule_scheme(), "element,bonds");
  EXPECT_THAT(result.out, HasSubstr("+x  +[Na+]  +2.5 CC=O  +ethanol  +CCN  -j\n"));
}

TEST_F(RecommendCommandTest, RefusesBadExamplesBeforeItAsks) {
  for (const char* const weight : {"x=0", "x=-1", "x=inf", "x=nan", "=2"}) {
    EXPECT_EQ(Run({"recommend", "--like", weight}).code, 64) << weight;
  }
  EXPECT_EQ(Run({"recommend", "--like-smiles", "CC 0"}).code, 64);
  EXPECT_EQ(Run({"recommend", "--like", "x", "--form", "max"}).code, 64);
  EXPECT_EQ(Run({"recommend", "--like", "x", "-k", "0"}).code, 64);
  const CliResult smiles = Run({"recommend", "--dislike-smiles", "C(("});
  EXPECT_EQ(smiles.code, 1);
  EXPECT_THAT(smiles.err, HasSubstr("--dislike-smiles C((: "));
  std::ofstream(Path("bad.smi")) << "CCO\nC1CC\n";
  const CliResult file = Run({"recommend", "--like-file", Path("bad.smi")});
  EXPECT_EQ(file.code, 1);
  EXPECT_THAT(file.err, HasSubstr("bad.smi:2: "));
  EXPECT_EQ(request_.liked_size(), 0) << "the daemon was asked all the same";
}

TEST_F(RecommendCommandTest, ReportsWhatTheDaemonRefuses) {
  server_.index.recommend = [](const v1::RecommendRequest&, v1::RecommendResponse&) {
    return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "liked: is empty");
  };
  const CliResult result = Run({"recommend"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("liked: is empty"));
}

TEST(WeightedName, SplitsAtTheLastSeparatorWithANumberBehindIt) {
  const auto id = [](const char* text) { return *ParseWeightedId(text); };
  EXPECT_EQ(id("x").name, "x");
  EXPECT_EQ(id("x").weight, 1);
  EXPECT_EQ(id("x=3").weight, 3);
  EXPECT_EQ(id("x=1e-3").weight, 1e-3);
  EXPECT_EQ(id("x=3 ").name, "x=3 ");
  EXPECT_EQ(id("x=").name, "x=");
  EXPECT_EQ(id("x=y").name, "x=y");
  EXPECT_EQ(id("x=2=3").name, "x=2");
  EXPECT_EQ(ParseWeightedSmiles("C=1CC=1")->name, "C=1CC=1") << "a ring bond is no weight";
  EXPECT_EQ(ParseWeightedSmiles("C=1CC=1 4")->weight, 4);
}

}  // namespace
}  // namespace kindred::cli
