// kindred search: what it asks for, what it prints, and files of queries.

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"

namespace kindred::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class SearchCommandTest : public CliTest {
 protected:
  SearchCommandTest() {
    server_.index.search = [this](const v1::SearchRequest& request, v1::SearchResponse& response) {
      request_ = request;
      if (request.graph().vertices_size() == 1) {
        return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "graph.vertices: too few for this test");
      }
      response.set_sequence(12);
      v1::Hit& hit = *response.add_hits();
      hit.set_id("a");
      hit.set_kernel(60);
      hit.set_similarity(0.652);
      hit.set_vertices(23);
      if (request.with_payload()) {
        hit.set_payload("CCO");
      }
      if (request.with_tags()) {
        v1::Tag& tag = *hit.add_tags();
        tag.set_key("source");
        tag.set_value("demo");
      }
      response.mutable_stats()->set_postings_read(7);
      response.mutable_stats()->set_candidates(2);
      response.mutable_stats()->set_micros(31);
      response.mutable_stats()->set_blocks_bounded(5);
      response.mutable_stats()->set_blocks_scored(1);
      return grpc::Status::OK;
    };
    server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse& response) {
      response.set_depth(3);
      return grpc::Status::OK;
    };
  }

  v1::SearchRequest request_;
};

TEST_F(SearchCommandTest, PrintsTheDocumentedJsonLine) {
  const CliResult result = Run({"search", "--smiles", "CCO", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(
      result.out,
      R"({"query":"CCO","sequence":12,"hits":[{"id":"a","kernel":60,"similarity":0.652,"vertices":23}],)"
      R"("stats":{"postings_read":7,"candidates":2,"micros":31,"blocks_bounded":5,"blocks_scored":1}})"
      "\n");
}

TEST_F(SearchCommandTest, PrintsATableWithPayloadsForPeople) {
  const CliResult result = Run({"search", "--id", "a"});
  EXPECT_EQ(result.out,
            "query a  measure tanimoto  depth 3  sequence 12  31 us\n"
            "rank  id  similarity  kernel  payload\n"
            "   1  a       0.6520      60  CCO\n");
  EXPECT_THAT(Run({"search", "--id", "a", "--fields", "none"}).out,
              HasSubstr("rank  id  similarity  kernel\n"));
  EXPECT_THAT(Run({"search", "--id", "a", "--fields", "both"}).out,
              HasSubstr("rank  id  similarity  kernel  payload  tags\n"
                        "   1  a       0.6520      60  CCO      source=demo\n"));
}

TEST_F(SearchCommandTest, PrintsFieldsOfHitsAsJsonWhenToldTo) {
  EXPECT_THAT(Run({"search", "--id", "a", "--json", "--fields", "both"}).out,
              HasSubstr(R"("vertices":23,"payload":"CCO","tags":{"source":"demo"}}])"));
  EXPECT_THAT(Run({"search", "--id", "a", "--json", "--fields", "tags"}).out,
              HasSubstr(R"("vertices":23,"tags":{"source":"demo"}}])"));
}

TEST_F(SearchCommandTest, SendsWhatIsAskedFor) {
  ASSERT_EQ(
      Run({"search", "--id", "a", "-k", "5", "--measure", "cosine", "--min-similarity", "0.5", "--depth", "2",
           "--weights", "1,0.5,0", "--mode", "exhaustive", "--min-sequence", "4", "--threads", "2"})
          .code,
      0);
  EXPECT_EQ(request_.id(), "a");
  EXPECT_EQ(request_.k(), 5u);
  EXPECT_EQ(request_.measure(), v1::MEASURE_COSINE);
  EXPECT_EQ(request_.min_similarity(), 0.5);
  EXPECT_EQ(request_.depth(), 2u);
  EXPECT_THAT(request_.weights(), testing::ElementsAre(1, 0.5, 0));
  EXPECT_EQ(request_.mode(), v1::SEARCH_MODE_EXHAUSTIVE);
  EXPECT_EQ(request_.min_sequence(), 4u);
  EXPECT_EQ(request_.threads(), 2u);
  ASSERT_EQ(Run({"search", "--id", "a"}).code, 0);
  EXPECT_EQ(request_.threads(), 1u);
}

TEST_F(SearchCommandTest, SendsFiltersAndExcludedIds) {
  ASSERT_EQ(Run({"search", "--id", "a", "--filter", "x = y", "--exclude", "b", "--exclude", "c,d"}).code, 0);
  EXPECT_EQ(request_.filter(), "x = y");
  EXPECT_THAT(request_.exclude_ids(), testing::ElementsAre("b", "c,d"));
  EXPECT_TRUE(request_.with_payload());
  EXPECT_FALSE(request_.with_tags());
  ASSERT_EQ(Run({"search", "--id", "a", "--json"}).code, 0);
  EXPECT_EQ(request_.filter(), "");
  EXPECT_EQ(request_.exclude_ids_size(), 0);
  EXPECT_FALSE(request_.with_payload());
  EXPECT_FALSE(request_.has_after());
}

TEST_F(SearchCommandTest, GoesOnAfterAHitAsJsonPrintedIt) {
  const std::string line = Run({"search", "--id", "a", "--json"}).out;
  const std::string hit = R"({"id":"a","kernel":60,"similarity":0.652,"vertices":23})";
  for (const std::string& after : {line, hit}) {
    ASSERT_EQ(Run({"search", "--id", "a", "--after", after}).code, 0);
    EXPECT_EQ(request_.after().id(), "a");
    EXPECT_EQ(request_.after().kernel(), 60);
    EXPECT_EQ(request_.after().similarity(), 0.652);
    EXPECT_EQ(request_.after().vertices(), 23u);
  }
  for (const char* bad :
       {"x", "{}", "[]", R"({"hits":[]})", R"({"hits":3})", R"({"id":"a","kernel":1,"similarity":1})",
        R"({"id":"a","kernel":"1","similarity":1,"vertices":1})"}) {
    const CliResult result = Run({"search", "--id", "a", "--after", bad});
    EXPECT_EQ(result.code, 1) << bad;
    EXPECT_THAT(result.err, HasSubstr("--after: ")) << bad;
  }
  EXPECT_EQ(Run({"search", "--id", "a", "--after", hit, "--page", "2"}).code, 64);
  EXPECT_EQ(Run({"search", "--file", WriteFile("q.smi", "CCO\n"), "--page", "2"}).code, 64);
  EXPECT_EQ(Run({"search", "--id", "a", "--page", "0"}).code, 64);
}

TEST_F(SearchCommandTest, FindsAPageBehindThoseBeforeIt) {
  std::vector<v1::SearchRequest> requests;
  server_.index.search = [&](const v1::SearchRequest& request, v1::SearchResponse& response) {
    requests.push_back(request);
    const int begin = request.has_after() ? std::stoi(request.after().id()) + 1 : 0;
    for (int i = begin; i < 5 && i < begin + static_cast<int>(request.k()); ++i) {
      response.add_hits()->set_id(std::to_string(i));
    }
    return grpc::Status::OK;
  };
  const std::string second = Run({"search", "--id", "a", "-k", "2", "--page", "2", "--fields", "tags"}).out;
  EXPECT_THAT(second, HasSubstr("\n   3  2 "));
  EXPECT_THAT(second, HasSubstr("\n   4  3 "));
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_FALSE(requests[0].with_tags());
  EXPECT_TRUE(requests[1].with_tags());
  EXPECT_EQ(requests[1].after().id(), "1");
  EXPECT_THAT(Run({"search", "--id", "a", "-k", "2", "--page", "3"}).out, HasSubstr("\n   5  4 "));
  requests.clear();
  const CliResult beyond = Run({"search", "--id", "a", "-k", "2", "--page", "9"});
  EXPECT_EQ(beyond.code, 0);
  EXPECT_THAT(beyond.out, HasSubstr("no graph comes after those\n"));
  EXPECT_EQ(requests.size(), 3u) << "the third was not full";
}

TEST_F(SearchCommandTest, ReadsBondTypesUnlessToldNotTo) {
  ASSERT_EQ(Run({"search", "--smiles", "CCO"}).code, 0);
  EXPECT_EQ(request_.graph().edge_labels_size(), 2);
  ASSERT_EQ(Run({"search", "--smiles", "CCO", "--edge-labels", "no"}).code, 0);
  EXPECT_EQ(request_.graph().edge_labels_size(), 0);
  EXPECT_EQ(Run({"search", "--smiles", "C(("}).code, 1);
}

TEST_F(SearchCommandTest, MakesGraphsAsTheIndexDoesUnlessToldOtherwise) {
  ASSERT_EQ(Run({"search", "--smiles", "CCO"}).code, 0);
  EXPECT_EQ(request_.molecule_scheme(), "element,bonds") << "the index has none yet";
  server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse& response) {
    response.set_molecule_scheme("ecfp");
    return grpc::Status::OK;
  };
  ASSERT_EQ(Run({"search", "--smiles", "CCO"}).code, 0);
  EXPECT_EQ(request_.molecule_scheme(), "ecfp");
  EXPECT_EQ(request_.graph().labels(0), "C;D1;V1;H3");
  EXPECT_EQ(request_.graph().edge_labels_size(), 0);
  ASSERT_EQ(Run({"search", "--file", WriteFile("q.smi", "CCO\tx\n")}).code, 0);
  EXPECT_EQ(request_.molecule_scheme(), "ecfp");
  ASSERT_EQ(Run({"search", "--smiles", "CCO", "--labels", "element", "--hydrogens", "keep"}).code, 0);
  EXPECT_EQ(request_.molecule_scheme(), "element,hydrogens") << "the daemon's to refuse";
  const CliResult refused = Run({"search", "--file", WriteFile("q.smi", "CCO\tx\n"), "--labels", "element"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err,
              HasSubstr("molecule_scheme: is 'element', but the molecules of this index are 'ecfp'"));
  ASSERT_EQ(Run({"search", "--id", "a"}).code, 0);
  EXPECT_EQ(request_.molecule_scheme(), "") << "a stored graph is what it is";
}

TEST_F(SearchCommandTest, SearchesForEachGraphOfAFileAndReportsTheBadOnesInOrder) {
  const std::string file = WriteFile("q.smi", "CCO\tone\nN\ttwo\nC((\tthree\nC\tfour\nCCC\tfive\n");
  const CliResult result = Run({"search", "--file", file, "--json"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2);
  EXPECT_THAT(result.out, StartsWith("{\"query\":\"one\""));
  EXPECT_THAT(result.out, HasSubstr("\n{\"query\":\"five\""));
  const std::string two = file + ":2: two: graph.vertices: too few for this test\n";
  const std::string three = file + ":3: three: ";
  const std::string four = file + ":4: four: graph.vertices: too few for this test\n";
  EXPECT_THAT(result.err, StartsWith("kindred: " + two + "kindred: " + three));
  EXPECT_THAT(result.err, EndsWith("\nkindred: " + four));
  EXPECT_EQ(Run({"search", "--file", Path("missing.smi")}).code, 1);
}

TEST_F(SearchCommandTest, PrintsTheTablesOfAFileInItsOrder) {
  const CliResult result = Run({"search", "--file", WriteFile("q.smi", "CCO\tone\nCCC\ttwo\n")});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string table =
      "  measure tanimoto  depth 3  sequence 12  31 us\n"
      "rank  id  similarity  kernel  payload\n"
      "   1  a       0.6520      60  CCO\n";
  EXPECT_EQ(result.out, "query one" + table + "\nquery two" + table);
}

// The daemon answers with its own pace; the command never asks for all of a long file at once.
TEST_F(SearchCommandTest, AnswersALongFileInItsOrder) {
  std::string text;
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    names.push_back("{\"query\":\"q" + std::to_string(i) + "\"");
    text += "CCO\tq" + std::to_string(i) + "\n";
  }
  const CliResult result = Run({"search", "--file", WriteFile("q.smi", text), "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out);
  std::vector<std::string> queries;
  for (std::string line; std::getline(lines, line);) {
    queries.push_back(line.substr(0, line.find(',')));
  }
  EXPECT_EQ(queries, names);
}

TEST_F(SearchCommandTest, AnErrorThatIsNotTheGraphsEndsTheRun) {
  server_.index.search = [](const v1::SearchRequest& request, v1::SearchResponse&) {
    return request.graph().vertices_size() == 1
               ? grpc::Status(grpc::StatusCode::FAILED_PRECONDITION, "min_sequence: not there yet")
               : grpc::Status::OK;
  };
  const std::string file = WriteFile("q.smi", "CCO\tone\nC\ttwo\nCCC\tthree\n");
  const CliResult result = Run({"search", "--file", file, "--json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
  EXPECT_EQ(result.err, "kindred: min_sequence: not there yet\n");
}

TEST_F(SearchCommandTest, ADaemonThatGoesInTheMiddleExits69AfterWhatItAnswered) {
  server_.index.search_stream = [](client::FakeIndex::SearchCall& call) {
    v1::SearchRequest request;
    call.Read(&request);
    v1::SearchStreamResponse answer;
    answer.mutable_response();
    call.Write(answer);
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "kindredd is stopping");
  };
  const CliResult result = Run({"search", "--file", WriteFile("q.smi", "CCO\tone\nCC\ttwo\n"), "--json"});
  EXPECT_EQ(result.code, 69);
  EXPECT_THAT(result.out, StartsWith("{\"query\":\"one\""));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
  EXPECT_THAT(result.err, HasSubstr("takes no work: kindredd is stopping"));
}

}  // namespace
}  // namespace kindred::cli
