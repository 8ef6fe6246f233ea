#include "daemon/ingest_frame.h"

#include <optional>
#include <string_view>
#include <utility>

#include "daemon/convert.h"
#include "daemon/graph_sizes.h"
#include "daemon/request_bytes.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "highwayhash/c_bindings.h"
#include "index/base/status.h"

namespace kindred::daemon {
namespace {

using google::protobuf::internal::WireFormatLite;

// Of the items so far and one more.
uint64_t Fingerprint(uint64_t before, v1::IngestItem::KindCase kind, std::string_view bytes) {
  const uint64_t key[2] = {before, static_cast<uint64_t>(kind)};
  return SipHash13C(key, bytes.data(), bytes.size());
}

// A record is the same content however it was sent.
uint64_t Fingerprint(const v1::IngestFrame& frame) {
  uint64_t fingerprint = 0;
  for (const v1::IngestItem& item : frame.items()) {
    switch (item.kind_case()) {
      case v1::IngestItem::kPut:
        fingerprint = Fingerprint(fingerprint, v1::IngestItem::kEncodedPut, item.put().SerializeAsString());
        break;
      case v1::IngestItem::kEncodedPut:
        fingerprint = Fingerprint(fingerprint, item.kind_case(), item.encoded_put());
        break;
      case v1::IngestItem::kDeleteId:
      case v1::IngestItem::KIND_NOT_SET:
        fingerprint = Fingerprint(fingerprint, item.kind_case(), item.delete_id());
        break;
    }
  }
  return fingerprint;
}

// Of a record that is not parsed; encoders write it first.
std::string IdOf(const std::string& bytes) {
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  std::string id;
  while (const uint32_t tag = in.ReadTag()) {
    if (tag ==
        WireFormatLite::MakeTag(v1::Record::kIdFieldNumber, WireFormatLite::WIRETYPE_LENGTH_DELIMITED)) {
      WireFormatLite::ReadString(&in, &id);
      break;
    }
    if (!WireFormatLite::SkipField(&in, tag)) {
      break;
    }
  }
  return id;
}

// Bytes that take a while to parse are looked at first: a graph over a limit is refused without that.
std::optional<Mutation> RefuseUnparsed(const std::string& bytes, WriteMode mode, const Limits& limits) {
  if (bytes.size() <= kSmallRequestBytes) {
    return std::nullopt;
  }
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  const auto large = FindLargeGraphs(stream, *v1::Record::descriptor(), limits);
  if (!large.ok() || large->refused.empty()) {
    return std::nullopt;
  }
  return Mutation{IdOf(bytes), Annotate(large->refused.front().status, "encoded_put."), mode};
}

// Errors do not say yet which item it is. `scratch` keeps its memory from item to item.
Mutation ToMutation(const v1::IngestItem& item, WriteMode mode, const Limits& limits, v1::Record& scratch) {
  switch (item.kind_case()) {
    case v1::IngestItem::kPut:
      return ToPut(item.put(), mode, "put", limits);
    case v1::IngestItem::kEncodedPut:
      if (auto refused = RefuseUnparsed(item.encoded_put(), mode, limits)) {
        return *std::move(refused);
      }
      if (!scratch.ParseFromString(item.encoded_put())) {
        return {"", InvalidArgument("encoded_put: is no Record"), mode};
      }
      return ToPut(scratch, mode, "encoded_put", limits);
    case v1::IngestItem::kDeleteId:
      return ToDelete(item.delete_id(), "delete");
    case v1::IngestItem::KIND_NOT_SET:
      break;
  }
  return {"", InvalidArgument("is neither a put nor a delete"), mode};
}

}  // namespace

void ReadFrame(const v1::IngestFrame& frame, const std::string& client_id, WriteMode mode,
               const Limits& limits, WriteRequest& request) {
  if (!client_id.empty()) {
    request.origin = FrameOrigin{client_id, frame.client_sequence(), Fingerprint(frame)};
  }
  v1::Record scratch;
  request.mutations.reserve(static_cast<size_t>(frame.items_size()));
  for (int i = 0; i < frame.items_size(); ++i) {
    Mutation& mutation = request.mutations.emplace_back(ToMutation(frame.items(i), mode, limits, scratch));
    if (!mutation.record.ok()) {
      const bool named = frame.items(i).kind_case() != v1::IngestItem::KIND_NOT_SET;
      mutation.record =
          Annotate(mutation.record.status(), fmt::format("frame.items[{}]{}", i, named ? "." : ": "));
    }
  }
}

}  // namespace kindred::daemon
