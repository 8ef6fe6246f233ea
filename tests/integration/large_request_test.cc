// Requests of more than 64 KiB, which are looked at before they are parsed: refused as small ones are.

#include <future>

#include "grpcpp/generic/generic_stub.h"
#include "tests/integration/hostile_fixture.h"

namespace kindred::test {
namespace {

using ::testing::HasSubstr;

using LargeRequestTest = HostileTest;

// Large requests are looked at before they are parsed, on another thread: what is told is the same.
TEST_F(LargeRequestTest, RefusesWhatIsFarOverALimit) {
  const auto over = grpc::StatusCode::RESOURCE_EXHAUSTED;
  v1::Graph graph = PathMessage("C");
  for (int i = 1; i < 70'000; ++i) {
    graph.add_vertices(0);
  }
  ExpectRejected(graph, "graph.vertices: 70000 is over the limit vertices_max = 100", over);
  graph = PathMessage("C");
  for (int i = 1; i < 9'000; ++i) {
    graph.add_labels("l" + std::to_string(10'000 + i));
  }
  ExpectRejected(graph, "graph.labels: 9000 is over the limit labels_max = 10", over);
  // Beside records that are refused for other reasons, each has its own place and its own.
  v1::PutRequest request;
  *request.add_records() = RecordMessage("", PathMessage("C"));
  *request.add_records() = RecordMessage("large", graph);
  v1::PutResponse response;
  ASSERT_TRUE(stub_->Put(NewContext().get(), request, &response).ok());
  ASSERT_EQ(response.outcomes_size(), 2);
  EXPECT_THAT(response.outcomes(0).message(), HasSubstr("records[0].id: is empty"));
  EXPECT_THAT(response.outcomes(1).message(), HasSubstr("records[1].graph.labels: 9000 is over the limit"));
}

// The same on streams, on which what is fine before and behind it is answered.
TEST_F(LargeRequestTest, RefusesWhatIsFarOverALimitOnASearchStream) {
  v1::SearchRequest fine;
  *fine.mutable_graph() = PathMessage("CC");
  v1::SearchRequest large = fine;
  for (int i = 1; i < 70'000; ++i) {
    large.mutable_graph()->add_vertices(0);
  }
  const auto context = NewContext();
  const auto stream = stub_->SearchStream(context.get());
  for (const v1::SearchRequest* request : {&fine, &large, &large, &fine}) {
    ASSERT_TRUE(stream->Write(*request));
  }
  stream->WritesDone();
  for (uint64_t i = 0; i < 4; ++i) {
    v1::SearchStreamResponse answer;
    ASSERT_TRUE(stream->Read(&answer));
    EXPECT_EQ(answer.index(), i);
    EXPECT_EQ(answer.has_response(), i == 0 || i == 3);
    if (answer.has_error()) {
      EXPECT_EQ(answer.error().code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
      EXPECT_THAT(answer.error().message(), HasSubstr("graph.vertices: 70001 is over the limit"));
    }
  }
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(LargeRequestTest, RefusesWhatIsFarOverALimitOnAnIngestStream) {
  v1::Record large = RecordMessage("large", PathMessage("C"));
  for (int i = 1; i < 70'000; ++i) {
    large.mutable_graph()->add_vertices(0);
  }
  const auto context = NewContext();
  const auto stream = stub_->Ingest(context.get());
  v1::IngestRequest request;
  request.mutable_open();
  ASSERT_TRUE(stream->Write(request));
  v1::IngestResponse response;
  ASSERT_TRUE(stream->Read(&response));
  request.mutable_frame()->set_client_sequence(1);
  *request.mutable_frame()->add_items()->mutable_put() = large;
  ASSERT_TRUE(stream->Write(request));
  request.mutable_frame()->Clear();
  request.mutable_frame()->set_client_sequence(2);
  request.mutable_frame()->add_items()->set_encoded_put(large.SerializeAsString());
  ASSERT_TRUE(stream->Write(request));
  stream->WritesDone();
  std::vector<v1::IngestAck::Rejected> rejected;
  while (stream->Read(&response)) {
    rejected.insert(rejected.end(), response.ack().rejected().begin(), response.ack().rejected().end());
  }
  EXPECT_TRUE(stream->Finish().ok());
  ASSERT_EQ(rejected.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(rejected[i].id(), "large");
    EXPECT_EQ(rejected[i].outcome().code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(rejected[i].outcome().message(),
              std::string("frame.items[0].") + (i == 0 ? "put" : "encoded_put") +
                  ".graph.vertices: 70000 is over the limit vertices_max = 100");
  }
}

TEST_F(LargeRequestTest, RefusesWhatIsFarOverALimitBetweenGraphsAndInAWatch) {
  v1::Graph large = PathMessage("C");
  for (int i = 1; i < 70'000; ++i) {
    large.add_vertices(0);
  }
  const auto context = NewContext();
  const auto stream = stub_->PairsBetween(context.get());
  v1::PairsBetweenRequest request;
  request.mutable_open()->set_min_similarity(0.5);
  ASSERT_TRUE(stream->Write(request));
  request.Clear();
  *request.add_records() = RecordMessage("large", large);
  ASSERT_TRUE(stream->Write(request));
  stream->WritesDone();
  v1::PairsResponse response;
  std::vector<std::string> rejected;
  while (stream->Read(&response)) {
    for (const auto& one : response.rejected()) {
      rejected.push_back(one.id() + ": " + one.message());
    }
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_THAT(rejected, ::testing::ElementsAre(
                            HasSubstr("large: graph.vertices: 70000 is over the limit vertices_max = 100")));

  v1::WatchRequest watch;
  v1::WatchRequest::Query& query = *watch.add_queries();
  query.set_name("q");
  query.set_min_similarity(0.5);
  *query.mutable_graph()->mutable_graph() = large;
  const auto watch_context = NewContext();
  const auto watching = stub_->Watch(watch_context.get(), watch);
  v1::WatchResponse told;
  EXPECT_FALSE(watching->Read(&told));
  const grpc::Status status = watching->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(),
              HasSubstr("queries[0].graph.graph.vertices: 70000 is over the limit vertices_max = 100"));
}

// Whatever the call, and whether the bytes are parsed where they were read or elsewhere.
TEST_F(LargeRequestTest, RefusesBytesThatAreNoMessages) {
  grpc::GenericStub stub(daemon_.NewChannel());
  const google::protobuf::FileDescriptor& file = *v1::Record::descriptor()->file();
  int methods = 0;
  for (int i = 0; i < file.service_count(); ++i) {
    for (int j = 0; j < file.service(i)->method_count(); ++j, ++methods) {
      const std::string method =
          "/" + file.service(i)->full_name() + "/" + file.service(i)->method(j)->name();
      for (const size_t size : {size_t{100}, size_t{90'000}}) {
        const grpc::Slice slice(std::string(size, '\xff'));
        const grpc::ByteBuffer request(&slice, 1);
        grpc::ByteBuffer response;
        grpc::ClientContext context;
        std::promise<grpc::Status> ended;
        stub.UnaryCall(&context, method, {}, &request, &response,
                       [&](grpc::Status status) { ended.set_value(std::move(status)); });
        const grpc::Status status = ended.get_future().get();
        EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << method << " of " << size;
        EXPECT_THAT(status.error_message(), HasSubstr("the message is no kindred.v1."));
      }
    }
  }
  EXPECT_EQ(methods, 19);
}

}  // namespace
}  // namespace kindred::test
