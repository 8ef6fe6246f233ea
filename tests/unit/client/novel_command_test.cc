// kindred novel against a fake daemon.

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_ingest.h"

namespace kindred::cli {
namespace {

using testing::HasSubstr;

class NovelCommandTest : public CliTest {
 protected:
  // Stores what it gets, but of ids that start with "copy" says that they are not novel.
  NovelCommandTest() {
    server_.index.ingest = [this](client::FakeIndex::IngestCall& call) {
      v1::IngestRequest request;
      call.Read(&request);
      open_ = request.open();
      v1::IngestResponse opened;
      opened.mutable_opened();
      call.Write(opened);
      while (call.Read(&request)) {
        call.Write(Store(request.frame()));
      }
      return grpc::Status::OK;
    };
  }

  static v1::IngestResponse Store(const v1::IngestFrame& frame) {
    v1::IngestResponse response;
    v1::IngestAck& ack = *response.mutable_ack();
    ack.set_client_sequence(frame.client_sequence());
    for (int i = 0; i < frame.items_size(); ++i) {
      const std::string id = client::PutOf(frame.items(i)).id();
      if (!id.starts_with("copy")) {
        ack.set_inserted(ack.inserted() + 1);
        continue;
      }
      v1::IngestAck::NotNovel& not_novel = *ack.add_not_novel();
      not_novel.set_client_sequence(frame.client_sequence());
      not_novel.set_item(static_cast<uint32_t>(i));
      not_novel.set_id(id);
      not_novel.mutable_closest()->set_id("original");
      not_novel.mutable_closest()->set_kernel(12);
      not_novel.mutable_closest()->set_similarity(0.75);
      not_novel.mutable_closest()->set_identity(
          static_cast<v1::ClosestGraph::Identity>(1 + (id.back() - '0') % 4));
    }
    return response;
  }

  v1::IngestOpen open_;
};

TEST_F(NovelCommandTest, PrintsWhatIsNotNovelAndSumsUp) {
  const CliResult result = Run({"novel", "--min-similarity", "0.75",
                                WriteFile("a.smi", "CCO\tx\nCC\tcopy0\nCC\tcopy1\nCC\tcopy2\nCC\tcopy3\n")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, testing::MatchesRegex("id     closest   similarity  identity\n"
                                                "copy0  original      0.7500  different\n"
                                                "copy1  original      0.7500  equal histogram\n"
                                                "copy2  original      0.7500  isomorphic\n"
                                                "copy3  original      0.7500  undecided\n"
                                                "\n"
                                                "read +5\nstored +1\nreplaced +0\nnot_novel +4\nrejected +0\n"
                                                "seconds +[0-9.]+\ngraphs/s +[0-9]+\n"));
  EXPECT_EQ(result.err, "");
}

TEST_F(NovelCommandTest, SaysSoInJson) {
  const std::string path = WriteFile("a.smi", "CCO\tx\nCC\tcopy2\n");
  const CliResult result = Run({"novel", "--min-similarity", "0.75", "--json", path});
  EXPECT_EQ(result.code, 0) << result.err;
  const size_t end = result.out.find('\n');
  const auto line = nlohmann::json::parse(result.out.substr(0, end));
  EXPECT_EQ(line,
            nlohmann::json(
                {{"id", "copy2"},
                 {"file", path},
                 {"position", 2},
                 {"closest",
                  {{"id", "original"}, {"kernel", 12}, {"similarity", 0.75}, {"identity", "isomorphic"}}}}));
  const auto summary = nlohmann::json::parse(result.out.substr(end + 1));
  EXPECT_EQ(summary["read"], 2);
  EXPECT_EQ(summary["stored"], 1);
  EXPECT_EQ(summary["not_novel"], 1);
  EXPECT_EQ(summary["rejected"], 0);
  EXPECT_EQ(summary["unacknowledged"], 0);
}

TEST_F(NovelCommandTest, SendsTheRule) {
  const CliResult result = Run({"novel", "--min-similarity", "20", "--measure", "kernel", "--depth", "1",
                                "--weights", "1,2", "--filter", "source = x", "--isomorphic", "--mode",
                                "insert", "--client-id", "me", WriteFile("a.smi", "CCO\tx\n")});
  EXPECT_EQ(result.code, 0) << result.err;
  const v1::NoveltyRule& rule = open_.novelty();
  EXPECT_EQ(rule.measure(), v1::MEASURE_KERNEL);
  EXPECT_EQ(rule.min_similarity(), 20);
  EXPECT_EQ(rule.depth(), 1u);
  EXPECT_THAT(rule.weights(), testing::ElementsAre(1, 2));
  EXPECT_EQ(rule.filter(), "source = x");
  EXPECT_TRUE(rule.isomorphic());
  EXPECT_EQ(open_.mode(), v1::WRITE_MODE_INSERT);
  EXPECT_EQ(open_.client_id(), "me");
}

TEST_F(NovelCommandTest, NeedsASimilarity) {
  const CliResult result = Run({"novel", WriteFile("a.smi", "CCO\tx\n")});
  EXPECT_EQ(result.code, 64);
  EXPECT_THAT(result.err, HasSubstr("--min-similarity is required"));
}

// More than are shown in one table.
TEST_F(NovelCommandTest, ListsAllHoweverManyThereAre) {
  std::string smiles;
  for (int i = 0; i < 2'500; ++i) {
    smiles += "CC\tcopy" + std::to_string(i) + "\n";
  }
  const CliResult result = Run({"novel", "--min-similarity", "1", WriteFile("a.smi", smiles)});
  EXPECT_EQ(result.code, 0) << result.err;
  for (int i = 0; i < 2'500; ++i) {
    ASSERT_THAT(result.out, HasSubstr("\ncopy" + std::to_string(i) + " ")) << i;
  }
}

TEST_F(NovelCommandTest, AnIngestHasNoRule) {
  const CliResult result = Run({"ingest", WriteFile("a.smi", "CCO\tx\n")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_FALSE(open_.has_novelty());
  EXPECT_THAT(result.out, testing::Not(HasSubstr("novel")));
}

}  // namespace
}  // namespace kindred::cli
