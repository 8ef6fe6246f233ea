// What is counted in the bytes of a request is what parsing them would give, however they lie in memory.

#include "daemon/graph_sizes.h"

#include <random>
#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "gtest/gtest.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {
namespace {

using ::testing::HasSubstr;

Limits SmallLimits() {
  Limits limits;
  limits.labels_max = 10;
  limits.vertices_max = 100;
  limits.edges_max = 120;
  return limits;
}

v1::Graph GraphOf(uint32_t labels, uint32_t vertices, uint32_t edges) {
  v1::Graph graph;
  for (uint32_t i = 0; i < labels; ++i) {
    graph.add_labels("label " + std::to_string(i));
  }
  for (uint32_t i = 0; i < vertices; ++i) {
    graph.add_vertices(i % 2 == 0 ? i : i << 20);  // Varints of one byte to four.
  }
  for (uint32_t i = 0; i < 2 * edges; ++i) {
    graph.add_edges(i);
  }
  return graph;
}

// In blocks of so many bytes, as a message that came in many frames.
template <typename Message>
absl::StatusOr<LargeGraphs> Find(const Message& message, int block_bytes = -1) {
  const std::string bytes = message.SerializeAsString();
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()), block_bytes);
  return FindLargeGraphs(stream, *Message::descriptor(), SmallLimits());
}

v1::SearchRequest SearchFor(const v1::Graph& graph) {
  v1::SearchRequest request;
  *request.mutable_graph() = graph;
  request.add_exclude_ids("x");
  return request;
}

TEST(GraphSizes, RefusesOneMoreThanTheLimitAndNotTheLimit) {
  for (const int block_bytes : {-1, 1, 2, 3, 7, 64}) {
    SCOPED_TRACE(block_bytes);
    const auto fits = Find(SearchFor(GraphOf(10, 100, 120)), block_bytes);
    ASSERT_TRUE(fits.ok());
    EXPECT_TRUE(fits->refused.empty());
    for (const auto& [graph, message] :
         {std::pair(GraphOf(11, 100, 120), "graph.labels: 11 is over the limit labels_max = 10"),
          std::pair(GraphOf(10, 101, 120), "graph.vertices: 101 is over the limit vertices_max = 100"),
          std::pair(GraphOf(10, 100, 121), "graph.edges: 121 is over the limit edges_max = 120")}) {
      const auto over = Find(SearchFor(graph), block_bytes);
      ASSERT_TRUE(over.ok());
      ASSERT_EQ(over->refused.size(), 1u);
      EXPECT_EQ(over->refused[0].status.code(), absl::StatusCode::kResourceExhausted);
      EXPECT_EQ(std::string(over->refused[0].status.message()), message);
    }
  }
}

TEST(GraphSizes, NamesTheRecordsThatAreOver) {
  v1::PutRequest request;
  for (const uint32_t vertices : {5, 101, 100, 200}) {
    v1::Record& record = *request.add_records();
    record.set_id("r");
    record.add_tags()->set_key("k");
    *record.mutable_graph() = GraphOf(2, vertices, 3);
  }
  const auto found = Find(request, 11);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->items, 4);
  ASSERT_EQ(found->refused.size(), 2u);
  EXPECT_EQ(found->refused[0].index, 1);
  EXPECT_EQ(found->refused[1].index, 3);
  EXPECT_THAT(std::string(found->refused[1].status.message()), HasSubstr("records[3].graph.vertices: 200"));
}

TEST(GraphSizes, GoesAsDeepAsGraphsLie) {
  v1::RecommendRequest request;
  *request.add_liked()->mutable_graph()->mutable_graph() = GraphOf(1, 1, 0);
  *request.add_liked()->mutable_graph()->mutable_graph() = GraphOf(1, 1, 0);
  *request.add_disliked()->mutable_graph()->mutable_graph() = GraphOf(1, 101, 0);
  const auto found = Find(request);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->refused.size(), 1u);
  EXPECT_THAT(std::string(found->refused[0].status.message()),
              HasSubstr("disliked[0].graph.graph.vertices: 101"));
}

TEST(GraphSizes, CountsNumbersThatAreNotPacked) {
  std::string graph;
  for (int i = 0; i < 101; ++i) {
    graph += std::string("\x10\x81\x01", 3);  // Field 2, a varint of two bytes.
  }
  std::string request = "\x0a";
  google::protobuf::io::StringOutputStream out(&request);
  google::protobuf::io::CodedOutputStream(&out).WriteVarint32(static_cast<uint32_t>(graph.size()));
  const std::string bytes = request + graph;
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()), 5);
  const auto found = FindLargeGraphs(stream, *v1::SearchRequest::descriptor(), SmallLimits());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->refused.size(), 1u);
}

// What has the number of a field and another wire type is unknown to protobuf, and no part of the graph.
TEST(GraphSizes, DoesNotCountFieldsOfAnotherKind) {
  std::string graph;
  for (int i = 0; i < 101; ++i) {
    graph += std::string("\x08\x01", 2);              // Labels, as varints.
    graph += std::string("\x15\x01\x00\x00\x00", 5);  // Vertices, as fixed32.
  }
  v1::SearchRequest request;
  ASSERT_TRUE(request.mutable_graph()->ParseFromString(graph));
  ASSERT_EQ(request.graph().labels_size() + request.graph().vertices_size(), 0);
  const auto found = Find(request, 3);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->refused.empty());
}

// Bytes that are no message are refused, or looked at without harm and left to the parser.
TEST(GraphSizes, TakesAnyBytes) {
  const uint64_t seed = 20261118;
  SCOPED_TRACE(seed);
  std::mt19937_64 rng(seed);
  const std::string good = SearchFor(GraphOf(10, 100, 120)).SerializeAsString();
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good.substr(0, rng() % good.size());
    for (int flips = static_cast<int>(rng() % 4); flips > 0 && !bytes.empty(); --flips) {
      bytes[rng() % bytes.size()] = static_cast<char>(rng());
    }
    google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()),
                                                  static_cast<int>(rng() % 20 + 1));
    const auto found = FindLargeGraphs(stream, *v1::SearchRequest::descriptor(), SmallLimits());
    refused += found.ok() ? 0 : 1;
    if (v1::SearchRequest parsed; parsed.ParseFromString(bytes) && parsed.graph().vertices_size() <= 100) {
      EXPECT_TRUE(found.ok()) << "round " << round << ": the parser takes it";
    }
  }
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace kindred::daemon
