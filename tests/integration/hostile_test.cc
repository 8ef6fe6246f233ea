// Bad input through the real gRPC interface: a precise error, nothing changed, the daemon goes on.

#include <future>
#include <limits>

#include "grpcpp/generic/generic_stub.h"
#include "tests/integration/hostile_fixture.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_F(HostileTest, RefusesBadGraphs) {
  ExpectRejected({}, "graph.vertices: the graph is empty");
  ExpectRejected(GraphMessage("CC", {{0, 0}}), "graph.edges[0]: joins vertex 0 to itself");
  ExpectRejected(GraphMessage("CC", {{0, 1}, {1, 0}}), "graph.edges[1]: joins vertices 1 and 0, as edges[0]");
  ExpectRejected(GraphMessage("CC", {{0, 2}}), "graph.edges[0]: vertex 2 is out of range");
  ExpectRejected(GraphMessage("CC", {{0, UINT32_MAX}}), "vertex 4294967295 is out of range");
  v1::Graph graph = PathMessage("CC");
  graph.add_vertices(9);
  ExpectRejected(graph, "graph.vertices[2]: label 9 is out of range");
  graph = PathMessage("CC");
  graph.add_edges(0);
  ExpectRejected(graph, "graph.edges: has 3 vertex indices");
  graph = PathMessage("CCC");
  graph.add_edge_labels(1);
  ExpectRejected(graph, "graph.edge_labels: there are 1 for 2 edges");
  graph.add_edge_labels(5);
  ExpectRejected(graph, "graph.edges[1]: label 4 is out of range");
}

TEST_F(HostileTest, RefusesWhatIsOverALimit) {
  const auto over = grpc::StatusCode::RESOURCE_EXHAUSTED;
  ExpectRejected(PathMessage(std::string(101, 'C')),
                 "graph.vertices: 101 is over the limit vertices_max = 100", over);
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t a = 0; a < 17; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      edges.emplace_back(a, b);
    }
  }
  edges.resize(121);
  ExpectRejected(GraphMessage(std::string(17, 'C'), edges), "edges_max = 120", over);
  ExpectRejected(PathMessage("ABCDEFGHIJK"), "labels_max = 10", over);
  v1::Graph graph = PathMessage("C");
  graph.set_labels(0, std::string(21, 'x'));
  ExpectRejected(graph, "graph.labels[0] bytes: 21 is over the limit label_bytes_max = 20", over);
}

TEST_F(HostileTest, RefusesBadRecords) {
  v1::Record record = RecordMessage("", PathMessage("C"));
  EXPECT_THAT(Reject(record).message(), HasSubstr("records[0].id: is empty"));
  record.set_id(std::string(513, 'x'));
  EXPECT_THAT(Reject(record).message(), HasSubstr("records[0].id: has 513 bytes"));
  record.set_id("a");
  record.set_payload(std::string(31, 'x'));
  EXPECT_THAT(Reject(record).message(), HasSubstr("payload_bytes_max = 30"));
  record.clear_payload();
  for (const char* key : {"k", "l"}) {
    record.add_tags()->set_key(key);
  }
  record.mutable_tags(1)->set_key("k");
  EXPECT_THAT(Reject(record).message(), HasSubstr("records[0].tags[1].key: 'k' stands twice"));
  record.mutable_tags(1)->set_key("");
  EXPECT_THAT(Reject(record).message(), HasSubstr("records[0].tags[1].key: is empty"));
  record.mutable_tags(1)->set_key("123456789");
  EXPECT_THAT(Reject(record).message(), HasSubstr("tag_bytes_max = 8"));
  record.mutable_tags(1)->set_key("l");
  record.add_tags()->set_key("m");
  EXPECT_THAT(Reject(record).message(), HasSubstr("tags_max = 2"));
}

TEST_F(HostileTest, RefusesBadBatches) {
  v1::PutRequest request;
  v1::PutResponse response;
  grpc::Status status = stub_->Put(NewContext().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  for (int i = 0; i < 5; ++i) {
    *request.add_records() = RecordMessage(std::to_string(i), PathMessage("C"));
  }
  status = stub_->Put(NewContext().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("records: 5 is over the limit batch_items_max = 4"));
  request.mutable_records()->DeleteSubrange(4, 1);
  request.set_mode(static_cast<v1::WriteMode>(77));
  status = stub_->Put(NewContext().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(HostileTest, RefusesBadSearches) {
  const auto invalid = grpc::StatusCode::INVALID_ARGUMENT;
  ExpectSearchRefused([](auto& r) { r.clear_query(); }, invalid, "query: give a graph or the id");
  ExpectSearchRefused([](auto& r) { r.set_id(""); }, invalid, "id: is empty");
  ExpectSearchRefused([](auto& r) { r.set_k(51); }, grpc::StatusCode::RESOURCE_EXHAUSTED, "k_max = 50");
  ExpectSearchRefused([](auto& r) { r.set_depth(4); }, grpc::StatusCode::FAILED_PRECONDITION, "depth: 4");
  ExpectSearchRefused([](auto& r) { r.set_depth(UINT32_MAX); }, grpc::StatusCode::FAILED_PRECONDITION,
                      "depth: 4294967295");
  ExpectSearchRefused([](auto& r) { r.add_weights(1); }, invalid,
                      "weights: there are 1, but levels 0..3 need 4");
  for (const double weight : {-1.0, kNan, std::numeric_limits<double>::infinity(), 2e6}) {
    ExpectSearchRefused(
        [&](auto& r) {
          r.set_depth(0);
          r.add_weights(weight);
        },
        invalid, "weights[0]: ");
  }
  ExpectSearchRefused(
      [](auto& r) {
        r.set_depth(1);
        r.add_weights(0);
        r.add_weights(0);
      },
      invalid, "weights: all are 0");
  for (const double least : {-0.1, 1.1, kNan}) {
    ExpectSearchRefused([&](auto& r) { r.set_min_similarity(least); }, invalid, "min_similarity: ");
  }
  ExpectSearchRefused([](auto& r) { r.set_measure(static_cast<v1::Measure>(9)); }, invalid, "measure: 9");
  ExpectSearchRefused([](auto& r) { r.set_mode(static_cast<v1::SearchMode>(9)); }, invalid, "mode: 9");
}

TEST_F(HostileTest, RefusesAMessageThatIsTooLarge) {
  v1::PutRequest request;
  v1::Record& record = *request.add_records();
  record.set_id("large");
  record.set_payload(std::string(200'000, 'x'));
  v1::PutResponse response;
  const grpc::Status status = stub_->Put(NewContext().get(), request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(HostileTest, RefusesBytesThatAreNotUtf8) {
  v1::SearchRequest request;
  request.set_id("\xff\xfe");
  v1::SearchResponse response;
  const grpc::Status status = stub_->Search(NewContext().get(), request, &response);
  EXPECT_FALSE(status.ok());
}

// gRPC answers them, with contexts of its own that are not ours to take back.
TEST_F(HostileTest, CallsThatNobodyServesAreRefused) {
  grpc::GenericStub stub(daemon_.NewChannel());
  const grpc::Slice slice("anything");
  const grpc::ByteBuffer request(&slice, 1);
  for (int i = 0; i < 300; ++i) {
    grpc::ByteBuffer response;
    grpc::ClientContext context;
    std::promise<grpc::Status> ended;
    stub.UnaryCall(&context, i % 2 == 0 ? "/kindred.v1.Index/Nothing" : "/no.Service/Put", {}, &request,
                   &response, [&](grpc::Status status) { ended.set_value(std::move(status)); });
    EXPECT_EQ(ended.get_future().get().error_code(), grpc::StatusCode::UNIMPLEMENTED);
  }
}

}  // namespace
}  // namespace kindred::test
