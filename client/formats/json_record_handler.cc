#include "client/formats/json_record_handler.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "client/formats/record_check.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

// Text of the input in a message: never more of it than helps, and no half character at its end.
std::string_view Shown(std::string_view text) {
  constexpr size_t kShownBytesMax = 120;
  if (text.size() <= kShownBytesMax) return text;
  text = text.substr(0, kShownBytesMax);
  while (!IsUtf8(text)) text.remove_suffix(1);
  return text;
}

// Of "[json.exception...] parse error at line 1, column 7: syntax error while ...; last read: '...'" the
// middle is of use. The end repeats the input, which need not be UTF-8.
std::string_view Reason(std::string_view what) {
  for (const std::string_view before : {"] ", "column ", ": "}) {
    const size_t at = what.find(before);
    if (at != std::string_view::npos) what.remove_prefix(at + before.size());
  }
  return Shown(what.substr(0, what.find("; last read")));
}

}  // namespace

absl::StatusOr<v1::Record> JsonRecordHandler::Take() && {
  if (error_.ok() && !seen_[kId]) Fail("id", "is missing");
  if (error_.ok()) error_ = CheckId(record_.id());
  if (error_.ok() && !seen_[kVertices]) Fail("vertices", "is missing");
  if (error_.ok()) error_ = AddEdges();
  if (!error_.ok()) return error_;
  *record_.mutable_graph() = std::move(graph_).Take();
  return std::move(record_);
}

absl::Status JsonRecordHandler::AddEdges() {
  const size_t vertices = graph_.vertex_count();
  for (size_t e = 0; e < edges_.size(); ++e) {
    for (size_t i = 0; i < 2; ++i) {
      if (edges_[e].ends[i] < vertices) continue;
      return absl::InvalidArgumentError(fmt::format("edges[{}][{}]: {} is not a vertex (the graph has {})", e,
                                                    i, edges_[e].ends[i], vertices));
    }
    graph_.AddEdge(static_cast<uint32_t>(edges_[e].ends[0]), static_cast<uint32_t>(edges_[e].ends[1]),
                   with_edge_labels_ ? std::string_view(edges_[e].label) : std::string_view());
  }
  return absl::OkStatus();
}

bool JsonRecordHandler::null() { return FailKind(); }
bool JsonRecordHandler::boolean(bool) { return FailKind(); }
bool JsonRecordHandler::binary(binary_t&) { return FailKind(); }

bool JsonRecordHandler::number_unsigned(number_unsigned_t value) {
  if (!AtEdgeEnd()) return FailKind();
  edges_.back().ends[edge_elements_++] = value;
  return true;
}

bool JsonRecordHandler::number_integer(number_integer_t value) {
  if (!AtEdgeEnd()) return FailKind();
  return Fail(Path(), fmt::format("{} is not an unsigned integer", value));
}

bool JsonRecordHandler::number_float(number_float_t, const string_t& text) {
  if (!AtEdgeEnd()) return FailKind();
  return Fail(Path(), fmt::format("{} is not an unsigned integer", Shown(text)));
}

bool JsonRecordHandler::string(string_t& value) {
  if (depth_ == 1) return KeepField(value);
  if (depth_ == 2 && field_ == kVertices) {
    graph_.AddVertex(value);
    return true;
  }
  if (depth_ == 2 && field_ == kTags) {
    v1::Tag* tag = record_.add_tags();
    tag->set_key(tag_key_);
    tag->set_value(std::move(value));
    return true;
  }
  if (depth_ != 3 || edge_elements_ != 2) return FailKind();
  edges_.back().label = std::move(value);
  ++edge_elements_;
  return true;
}

bool JsonRecordHandler::KeepField(string_t& value) {
  switch (field_) {
    case kId:
      record_.set_id(std::move(value));
      return true;
    case kPayload:
      record_.set_payload(std::move(value));
      return true;
    case kMoleculeScheme:
      record_.set_molecule_scheme(std::move(value));
      return true;
    case kPayloadBase64:
      if (absl::Base64Unescape(value, record_.mutable_payload())) return true;
      return Fail(Path(), "is not base64");
    default:
      return FailKind();
  }
}

bool JsonRecordHandler::start_object(size_t) {
  if (depth_ != 0 && !(depth_ == 1 && field_ == kTags)) return FailKind();
  ++depth_;
  return true;
}

bool JsonRecordHandler::key(string_t& name) {
  if (depth_ == 2) {
    tag_key_ = name;
    return tag_keys_.insert(name).second || Fail(Path(), "stands twice");
  }
  const auto known = std::find(kFieldNames.begin(), kFieldNames.end(), name);
  field_ = static_cast<Field>(known - kFieldNames.begin());
  if (field_ == kFields) return Fail(Shown(name), "is not a field of a record");
  if (seen_[field_]) return Fail(name, "stands twice");
  seen_.set(field_);
  if (seen_[kPayload] && seen_[kPayloadBase64]) return Fail(name, "stands beside another payload");
  return true;
}

bool JsonRecordHandler::end_object() {
  --depth_;
  return true;
}

bool JsonRecordHandler::start_array(size_t) {
  const bool is_field = depth_ == 1 && (field_ == kVertices || field_ == kEdges);
  const bool is_edge = depth_ == 2 && field_ == kEdges;
  if (!is_field && !is_edge) return FailKind();
  if (is_edge) edges_.emplace_back();
  edge_elements_ = 0;
  ++depth_;
  return true;
}

bool JsonRecordHandler::end_array() {
  --depth_;
  if (depth_ != 2 || edge_elements_ >= 2) return true;
  return Fail(fmt::format("edges[{}]", edges_.size() - 1), Wanted());
}

bool JsonRecordHandler::parse_error(size_t position, const std::string&,
                                    const nlohmann::detail::exception& error) {
  error_ = absl::InvalidArgumentError(fmt::format("not JSON at byte {}: {}", position, Reason(error.what())));
  return false;
}

bool JsonRecordHandler::Fail(std::string_view path, std::string_view problem) {
  error_ = absl::InvalidArgumentError(fmt::format("{}: {}", path, problem));
  return false;
}

bool JsonRecordHandler::FailKind() { return Fail(Path(), Wanted()); }

std::string JsonRecordHandler::Path() const {
  if (depth_ == 0) return "record";
  const std::string_view field = kFieldNames[field_];
  if (depth_ == 1) return std::string(field);
  if (depth_ == 3) return fmt::format("{}[{}][{}]", field, edges_.size() - 1, edge_elements_);
  if (field_ == kVertices) return fmt::format("{}[{}]", field, graph_.vertex_count());
  if (field_ == kEdges) return fmt::format("{}[{}]", field, edges_.size());
  return fmt::format("{}.{}", field, Shown(tag_key_));
}

std::string_view JsonRecordHandler::Wanted() const {
  if (depth_ == 0) return "must be an object";
  if (depth_ == 3 && edge_elements_ < 2) return "must be an unsigned integer";
  if (depth_ == 3 && edge_elements_ > 2) return "is one too many: an edge is [a, b] or [a, b, label]";
  if (depth_ == 2 && field_ == kEdges) return "must be [a, b] or [a, b, label]";
  if (depth_ == 1 && field_ == kVertices) return "must be an array of strings";
  if (depth_ == 1 && field_ == kEdges) return "must be an array of [a, b] or [a, b, label]";
  if (depth_ == 1 && field_ == kTags) return "must be an object of strings";
  return "must be a string";
}

}  // namespace kindred::formats
