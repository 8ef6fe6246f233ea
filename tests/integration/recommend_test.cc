// Recommend through the real programs: the calls, what they refuse, answers that both modes and a restart
// agree on.

#include <random>

#include "client/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kNotFound = absl::StatusCode::kNotFound;

class RecommendCallTest : public ::testing::Test {
 protected:
  RecommendCallTest() {
    v1::PutRequest request;
    for (const char* const id : {"CCO", "CCN", "CCC", "CCCO"}) {
      *request.add_records() = RecordMessage(id, PathMessage(id));
    }
    EXPECT_THAT(client_->Put(request), IsOk());
  }

  static void Add(google::protobuf::RepeatedPtrField<v1::RecommendRequest::Example>& examples,
                  const std::string& id, double weight = 0) {
    v1::RecommendRequest::Example& example = *examples.Add();
    example.mutable_graph()->set_id(id);
    example.set_weight(weight);
  }
  static v1::RecommendRequest Ask(const std::vector<std::string>& liked,
                                  const std::vector<std::string>& disliked = {}) {
    v1::RecommendRequest request;
    for (const std::string& id : liked) {
      Add(*request.mutable_liked(), id);
    }
    for (const std::string& id : disliked) {
      Add(*request.mutable_disliked(), id);
    }
    return request;
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d")};
  const std::unique_ptr<client::Client> client_ = Must(client::Client::Create(daemon_.address()));
};

TEST_F(RecommendCallTest, TellsScoresAndTheSimilarityToEachExample) {
  v1::RecommendRequest request = Ask({"CCO"}, {"CCN"});
  *request.add_liked()->mutable_graph()->mutable_graph() = PathMessage("CCCO");
  request.mutable_liked(1)->set_weight(0.5);
  request.set_min_sequence(4);
  const v1::RecommendResponse answer = Must(client_->Recommend(request));
  EXPECT_EQ(answer.sequence(), 4u);
  ASSERT_EQ(answer.hits_size(), 2) << "examples are no hits, a graph that equals one is";
  EXPECT_EQ(answer.hits(0).id(), "CCCO");
  EXPECT_EQ(answer.hits(1).id(), "CCC");
  for (const auto& hit : answer.hits()) {
    ASSERT_EQ(hit.similarities_size(), 3) << "liked, liked, disliked";
    EXPECT_EQ(hit.score(), hit.similarities(0) + 0.5 * hit.similarities(1) - hit.similarities(2));
  }
  EXPECT_EQ(answer.hits(0).similarities(1), 1);
  EXPECT_GT(answer.stats().candidates(), 0u);
}

TEST_F(RecommendCallTest, RefusesWithThePathOfTheField) {
  const auto refused = [&](const v1::RecommendRequest& request) { return client_->Recommend(request); };
  EXPECT_THAT(refused({}), StatusIs(kInvalid, "liked: is empty"));
  EXPECT_THAT(refused(Ask({"CCO", ""})), StatusIs(kInvalid, "liked[1].graph.id: is empty"));
  EXPECT_THAT(refused(Ask({"CCO"}, {"nobody"})),
              StatusIs(kNotFound, "disliked[0].graph.id: no graph has the id 'nobody'"));
  EXPECT_THAT(refused(Ask({"CCO"}, {"CCO"})),
              StatusIs(kInvalid, "disliked[0].graph.id: 'CCO' is liked as well"));
  v1::RecommendRequest request = Ask({"CCO"});
  request.add_disliked();
  EXPECT_THAT(refused(request),
              StatusIs(kInvalid, "disliked[0].graph: give a graph or the id of a stored one"));
  *request.mutable_disliked(0)->mutable_graph()->mutable_graph() = GraphMessage("CC", {{1, 1}});
  EXPECT_THAT(refused(request), StatusIs(kInvalid, "disliked[0].graph.graph.edges[0]"));
  request = Ask({"CCO"});
  request.mutable_liked(0)->set_weight(-1);
  EXPECT_THAT(refused(request), StatusIs(kInvalid, "liked[0].weight: -1 is not above 0"));
  request = Ask({"CCO"}, {"CCN"});
  request.set_form(v1::RecommendRequest::BEST_MINIMUM);
  EXPECT_THAT(refused(request), StatusIs(kInvalid, "disliked: the least similarity"));
  request = Ask({"CCO"});
  request.set_form(static_cast<v1::RecommendRequest::Form>(9));
  EXPECT_THAT(refused(request), StatusIs(kInvalid, "form: 9 is unknown"));
  request.clear_form();
  request.set_min_score(7);
  EXPECT_THAT(refused(request), StatusIs(kInvalid, "min_score: 7 is not between 0 and 1"));
  request.clear_min_score();
  request.set_filter("a = ");
  EXPECT_THAT(refused(request), StatusIs(kInvalid, "filter: byte 4: expected a value"));
  request.set_filter("a = b");
  EXPECT_EQ(Must(refused(request)).hits_size(), 0);
  request.clear_filter();
  request.set_depth(4);
  EXPECT_THAT(refused(request), StatusIs(kFailedPrecondition, "depth: 4 is beyond the index"));
}

TEST_F(RecommendCallTest, KeepsToTheLimitsOfTheDaemon) {
  DaemonProcess strict(dir_.Sub("strict"), {"--recommend-examples-max", "2", "--k-max", "3"});
  const auto client = Must(client::Client::Create(strict.address()));
  v1::PutRequest put;
  *put.add_records() = RecordMessage("a", PathMessage("CC"));
  *put.add_records() = RecordMessage("b", PathMessage("CCC"));
  ASSERT_THAT(client->Put(put), IsOk());
  v1::RecommendRequest request = Ask({"a"}, {"b"});
  request.set_k(3);
  EXPECT_THAT(client->Recommend(request), IsOk());
  request.set_k(4);
  EXPECT_THAT(client->Recommend(request), StatusIs(kResourceExhausted, "k: 4 is over the limit k_max = 3"));
  request.set_k(1);
  *request.add_liked()->mutable_graph()->mutable_graph() = PathMessage("CCCC");
  EXPECT_THAT(
      client->Recommend(request),
      StatusIs(kResourceExhausted, "liked and disliked: 3 is over the limit recommend_examples_max = 2"));
}

TEST(RecommendCall, ModesAgreeBeforeAndAfterARestart) {
  const TempDir dir;
  std::mt19937_64 rng(5);
  std::vector<v1::RecommendRequest> requests;
  for (int i = 0; i < 24; ++i) {
    v1::RecommendRequest& request = requests.emplace_back();
    request.set_form(i % 3 == 0 ? v1::RecommendRequest::BEST_MINIMUM : v1::RecommendRequest::WEIGHTED_SUM);
    request.set_measure(static_cast<v1::Measure>(1 + i % 3));
    request.set_k(static_cast<uint32_t>(1 + rng() % 40));
    for (int liked = 0; liked < 3; ++liked) {
      *request.add_liked()->mutable_graph()->mutable_graph() = RandomTreeMessage(rng);
    }
    for (int disliked = 0; i % 3 != 0 && disliked < i % 4; ++disliked) {
      *request.add_disliked()->mutable_graph()->mutable_graph() = RandomTreeMessage(rng);
      request.mutable_disliked(disliked)->set_weight(0.25 * (1 + disliked));
    }
  }
  std::vector<std::string> before;
  for (const bool restarted : {false, true}) {
    const DaemonProcess daemon(dir.Sub("d"));
    const auto client = Must(client::Client::Create(daemon.address()));
    if (!restarted) {
      v1::PutRequest put;
      for (int i = 0; i < 3'000; ++i) {
        *put.add_records() = RecordMessage("g" + std::to_string(i), RandomTreeMessage(rng));
      }
      ASSERT_THAT(client->Put(put), IsOk());
    }
    for (size_t i = 0; i < requests.size(); ++i) {
      const auto answer = [&](v1::SearchMode mode) {
        v1::RecommendRequest request = requests[i];
        request.set_mode(mode);
        v1::RecommendResponse response = Must(client->Recommend(request));
        response.clear_stats();
        return response.SerializeAsString();
      };
      const std::string pruned = answer(v1::SEARCH_MODE_PRUNED);
      EXPECT_EQ(answer(v1::SEARCH_MODE_EXHAUSTIVE), pruned) << "question " << i;
      if (restarted) {
        EXPECT_EQ(before[i], pruned) << "question " << i;
      }
      before.push_back(pruned);
    }
  }
}

// What docs/recommend.md promises to a chemist.
TEST(RecommendCommand, FindsOpioidsThatAreNotLikeCaffeine) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const auto kindred = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon.address()});
    return RunProgram(KindredPath(), args);
  };
  ASSERT_EQ(kindred({"ingest", (SourceDir() / "examples/molecules.smi").string()}).exit_code, 0);
  const Finished answer =
      kindred({"recommend", "--like", "morphine", "--like", "codeine", "--dislike", "caffeine", "-k", "5"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("+morphine  +codeine  -caffeine"));
  EXPECT_THAT(answer.out, HasSubstr("hydrocodone"));
  const Finished contradiction = kindred({"recommend", "--like", "morphine", "--dislike", "morphine"});
  EXPECT_EQ(contradiction.exit_code, 1);
  EXPECT_THAT(contradiction.err, HasSubstr("'morphine' is liked as well"));
  EXPECT_EQ(kindred({"recommend", "--like", "nobody"}).exit_code, 1);
}

}  // namespace
}  // namespace kindred::test
