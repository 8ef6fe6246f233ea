// The unary calls and server streams, through the real gRPC interface.

#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "tests/integration/daemon_process.h"
#include "tests/integration/messages.h"
#include "tests/support/temp_dir.h"

namespace kindred::test {
namespace {

using ::google::protobuf::util::MessageDifferencer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ServiceTest : public ::testing::Test {
 protected:
  v1::PutResponse Put(const std::vector<v1::Record>& records, v1::WriteMode mode = v1::WRITE_MODE_UPSERT) {
    v1::PutRequest request;
    request.set_mode(mode);
    for (const v1::Record& record : records) {
      *request.add_records() = record;
    }
    v1::PutResponse response;
    EXPECT_TRUE(stub_->Put(NewContext().get(), request, &response).ok());
    return response;
  }

  grpc::Status Search(const v1::SearchRequest& request, v1::SearchResponse& response) {
    return stub_->Search(NewContext().get(), request, &response);
  }

  const TempDir dir_;
  DaemonProcess daemon_{dir_.Sub("d")};
  const std::unique_ptr<v1::Index::Stub> stub_ = daemon_.NewStub();
};

std::vector<std::string> Ids(const v1::SearchResponse& response) {
  std::vector<std::string> ids;
  for (const v1::Hit& hit : response.hits()) {
    ids.push_back(hit.id());
  }
  return ids;
}

TEST_F(ServiceTest, FindsWhatWasPut) {
  const v1::PutResponse put =
      Put({RecordMessage("ethanol", PathMessage("CCO")), RecordMessage("propane", PathMessage("CCC")),
           RecordMessage("water", PathMessage("O"))});
  ASSERT_EQ(put.outcomes_size(), 3);
  EXPECT_EQ(put.outcomes(0).kind(), v1::Outcome::INSERTED);
  EXPECT_EQ(put.sequence(), 3);

  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage("OCC");
  request.set_min_sequence(put.sequence());
  v1::SearchResponse response;
  ASSERT_TRUE(Search(request, response).ok());
  EXPECT_THAT(Ids(response), ElementsAre("ethanol", "propane", "water"));
  EXPECT_EQ(response.hits(0).kernel(), 12);  // 3 vertices, 4 levels.
  EXPECT_EQ(response.hits(0).similarity(), 1);
  // Propane: both C at level 0, the end C (with one C beside it) at level 1, then nothing.
  EXPECT_EQ(response.hits(1).kernel(), 3);
  EXPECT_EQ(response.hits(1).similarity(), 3.0 / (4 * (3 + 3) - 3));
  // Water: the O at level 0.
  EXPECT_EQ(response.hits(2).kernel(), 1);
  EXPECT_EQ(response.hits(2).similarity(), 1.0 / (4 * (3 + 1) - 1));
  EXPECT_EQ(response.sequence(), 3);
}

TEST_F(ServiceTest, SearchesByStoredId) {
  Put({RecordMessage("a", PathMessage("CCO")), RecordMessage("b", PathMessage("CCO"))});
  v1::SearchRequest request;
  request.set_id("b");
  v1::SearchResponse response;
  ASSERT_TRUE(Search(request, response).ok());
  EXPECT_THAT(Ids(response), ElementsAre("a", "b"));
  request.set_id("missing");
  const grpc::Status status = Search(request, response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("'missing'"));
}

TEST_F(ServiceTest, HonoursWriteModes) {
  Put({RecordMessage("a", PathMessage("C"))});
  EXPECT_EQ(Put({RecordMessage("a", PathMessage("N"))}, v1::WRITE_MODE_INSERT).outcomes(0).code(),
            grpc::StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(Put({RecordMessage("b", PathMessage("N"))}, v1::WRITE_MODE_REPLACE).outcomes(0).code(),
            grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Put({RecordMessage("a", PathMessage("N"))}, v1::WRITE_MODE_REPLACE).outcomes(0).kind(),
            v1::Outcome::REPLACED);
  EXPECT_EQ(Put({RecordMessage("a", PathMessage("O"))}).outcomes(0).kind(), v1::Outcome::REPLACED);
}

TEST_F(ServiceTest, GetsBackWhatWasPut) {
  v1::Record record = RecordMessage("caffeine", PathMessage("CNO"));
  record.mutable_graph()->add_labels("double");
  record.mutable_graph()->add_edge_labels(0);
  record.mutable_graph()->add_edge_labels(4);
  record.set_payload(std::string("bytes\0inside", 12));
  v1::Tag& tag = *record.add_tags();
  tag.set_key("source");
  tag.set_value("demo");
  Put({record});

  v1::GetRequest request;
  request.add_ids("nobody");
  request.add_ids("caffeine");
  v1::GetResponse response;
  ASSERT_TRUE(stub_->Get(NewContext().get(), request, &response).ok());
  ASSERT_EQ(response.entries_size(), 2);
  EXPECT_FALSE(response.entries(0).has_record());
  // An unlabelled edge is one with the empty label, which joins the table.
  record.mutable_graph()->add_labels("");
  EXPECT_TRUE(MessageDifferencer::Equals(response.entries(1).record(), record))
      << response.entries(1).record().DebugString();
}

TEST_F(ServiceTest, DeletesById) {
  Put({RecordMessage("a", PathMessage("C")), RecordMessage("b", PathMessage("CC"))});
  v1::DeleteRequest request;
  request.add_ids("a");
  request.add_ids("a");
  v1::DeleteResponse response;
  ASSERT_TRUE(stub_->Delete(NewContext().get(), request, &response).ok());
  EXPECT_EQ(response.outcomes(0).kind(), v1::Outcome::DELETED);
  EXPECT_EQ(response.outcomes(1).code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(response.sequence(), 3);
  v1::SearchRequest search;
  *search.mutable_graph() = PathMessage("C");
  v1::SearchResponse found;
  ASSERT_TRUE(Search(search, found).ok());
  EXPECT_THAT(Ids(found), ElementsAre("b"));
}

TEST_F(ServiceTest, ExportsInTheOrderOfCommits) {
  std::vector<v1::Record> records;
  for (int i = 0; i < 3000; ++i) {
    v1::Record record = RecordMessage(std::to_string(2999 - i), PathMessage("CCO"));
    record.set_payload(std::string(200, 'x'));  // More than one page.
    records.push_back(record);
  }
  Put(records);
  Put({RecordMessage("2999", PathMessage("N"))});  // A replacement moves to the end.

  v1::ExportRequest request;
  const auto context = NewContext();
  const auto stream = stub_->Export(context.get(), request);
  v1::ExportResponse page;
  std::vector<std::string> ids;
  int pages = 0;
  for (; stream->Read(&page); ++pages) {
    EXPECT_EQ(page.sequence(), 3001);
    for (const v1::Record& record : page.records()) {
      ids.push_back(record.id());
    }
  }
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_GT(pages, 1);
  ASSERT_EQ(ids.size(), 3000);
  EXPECT_EQ(ids.front(), "2998");
  EXPECT_EQ(ids.back(), "2999");
}

TEST_F(ServiceTest, StreamsKernelRows) {
  v1::Record first = RecordMessage("a", PathMessage("CCO"));
  v1::Tag& tag = *first.add_tags();
  tag.set_key("class");
  tag.set_value("7");
  Put({first, RecordMessage("b", PathMessage("CC"))});
  v1::KernelRequest request;
  request.set_depth(1);
  request.set_row_tag("class");
  const auto read = [&](std::vector<v1::KernelRow>& rows) {
    const auto context = NewContext();
    const auto stream = stub_->Kernel(context.get(), request);
    for (v1::KernelRow row; stream->Read(&row);) {
      rows.push_back(row);
    }
    return stream->Finish();
  };
  std::vector<v1::KernelRow> rows;
  ASSERT_TRUE(read(rows).ok());
  ASSERT_EQ(rows.size(), 2);
  EXPECT_THAT(rows[0].values(), ElementsAre(6, 3));
  EXPECT_THAT(rows[1].values(), ElementsAre(3, 4));
  EXPECT_EQ(rows[0].tag(), "7");
  EXPECT_EQ(rows[1].tag(), "");

  request.set_depth(4);
  EXPECT_EQ(read(rows).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  request.clear_depth();
  request.add_ids("zzz");
  EXPECT_EQ(read(rows).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(ServiceTest, TellsItsStats) {
  Put({RecordMessage("a", PathMessage("CCO"))});
  v1::StatsResponse stats;
  ASSERT_TRUE(stub_->Stats(NewContext().get(), {}, &stats).ok());
  EXPECT_EQ(stats.graphs(), 1);
  EXPECT_EQ(stats.depth(), 3);
  EXPECT_EQ(stats.sequence(), 1);
  ASSERT_EQ(stats.levels_size(), 4);
  EXPECT_EQ(stats.levels(0).colours(), 2);
  EXPECT_EQ(stats.levels(3).colours(), 3);
  EXPECT_EQ(stats.postings(), 12) << "of each vertex one a level: two that look alike have two features";
  EXPECT_GT(stats.resident_bytes(), 0);
  EXPECT_GT(stats.disk_bytes(), 0);
}

TEST_F(ServiceTest, RefusesASnapshotThatIsNotThereYet) {
  v1::SearchRequest request;
  *request.mutable_graph() = PathMessage("C");
  request.set_min_sequence(1);
  v1::SearchResponse response;
  const grpc::Status status = Search(request, response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("the index is at 0"));
}

}  // namespace
}  // namespace kindred::test
