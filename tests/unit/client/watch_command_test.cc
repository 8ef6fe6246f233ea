// kindred watch: what it asks for and what it prints.

#include <csignal>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/client/cli_harness.h"
#include "tests/unit/client/fake_watch.h"

namespace kindred::cli {
namespace {

using client::WatchMessage;
using ::testing::HasSubstr;
using Writer = grpc::ServerWriter<v1::WatchResponse>;

class WatchCommandTest : public CliTest {
 protected:
  // Says these, and then waits until nobody listens any more.
  void Say(std::vector<v1::WatchResponse> messages) {
    server_.index.watch = [this, messages](const v1::WatchRequest& request, Writer& writer) {
      asked_ = request;
      for (const v1::WatchResponse& message : messages) {
        writer.Write(message);
      }
      while (writer.Write(WatchMessage(messages.back().sequence()))) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      return grpc::Status::OK;
    };
  }

  v1::WatchRequest asked_;
};

TEST_F(WatchCommandTest, PrintsALineAMatchAndWhereToGoOn) {
  Say({WatchMessage(5, {}, 2), WatchMessage(7, {{6, "ethanol", "CCO"}, {7, "two\nlines", "CCO"}})});
  const CliResult result =
      Run({"watch", "--smiles", "CCO", "--min-similarity", "0.5", "--once", "--after", "5"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            "  sequence  similarity  id                    query\n"
            "         6      0.7500  ethanol               CCO\n"
            "         7      0.7500  two\\x0alines          CCO\n");
  EXPECT_THAT(result.err, HasSubstr("told everything up to sequence 7; --after 7 goes on from there"));
  ASSERT_EQ(asked_.queries_size(), 1);
  EXPECT_EQ(asked_.queries(0).name(), "CCO");
  EXPECT_EQ(asked_.queries(0).min_similarity(), 0.5);
  EXPECT_EQ(asked_.queries(0).graph().graph().vertices_size(), 3);
  EXPECT_EQ(asked_.after_sequence(), 5u);
  EXPECT_EQ(asked_.molecule_scheme(), "element,bonds");
}

TEST_F(WatchCommandTest, AsJsonALineAMatchAndOneAPosition) {
  v1::WatchResponse message = WatchMessage(7, {{6, "a", "x"}, {7, "b", "x"}});
  message.mutable_matches(0)->set_payload("CCO");
  message.mutable_matches(1)->add_tags()->set_key("source");
  Say({WatchMessage(5, {}, 2), message});
  server_.index.get = [](const v1::GetRequest&, v1::GetResponse& response) {
    response.add_entries()->mutable_record()->mutable_graph()->add_labels("C");
    return grpc::Status::OK;
  };
  const CliResult result = Run({"watch", "--id", "x", "--min-similarity", "3", "--measure", "kernel",
                                "--depth", "1", "--weights", "1,2", "--once", "--json", "--fields", "both"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(
      result.out,
      "{\"position\":5,\"behind\":2}\n"
      "{\"sequence\":6,\"id\":\"a\",\"query\":\"x\",\"kernel\":12,\"similarity\":0.75,\"payload\":\"CCO\"}\n"
      "{\"sequence\":7,\"id\":\"b\",\"query\":\"x\",\"kernel\":12,\"similarity\":0.75,\"tags\":{\"source\":"
      "\"\"}}\n"
      "{\"position\":7,\"behind\":0}\n");
  EXPECT_EQ(asked_.measure(), v1::MEASURE_KERNEL);
  EXPECT_EQ(asked_.depth(), 1u);
  EXPECT_EQ(asked_.weights_size(), 2);
  EXPECT_TRUE(asked_.with_payload() && asked_.with_tags());
  EXPECT_FALSE(asked_.has_after_sequence());
}

TEST_F(WatchCommandTest, APayloadThatIsNoTextIsBase64AndTheFilterIsAskedFor) {
  v1::WatchResponse message = WatchMessage(6, {{6, "a", "C"}});
  message.mutable_matches(0)->set_payload("\xff\x01");
  Say({message});
  const CliResult result = Run({"watch", "--smiles", "C", "--min-similarity", "1", "--once", "--json",
                                "--fields", "payload", "--filter", "source = demo"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"payload_base64\":\"/wE=\"}"));
  EXPECT_EQ(asked_.filter(), "source = demo");
}

TEST_F(WatchCommandTest, WatchesForEachGraphOfAFile) {
  Say({WatchMessage(5)});
  const std::string file = WriteFile("q.jsonl",
                                     "{\"id\":\"one\",\"vertices\":[\"C\"],\"edges\":[]}\n"
                                     "{\"id\":\"bad\",\"vertices\":[],\"edges\":[[0,1]]}\n"
                                     "{\"id\":\"two\",\"vertices\":[\"N\"],\"edges\":[]}\n");
  const CliResult result = Run({"watch", "--file", file, "--min-similarity", "1", "--once"});
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("q.jsonl:2: bad: "));
  ASSERT_EQ(asked_.queries_size(), 2);
  EXPECT_EQ(asked_.queries(0).name(), "one");
  EXPECT_EQ(asked_.queries(1).name(), "two");
}

TEST_F(WatchCommandTest, EndsWellWithCtrlC) {
  server_.index.watch = [](const v1::WatchRequest&, Writer& writer) {
    writer.Write(WatchMessage(5));
    writer.Write(WatchMessage(6, {{6, "a", "q"}}));
    ::raise(SIGINT);
    while (writer.Write(WatchMessage(6))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return grpc::Status::OK;
  };
  const CliResult result = Run({"watch", "--smiles", "C", "--min-similarity", "1", "--json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("goes on from there"));
}

TEST_F(WatchCommandTest, SaysWhenTheDaemonIsLostAndBack) {
  int calls = 0;
  server_.index.watch = [&](const v1::WatchRequest& request, Writer& writer) {
    if (++calls == 1) {
      writer.Write(WatchMessage(5, {}, 1));
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "kindredd is stopping");
    }
    EXPECT_EQ(request.after_sequence(), 5u);
    writer.Write(WatchMessage(5, {}, 1));
    while (writer.Write(WatchMessage(6))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return grpc::Status::OK;
  };
  const CliResult result = Run({"watch", "--smiles", "C", "--min-similarity", "1", "--once"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("lost the daemon at "));
  EXPECT_THAT(result.err, HasSubstr("the daemon is back; going on behind sequence 5"));
}

TEST_F(WatchCommandTest, WrongUsageAndRefusalsAreSaid) {
  EXPECT_EQ(Run({"watch", "--smiles", "C"}).code, 64);
  EXPECT_EQ(Run({"watch", "--min-similarity", "0.5"}).code, 64);
  EXPECT_EQ(Run({"watch", "--smiles", "C", "--id", "x", "--min-similarity", "0.5"}).code, 64);
  EXPECT_EQ(Run({"watch", "--smiles", "C", "--min-similarity", "0.5", "--after", "-1"}).code, 64);
  server_.index.watch = [](const v1::WatchRequest&, Writer&) {
    return grpc::Status(grpc::StatusCode::OUT_OF_RANGE, "after_sequence: 9 is beyond the last commit, 3");
  };
  const CliResult beyond = Run({"watch", "--smiles", "C", "--min-similarity", "0.5", "--after", "9"});
  EXPECT_EQ(beyond.code, 1);
  EXPECT_EQ(beyond.err, "kindred: after_sequence: 9 is beyond the last commit, 3\n");
  EXPECT_THAT(Run({"watch", "--smiles", "C(", "--min-similarity", "0.5"}).err, HasSubstr("--smiles: "));
}

}  // namespace
}  // namespace kindred::cli
