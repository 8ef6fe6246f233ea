// Explain through the real programs: the calls, what they refuse, and pictures from a file of molecules.

#include <filesystem>
#include <fstream>
#include <sstream>

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

class ExplainCallTest : public ::testing::Test {
 protected:
  ExplainCallTest() {
    v1::PutRequest request;
    *request.add_records() = RecordMessage("ethanol", PathMessage("CCO"));
    *request.add_records() = RecordMessage("propane", PathMessage("CCC"));
    EXPECT_THAT(client_->Put(request), IsOk());
  }

  static v1::GraphOrId Id(const std::string& id) {
    v1::GraphOrId side;
    side.set_id(id);
    return side;
  }
  static v1::GraphOrId Of(v1::Graph graph) {
    v1::GraphOrId side;
    *side.mutable_graph() = std::move(graph);
    return side;
  }
  static v1::ExplainRequest Ask(v1::GraphOrId a, v1::GraphOrId b) {
    v1::ExplainRequest request;
    *request.mutable_a() = std::move(a);
    *request.mutable_b() = std::move(b);
    return request;
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d")};
  const std::unique_ptr<client::Client> client_ = Must(client::Client::Create(daemon_.address()));
};

TEST_F(ExplainCallTest, TellsPairsOverlapsAndSimilarities) {
  v1::ExplainRequest request = Ask(Id("ethanol"), Id("propane"));
  request.set_min_sequence(2);
  const v1::ExplainResponse answer = Must(client_->Explain(request));
  // As the search of service_test.cc: both C by their labels, the end C once deeper.
  EXPECT_THAT(answer.overlaps(), ElementsAre(2, 1, 0, 0));
  EXPECT_THAT(answer.weights(), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(answer.kernel(), 3);
  EXPECT_EQ(answer.tanimoto(), 3.0 / (4 * (3 + 3) - 3));
  EXPECT_EQ(answer.cosine(), 3.0 / 12);
  ASSERT_EQ(answer.pairs_size(), 3);
  EXPECT_EQ(answer.pairs(0).a(), 0u);
  EXPECT_EQ(answer.pairs(0).levels(), 2u);
  EXPECT_EQ(answer.pairs(2).levels(), 0u);
  EXPECT_EQ(answer.vertices_a(), 3u);
  EXPECT_EQ(answer.vertices_b(), 3u);
  EXPECT_EQ(answer.sequence(), 2u);
  EXPECT_FALSE(answer.has_graph_a());
  request.set_with_graphs(true);
  EXPECT_THAT(Must(client_->Explain(request)).graph_a().labels(), ElementsAre("C", "O", ""));
}

TEST_F(ExplainCallTest, ComparesGraphsTheIndexHasNeverSeen) {
  const v1::ExplainResponse answer =
      Must(client_->Explain(Ask(Of(PathMessage("XYZ")), Of(PathMessage("ZYX")))));
  EXPECT_EQ(answer.kernel(), 12);
  EXPECT_EQ(answer.tanimoto(), 1);
}

TEST_F(ExplainCallTest, RefusesWithThePathOfTheField) {
  const auto fails = [&](const v1::ExplainRequest& request) { return client_->Explain(request); };
  EXPECT_THAT(fails(Ask(Id("ethanol"), {})), StatusIs(kInvalid, "b: give a graph or the id of a stored one"));
  EXPECT_THAT(fails(Ask(Id(""), Id("ethanol"))), StatusIs(kInvalid, "a.id: is empty"));
  EXPECT_THAT(fails(Ask(Id(std::string(513, 'x')), Id("ethanol"))),
              StatusIs(kInvalid, "a.id: has 513 bytes"));
  EXPECT_THAT(fails(Ask(Id("ethanol"), Id("nobody"))),
              StatusIs(absl::StatusCode::kNotFound, "b.id: no graph has the id 'nobody'"));
  EXPECT_THAT(fails(Ask(Id("ethanol"), Of(GraphMessage("CC", {{1, 1}})))),
              StatusIs(kInvalid, "b.graph.edges[0]"));
  v1::ExplainRequest request = Ask(Id("ethanol"), Id("propane"));
  request.set_depth(4);
  EXPECT_THAT(fails(request), StatusIs(kFailedPrecondition, "depth: 4 is beyond the index"));
  request.clear_depth();
  request.set_min_sequence(3);
  EXPECT_THAT(fails(request), StatusIs(kFailedPrecondition, "min_sequence: 3"));
  request.clear_min_sequence();
  request.add_weights(1);
  EXPECT_THAT(fails(request), StatusIs(kInvalid, "weights"));
}

TEST_F(ExplainCallTest, KeepsToTheLimitsOfTheDaemon) {
  DaemonProcess strict(dir_.Sub("strict"), {"--vertices-max", "600", "--message-bytes-max", "4096"});
  const auto client = Must(client::Client::Create(strict.address()));
  const auto chain = [](size_t n) { return Of(PathMessage(std::string(n, 'C'))); };
  EXPECT_THAT(client->Explain(Ask(chain(601), chain(2))),
              StatusIs(kResourceExhausted, "a.graph.vertices: 601 is over the limit vertices_max = 600"));
  v1::PutRequest put;
  *put.add_records() = RecordMessage("long", PathMessage(std::string(600, 'C')));
  ASSERT_THAT(client->Put(put), IsOk());
  EXPECT_THAT(client->Explain(Ask(Id("long"), Of(PathMessage("C")))), IsOk());
  EXPECT_THAT(client->Explain(Ask(Id("long"), Id("long"))),
              StatusIs(kResourceExhausted, "is over the limit message_bytes_max = 4096"));
}

// From a file of molecules to pictures: what README promises.
TEST(ExplainCommand, DrawsWhatWasIngested) {
  const TempDir dir;
  const DaemonProcess daemon(dir.Sub("d"));
  const auto kindred = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"--server", daemon.address()});
    return RunProgram(KindredPath(), args);
  };
  const auto read = [&](const std::string& name) {
    std::stringstream text;
    text << std::ifstream(dir.path() / name).rdbuf();
    return text.str();
  };
  ASSERT_EQ(kindred({"ingest", (SourceDir() / "examples/molecules.smi").string()}).exit_code, 0);
  const Finished search = kindred(
      {"search", "--smiles", "CN1CCC23C4Oc5c2c(CC1C3C=CC4O)ccc5O", "-k", "5", "--svg", dir.Sub("near.svg")});
  EXPECT_EQ(search.exit_code, 0) << search.err;
  EXPECT_THAT(read("near.svg"), HasSubstr(">codeine</text>"));
  EXPECT_THAT(read("near.svg"), HasSubstr(">tanimoto 0.8105</text>"));
  const Finished explain = kindred({"explain", "morphine", "codeine", "--svg", dir.Sub("pair.svg")});
  EXPECT_EQ(explain.exit_code, 0) << explain.err;
  EXPECT_THAT(explain.out, HasSubstr("tanimoto  0.8105\n"));
  EXPECT_THAT(read("pair.svg"), HasSubstr(">tanimoto 0.8105 · cosine "));
  EXPECT_EQ(kindred({"explain", "morphine", "nobody"}).exit_code, 1);
}

}  // namespace
}  // namespace kindred::test
