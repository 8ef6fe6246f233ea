// kindred search --svg: the query and its hits as a picture.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_records.h"

namespace kindred::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class SearchPictureTest : public CliTest {
 protected:
  SearchPictureTest() {
    server_.index.search = [this](const v1::SearchRequest&, v1::SearchResponse& response) {
      for (const std::string& id : hits_) {
        v1::Hit& hit = *response.add_hits();
        hit.set_id(id);
        hit.set_kernel(60);
        hit.set_similarity(0.652);
      }
      return grpc::Status::OK;
    };
    server_.index.get = GetKnown;
    server_.index.stats = [](const v1::StatsRequest&, v1::StatsResponse&) { return grpc::Status::OK; };
  }

  std::vector<std::string> hits_ = {"a", "b"};
};

TEST_F(SearchPictureTest, DrawsBesideTheTable) {
  const std::string file = Path("near.svg");
  const CliResult result = Run({"search", "--smiles", "c1ccccc1", "--svg", file});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("query c1ccccc1"));
  EXPECT_THAT(ReadFile(file), AllOf(HasSubstr(">c1ccccc1</text>"), HasSubstr(">a</text>"),
                                    HasSubstr(">b</text>"), HasSubstr(">tanimoto 0.6520</text>")));
}

TEST_F(SearchPictureTest, DrawsInsteadOfTheTable) {
  const CliResult result = Run({"search", "--id", "a", "--measure", "kernel", "--svg", "-"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("<?xml"), HasSubstr(">kernel 60</text>")));
}

TEST_F(SearchPictureTest, ReportsAHitThatCannotBeDrawn) {
  hits_ = {"a", "gone"};
  const CliResult result = Run({"search", "--id", "a", "--svg", Path("near.svg")});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err, "kindred: gone is not drawn: it is no longer stored\n");
  EXPECT_THAT(ReadFile(Path("near.svg")), HasSubstr(">no longer stored</text>"));
}

TEST_F(SearchPictureTest, RefusesAQueryThatCannotBeDrawn) {
  const CliResult result = Run({"search", "--id", "gone", "--svg", Path("near.svg")});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "kindred: gone is not drawn: it is no longer stored\n");
  EXPECT_FALSE(std::filesystem::exists(Path("near.svg")));
}

TEST_F(SearchPictureTest, AsksForLessWhenTheAnswerWouldBeTooLarge) {
  server_.index.get = [](const v1::GetRequest& request, v1::GetResponse& response) {
    return request.ids_size() > 1 ? grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too large")
                                  : GetKnown(request, response);
  };
  EXPECT_EQ(Run({"search", "--id", "a", "--svg", Path("near.svg")}).code, 0);
}

TEST_F(SearchPictureTest, HitsAtTheEdgeOfTheLimit) {
  EXPECT_EQ(Run({"search", "--id", "a", "-k", "100", "--svg", Path("near.svg")}).code, 0);
  const CliResult result = Run({"search", "--id", "a", "-k", "101", "--svg", Path("more.svg")});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err, "kindred: -k: 101 is more than the 100 that --svg draws\n");
  EXPECT_FALSE(std::filesystem::exists(Path("more.svg")));
}

TEST_F(SearchPictureTest, DrawsOneQueryOnly) {
  EXPECT_EQ(Run({"search", "--file", "x.smi", "--svg", "x.svg"}).code, 64);
  EXPECT_EQ(Run({"search", "--id", "a", "--svg", Path("no/such/place.svg")}).code, 1);
}

}  // namespace
}  // namespace kindred::cli
