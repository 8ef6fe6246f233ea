#include "client/formats/pb_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "client/formats/block_buffer.h"
#include "client/formats/record_check.h"
#include "fmt/format.h"
#include "google/protobuf/io/coded_stream.h"

namespace kindred::formats {

namespace {

// Of a length of 64 bits, seven in each.
constexpr size_t kVarintBytesMax = 10;

struct Length {
  uint64_t value = 0;
  size_t bytes = 0;  // Of the length itself; 0: it is cut off, or none.
};

Length ParseLength(std::string_view bytes) {
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                                               static_cast<int>(std::min(bytes.size(), kVarintBytesMax)));
  Length length;
  if (input.ReadVarint64(&length.value)) length.bytes = static_cast<size_t>(input.CurrentPosition());
  return length;
}

class PbReader : public RecordReader {
 public:
  PbReader(std::unique_ptr<ArchiveSource> source, bool edge_labels)
      : buffer_(std::move(source)), edge_labels_(edge_labels) {}

  std::optional<ReadResult> Next() override {
    const std::optional<absl::StatusOr<std::string_view>> bytes = NextBytes();
    if (!bytes.has_value()) return std::nullopt;
    if (!bytes->ok()) return ReadResult{records_, "", bytes->status()};
    absl::StatusOr<v1::Record> record = Parse(**bytes);
    std::string id = record.ok() ? record->id() : "";
    return ReadResult{records_, std::move(id), std::move(record)};
  }

  std::optional<EncodedResult> NextEncoded() override {
    if (!edge_labels_) return RecordReader::NextEncoded();
    const std::optional<absl::StatusOr<std::string_view>> bytes = NextBytes();
    if (!bytes.has_value()) return std::nullopt;
    if (!bytes->ok()) return EncodedResult{records_, "", bytes->status()};
    return EncodedResult{records_, "", std::string(**bytes)};
  }

 private:
  // The bytes of the next record, good until the next call; nothing at the end.
  std::optional<absl::StatusOr<std::string_view>> NextBytes() {
    if (failed_) return std::nullopt;
    Length length = ParseLength(buffer_.bytes());
    while (length.bytes == 0 && buffer_.bytes().size() < kVarintBytesMax && buffer_.Fill()) {
      length = ParseLength(buffer_.bytes());
    }
    if (length.bytes == 0 && buffer_.bytes().empty() && buffer_.error().ok()) return std::nullopt;
    ++records_;
    if (length.bytes == 0) {
      return Fail(buffer_.at_end() ? "the file ends within its length" : "its length is damaged");
    }
    if (length.value > kRecordBytesMax) {
      return Fail(fmt::format("its length is {} bytes; at most {}", length.value, kRecordBytesMax));
    }
    const size_t record_bytes = static_cast<size_t>(length.value);
    while (buffer_.bytes().size() < length.bytes + record_bytes) {
      if (!buffer_.Fill()) {
        return Fail(fmt::format("the file ends after {} of its {} bytes",
                                buffer_.bytes().size() - length.bytes, record_bytes));
      }
    }
    const std::string_view record = buffer_.bytes().substr(length.bytes, record_bytes);
    buffer_.Use(length.bytes + record_bytes);
    return record;
  }

  // An input that cannot be read has a better reason than what is missing of it.
  absl::Status Fail(std::string_view reason) {
    failed_ = true;
    if (!buffer_.error().ok()) return buffer_.error();
    return absl::DataLossError(fmt::format("{}; nothing can be read behind it", reason));
  }

  absl::StatusOr<v1::Record> Parse(std::string_view bytes) const {
    v1::Record record;
    if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      return absl::InvalidArgumentError("these bytes are no record");
    }
    if (const absl::Status status = CheckId(record.id()); !status.ok()) return status;
    if (edge_labels_) return record;
    record.mutable_graph()->clear_edge_labels();
    if (const absl::Status status = DropBondsOfScheme(record); !status.ok()) return status;
    return record;
  }

  BlockBuffer buffer_;
  const bool edge_labels_;
  uint64_t records_ = 0;
  bool failed_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RecordReader>> OpenPbReader(std::unique_ptr<ArchiveSource> source,
                                                           const ReadOptions& options) {
  if (const absl::Status status = source->CheckIsOneFile(); !status.ok()) return status;
  return std::make_unique<PbReader>(std::move(source), options.edge_labels);
}

}  // namespace kindred::formats
