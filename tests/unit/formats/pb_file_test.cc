// Records as protobuf: written, read back, and damaged in every way.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "client/formats/pb_reader.h"
#include "client/formats/pb_writer.h"
#include "fmt/format.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/delimited_message_util.h"
#include "tests/unit/formats/test_files.h"

namespace kindred::formats {
namespace {

using Strings = std::vector<std::string>;

v1::Record MakeRecord(const std::string& id, size_t payload_bytes = 0) {
  v1::Record record;
  record.set_id(id);
  record.mutable_graph()->add_labels("C");
  record.mutable_graph()->add_vertices(0);
  record.set_payload(std::string(payload_bytes, 'p'));
  return record;
}

std::string WriteAll(const std::vector<v1::Record>& records, bool compress = false) {
  std::string bytes;
  PbWriter writer(compress, [&bytes](std::string_view more) {
    bytes += more;
    return absl::OkStatus();
  });
  for (const v1::Record& record : records) EXPECT_TRUE(writer.Add(record.SerializeAsString()).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return bytes;
}

std::vector<EncodedResult> ReadEncoded(const std::string& path, const ReadOptions& options = {}) {
  auto reader = OpenRecords(path, options);
  EXPECT_TRUE(reader.ok()) << reader.status();
  std::vector<EncodedResult> results;
  while (auto result = (*reader)->NextEncoded()) results.push_back(*std::move(result));
  EXPECT_FALSE((*reader)->NextEncoded().has_value()) << "the end must stay the end";
  return results;
}

TEST(PbFile, IsWhatDocsSay) {
  v1::Record record = MakeRecord("x");
  EXPECT_EQ(WriteAll({record}), std::string("\x0B"           // eleven bytes
                                            "\x0A\x01x"      // id
                                            "\x12\x06"       // graph
                                            "\x0A\x01\x43"   // label "C"
                                            "\x12\x01\x00",  // vertices: packed, 0
                                            12));
}

TEST(PbFile, IsWhatProtobufItselfReads) {
  const std::string bytes = WriteAll({MakeRecord("a"), MakeRecord("b", 300)});
  google::protobuf::io::ArrayInputStream input(bytes.data(), static_cast<int>(bytes.size()));
  for (const char* id : {"a", "b"}) {
    v1::Record record;
    ASSERT_TRUE(google::protobuf::util::ParseDelimitedFromZeroCopyStream(&record, &input, nullptr));
    EXPECT_EQ(record.id(), id);
  }
}

TEST(PbFile, ReadsBackWhatWasWrittenHoweverCompressed) {
  const TestFiles files;
  std::vector<v1::Record> records;
  for (size_t i = 0; i < 3000; ++i) records.push_back(MakeRecord(std::to_string(i), i));
  const std::string plain = WriteAll(records);
  for (const std::string& path :
       {files.Write("x.pb", plain), files.Write("x.pb.zst", WriteAll(records, true)),
        files.WriteCompressed("x.pb.gz", Compression::kGzip, plain),
        files.WriteCompressed("x.pb.xz", Compression::kXz, plain)}) {
    const auto encoded = ReadEncoded(path);
    const auto parsed = ReadAll(path);
    ASSERT_EQ(encoded.size(), records.size()) << path;
    ASSERT_EQ(parsed.size(), records.size()) << path;
    for (size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(encoded[i].position, i + 1);
      EXPECT_EQ(*encoded[i].bytes, records[i].SerializeAsString());
      EXPECT_EQ(parsed[i].id, records[i].id());
      EXPECT_EQ(parsed[i].record->SerializeAsString(), records[i].SerializeAsString());
    }
  }
  EXPECT_LT(ReadBytes(files.Path("x.pb.zst")).size(), plain.size() / 2);
}

TEST(PbFile, HoldsTheRecordsOfEveryFormat) {
  const TestFiles files;
  const std::string tar =
      files.WriteArchive("tu.tar", Container::kTar, Compression::kNone,
                         {{"DS/DS_A.txt", "1, 2\n2, 1\n"}, {"DS/DS_graph_indicator.txt", "1\n1\n"}});
  for (const std::string& path :
       {tar, files.Write("x.smi", "CC=O\ta\nc1ccccc1\tb\n"),
        files.Write("x.jsonl", R"({"id":"j","vertices":["C","C"],"edges":[[0,1,"e"]],"tags":{"k":"v"}})")}) {
    std::vector<v1::Record> records;
    for (const ReadResult& result : ReadAll(path)) records.push_back(*result.record);
    ASSERT_FALSE(records.empty());
    const auto again = ReadAll(files.Write("again.pb", WriteAll(records)));
    ASSERT_EQ(again.size(), records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      EXPECT_EQ(again[i].record->SerializeAsString(), records[i].SerializeAsString());
    }
    const auto encoded = ReadEncoded(path);
    ASSERT_EQ(encoded.size(), records.size());
    EXPECT_EQ(*encoded[0].bytes, records[0].SerializeAsString());
    EXPECT_EQ(encoded[0].id, records[0].id());
  }
}

TEST(PbFile, LeavesEdgeLabelsOutWhenTold) {
  const TestFiles files;
  v1::Record record = MakeRecord("x");
  record.mutable_graph()->add_edge_labels(1);
  record.set_molecule_scheme("element,bonds");
  const std::string path = files.Write("x.pb", WriteAll({record}));
  EXPECT_EQ(*ReadEncoded(path)[0].bytes, record.SerializeAsString());
  record.mutable_graph()->clear_edge_labels();
  record.set_molecule_scheme("element");
  EXPECT_EQ(*ReadEncoded(path, {.edge_labels = false})[0].bytes, record.SerializeAsString());
}

TEST(PbFile, AnEmptyFileHasNoRecords) {
  const TestFiles files;
  EXPECT_TRUE(ReadEncoded(files.Write("x.pb", "")).empty());
  EXPECT_TRUE(ReadEncoded(files.Write("x.pb", WriteAll({}))).empty());
  EXPECT_TRUE(ReadEncoded(files.Write("x.pb.zst", WriteAll({}, true))).empty());
}

TEST(PbFile, KeepsWhatComesBeforeTheEndWhereverItIsCutOff) {
  const TestFiles files;
  const std::vector<v1::Record> records = {MakeRecord("a"), MakeRecord("b", 200), MakeRecord("c")};
  const std::string bytes = WriteAll(records);
  std::vector<size_t> ends = {0};  // Where a cut hurts nothing.
  for (const v1::Record& record : records) {
    ends.push_back(WriteAll({record}).size() + ends.back());
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto results = ReadEncoded(files.Write("x.pb", bytes.substr(0, size)));
    const size_t whole = static_cast<size_t>(std::ranges::upper_bound(ends, size) - ends.begin()) - 1;
    const bool is_clean = ends[whole] == size;
    ASSERT_EQ(results.size(), whole + (is_clean ? 0 : 1)) << size;
    for (size_t i = 0; i < whole; ++i) EXPECT_TRUE(results[i].bytes.ok());
    if (!is_clean) {
      EXPECT_EQ(results.back().position, whole + 1);
      EXPECT_EQ(results.back().bytes.status().code(), absl::StatusCode::kDataLoss);
    }
  }
  const auto last = ReadEncoded(files.Write("x.pb", bytes.substr(0, bytes.size() - 1)));
  EXPECT_EQ(Message(last.back().bytes.status()),
            "the file ends after 10 of its 11 bytes; nothing can be read behind it");
}

TEST(PbFile, NoticesDamageOfCompressedRecords) {
  const TestFiles files;
  const std::string bytes = WriteAll({MakeRecord("a"), MakeRecord("b")}, true);
  for (size_t i = 4; i < bytes.size(); ++i) {  // Behind what tells that it is compressed.
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    const std::string path = files.Write("x.pb.zst", damaged);
    if (!OpenRecords(path, {}).ok()) continue;
    const auto results = ReadEncoded(path);
    EXPECT_TRUE(results.empty() || !results.back().bytes.ok()) << i;
    EXPECT_FALSE(results.empty()) << i;
  }
  const std::string cut = files.Write("x.pb.zst", bytes.substr(0, bytes.size() - 2));
  EXPECT_EQ(OpenRecords(cut, {}).status().code(), absl::StatusCode::kDataLoss);
}

TEST(PbFile, RefusesALengthThatCannotBeTrue) {
  const TestFiles files;
  const std::string good = WriteAll({MakeRecord("a")});
  EXPECT_EQ(
      Summary(ReadAll(files.Write("x.pb", good + "\x81\x80\x80\x08" + good))),
      (Strings{"1: a", "2: its length is 16777217 bytes; at most 16777216; nothing can be read behind it"}));
  EXPECT_EQ(Summary(ReadAll(files.Write("x.pb", good + std::string(20, '\xFF')))),
            (Strings{"1: a", "2: its length is damaged; nothing can be read behind it"}));
  EXPECT_EQ(Summary(ReadAll(files.Write("x.pb", good + "\xFF"))),
            (Strings{"1: a", "2: the file ends within its length; nothing can be read behind it"}));
}

TEST(PbFile, GoesOnBehindBytesThatAreNoRecord) {
  const TestFiles files;
  const std::string path =
      files.Write("x.pb", std::string("\x03\xFF\xFF\xFF\x00", 5) + WriteAll({MakeRecord("good")}));
  EXPECT_EQ(Summary(ReadAll(path)), (Strings{"1: these bytes are no record", "2: id: is empty", "3: good"}));
  EXPECT_EQ(ReadEncoded(path).size(), 3u) << "which the daemon is to find out";
}

TEST(PbFile, IsReadAsToldWhateverItsName) {
  const TestFiles files;
  const std::string path = files.Write("x.bin", WriteAll({MakeRecord("a")}));
  EXPECT_EQ(Summary(ReadAll(path, {.format = Format::kProtobuf})), (Strings{"1: a"}));
  const std::string tar = files.WriteArchive("x.tar", Container::kTar, Compression::kNone, {{"a.pb", "C"}});
  EXPECT_EQ(Message(OpenRecords(tar, {.format = Format::kProtobuf}).status()),
            fmt::format("'{}' is an archive of files: from an archive only a TU data set is read", tar));
}

TEST(PbWriter, PassesOnWhatItsSinkSays) {
  for (const bool compress : {false, true}) {
    PbWriter writer(compress, [](std::string_view) { return absl::ResourceExhaustedError("full"); });
    EXPECT_TRUE(writer.Add("x").ok());
    EXPECT_EQ(writer.Finish(), absl::ResourceExhaustedError("full"));
  }
}

}  // namespace
}  // namespace kindred::formats
