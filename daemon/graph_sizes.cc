#include "daemon/graph_sizes.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "index/base/status.h"
#include "index/graph/graph.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::daemon {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr uint64_t kOnes = 0x0101010101010101;

// Varints end with the one byte whose highest bit does not say that more follow. Eight at a time: the bits
// become ones of the bytes, and the product adds those up in its highest byte.
uint64_t CountEnds(const char* bytes, size_t size) {
  uint64_t count = 0;
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    uint64_t eight = 0;
    std::memcpy(&eight, bytes + i, sizeof(eight));
    count += ((~eight >> 7 & kOnes) * kOnes) >> 56;
  }
  for (; i < size; ++i) {
    count += static_cast<uint8_t>(bytes[i]) < 0x80 ? 1 : 0;
  }
  return count;
}

// Whether a string, a message or packed numbers follow. A field that should be one of these and is not counts
// as unknown, as it does for protobuf.
bool IsString(uint32_t tag) {
  return WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
}

class Walk {
 public:
  Walk(google::protobuf::io::ZeroCopyInputStream& bytes, const Descriptor& type, const Limits& limits)
      : in_(&bytes), type_(type), limits_(limits), counts_(static_cast<size_t>(type.field_count())) {}

  // All of the request.
  bool ReadRequest() { return ReadMessage(type_, "") && in_.ConsumedEntireMessage(); }

  LargeGraphs Take() && { return std::move(found_); }

 private:
  // Up to the limit of the stream. False: these are not its bytes.
  bool ReadMessage(const Descriptor& type, const std::string& path) {
    while (const uint32_t tag = in_.ReadTag()) {
      const FieldDescriptor* const field = type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
      const bool walked = field != nullptr && field->type() == FieldDescriptor::TYPE_MESSAGE && IsString(tag);
      if (!walked) {
        if (!WireFormatLite::SkipField(&in_, tag)) {
          return false;
        }
        continue;
      }
      if (!ReadSubmessage(*field, path)) {
        return false;
      }
    }
    return true;
  }

  bool ReadSubmessage(const FieldDescriptor& field, const std::string& path) {
    std::string inner = path + field.name();
    if (field.containing_type() == &type_) {
      item_ = 0;
      if (field.is_repeated()) {
        ++found_.items;
        item_ = counts_[static_cast<size_t>(field.index())]++;
        inner += fmt::format("[{}]", item_);
      }
    }
    inner += ".";
    uint32_t size = 0;
    if (!in_.ReadVarint32(&size)) {
      return false;
    }
    const auto outer = in_.PushLimit(static_cast<int>(size));
    const bool graph = field.message_type() == v1::Graph::descriptor();
    const bool fine = graph ? ReadGraph(inner) : ReadMessage(*field.message_type(), inner);
    const bool whole = in_.BytesUntilLimit() == 0;
    in_.PopLimit(outer);
    return fine && whole;
  }

  bool ReadGraph(const std::string& path) {
    uint64_t labels = 0;
    uint64_t vertices = 0;
    uint64_t ends = 0;
    while (const uint32_t tag = in_.ReadTag()) {
      uint64_t none = 0;
      uint64_t* counted = &none;
      switch (WireFormatLite::GetTagFieldNumber(tag)) {
        case v1::Graph::kLabelsFieldNumber:
          labels += IsString(tag) ? 1 : 0;
          break;
        case v1::Graph::kVerticesFieldNumber:
          counted = &vertices;
          break;
        case v1::Graph::kEdgesFieldNumber:
          counted = &ends;
          break;
        default:
          break;
      }
      if (counted == &none ? !WireFormatLite::SkipField(&in_, tag) : !ReadNumbers(tag, *counted)) {
        return false;
      }
    }
    if (absl::Status status = Graph::CheckSizes(labels, vertices, ends / 2, limits_); !status.ok()) {
      found_.refused.push_back({item_, Annotate(status, path)});
    }
    return true;
  }

  // Packed, or one by one.
  bool ReadNumbers(uint32_t tag, uint64_t& count) {
    if (!IsString(tag)) {
      count += WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_VARINT ? 1 : 0;
      return WireFormatLite::SkipField(&in_, tag);
    }
    uint32_t left = 0;
    if (!in_.ReadVarint32(&left)) {
      return false;
    }
    while (left > 0) {
      const void* bytes = nullptr;
      int size = 0;
      if (!in_.GetDirectBufferPointer(&bytes, &size)) {
        return false;
      }
      size = static_cast<int>(std::min(static_cast<uint32_t>(size), left));
      count += CountEnds(static_cast<const char*>(bytes), static_cast<size_t>(size));
      left -= static_cast<uint32_t>(size);
      if (!in_.Skip(size)) {
        return false;
      }
    }
    return true;
  }

  CodedInputStream in_;
  const Descriptor& type_;
  const Limits& limits_;
  std::vector<int> counts_;  // Items of the request's own fields so far,
  int item_ = 0;             // and the one that is read.
  LargeGraphs found_;
};

}  // namespace

absl::StatusOr<LargeGraphs> FindLargeGraphs(google::protobuf::io::ZeroCopyInputStream& bytes,
                                            const Descriptor& type, const Limits& limits) {
  Walk walk(bytes, type, limits);
  if (!walk.ReadRequest()) {
    return InvalidArgument("the message is no {}", type.full_name());
  }
  return std::move(walk).Take();
}

}  // namespace kindred::daemon
