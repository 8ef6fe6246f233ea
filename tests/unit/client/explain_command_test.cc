// kindred explain: what it asks for, what it prints and draws.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_records.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ExplainCommandTest : public CliTest {
 protected:
  ExplainCommandTest() {
    server_.index.explain = [this](const v1::ExplainRequest& request, v1::ExplainResponse& response) {
      request_ = request;
      response = response_;
      return grpc::Status::OK;
    };
    // Ethanol against water and methane: O agrees to depth 1, a C by its label alone, and a C is left.
    *response_.mutable_graph_a() = Ethanol("a").graph();
    v1::Graph& b = *response_.mutable_graph_b();
    b.add_labels("O");
    b.add_labels("Na");
    b.add_vertices(0);
    b.add_vertices(1);
    AddPair(0, 1, 0);
    AddPair(2, 0, 2);
    for (const uint32_t overlap : {1, 1}) {
      response_.add_overlaps(overlap);
    }
    response_.add_weights(1);
    response_.add_weights(0.5);
    response_.set_kernel(1.5);
    response_.set_tanimoto(0.25);
    response_.set_cosine(0.5);
    response_.set_vertices_a(3);
    response_.set_vertices_b(2);
    response_.set_sequence(12);
  }

  void AddPair(uint32_t a, uint32_t b, uint32_t levels) {
    v1::ExplainResponse::Pair& pair = *response_.add_pairs();
    pair.set_a(a);
    pair.set_b(b);
    pair.set_levels(levels);
  }

  v1::ExplainRequest request_;
  v1::ExplainResponse response_;
};

TEST_F(ExplainCommandTest, PrintsVerticesLevelsAndSimilaritiesForPeople) {
  const CliResult result = Run({"explain", "x", "y"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            "A x (3 vertices)  B y (2 vertices)  depth 1  sequence 12\n"
            "A  label  B  label  depth\n"
            "0  C      1  Na      none\n"
            "1  C      -\n"
            "2  O      0  O          1\n"
            "\n"
            "level  weight  overlap  weight x overlap\n"
            "    0       1        1                 1\n"
            "    1     0.5        1               0.5\n"
            "\n"
            "kernel       1.5\n"
            "tanimoto  0.2500\n"
            "cosine    0.5000\n");
}

TEST_F(ExplainCommandTest, ListsWhatIsLeftOfTheSecondGraph) {
  response_.mutable_pairs()->RemoveLast();
  EXPECT_THAT(Run({"explain", "x", "y"}).out, HasSubstr("\n2  O      -\n-         0  O\n"));
}

TEST_F(ExplainCommandTest, PrintsTheDocumentedJsonLine) {
  const CliResult result = Run({"explain", "x", "y", "--json"});
  EXPECT_EQ(result.out,
            R"({"a":"x","b":"y","sequence":12,"depth":1,"vertices_a":3,"vertices_b":2,"kernel":1.5,)"
            R"("tanimoto":0.25,"cosine":0.5,"weights":[1,0.5],"overlaps":[1,1],)"
            R"("pairs":[{"a":0,"b":1,"label_a":"C","label_b":"Na","depth":null},)"
            R"({"a":2,"b":0,"label_a":"O","label_b":"O","depth":1}],"unassigned_a":[1],"unassigned_b":[]})"
            "\n");
}

TEST_F(ExplainCommandTest, SendsWhatIsAskedFor) {
  ASSERT_EQ(Run({"explain", "x", "y", "--depth", "1", "--weights", "1,0.5", "--min-sequence", "4"}).code, 0);
  EXPECT_EQ(request_.a().id(), "x");
  EXPECT_EQ(request_.b().id(), "y");
  EXPECT_EQ(request_.depth(), 1u);
  EXPECT_THAT(request_.weights(), testing::ElementsAre(1, 0.5));
  EXPECT_EQ(request_.min_sequence(), 4u);
  EXPECT_TRUE(request_.with_graphs());
}

TEST_F(ExplainCommandTest, TakesIdsAndMoleculesInTheOrderTheyAreWritten) {
  ASSERT_EQ(Run({"explain", "--smiles", "CCO", "y"}).code, 0);
  EXPECT_EQ(request_.a().graph().vertices_size(), 3);
  EXPECT_EQ(request_.b().id(), "y");
  ASSERT_EQ(Run({"explain", "x", "--smiles", "[Na+]"}).code, 0);
  EXPECT_EQ(request_.a().id(), "x");
  EXPECT_EQ(request_.b().graph().labels(0), "Na");
  ASSERT_EQ(Run({"explain", "--smiles", "CC", "--edge-labels", "no", "--smiles", "N"}).code, 0);
  EXPECT_EQ(request_.a().graph().edge_labels_size(), 0);
  EXPECT_EQ(request_.b().graph().labels(0), "N");
}

TEST_F(ExplainCommandTest, WantsTwoGraphs) {
  EXPECT_EQ(Run({"explain"}).code, 64);
  const CliResult one = Run({"explain", "x"});
  EXPECT_EQ(one.code, 64);
  EXPECT_THAT(one.err, HasSubstr("explain takes two graphs, ids or --smiles, not 1"));
  EXPECT_EQ(Run({"explain", "x", "y", "z"}).code, 64);
  EXPECT_EQ(Run({"explain", "x", "y", "--smiles", "C"}).code, 64);
  const CliResult bad = Run({"explain", "x", "--smiles", "C(("});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.err, HasSubstr("--smiles C((: "));
}

TEST_F(ExplainCommandTest, DrawsIntoAFileOrInsteadOfTheTable) {
  const std::string file = Path("pair.svg");
  const CliResult both = Run({"explain", "x", "y", "--svg", file});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_THAT(both.out, StartsWith("A x (3 vertices)"));
  EXPECT_THAT(ReadFile(file), HasSubstr("tanimoto 0.2500"));
  const CliResult alone = Run({"explain", "x", "y", "--svg", "-"});
  EXPECT_EQ(alone.out, ReadFile(file));
}

TEST_F(ExplainCommandTest, SaysWhatIsNoMoleculeAndLeavesNoFile) {
  response_.mutable_graph_b()->set_labels(1, "red");
  const CliResult result = Run({"explain", "x", "y", "--svg", Path("none.svg")});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, StartsWith("A x (3 vertices)"));
  EXPECT_EQ(result.err, "kindred: y is not drawn: vertex 1 has the label \"red\", which names no element\n");
  EXPECT_FALSE(std::filesystem::exists(Path("none.svg")));
}

TEST_F(ExplainCommandTest, TrustsNoAnswerThatContradictsItself) {
  AddPair(1, 2, 0);
  EXPECT_EQ(Run({"explain", "x", "y"}).code, 1);
  response_.mutable_pairs()->RemoveLast();
  response_.mutable_graph_a()->set_vertices(0, 7);
  const CliResult result = Run({"explain", "x", "y"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "kindred: the daemon's answer contradicts itself\n");
}

}  // namespace
}  // namespace kindred::cli
