// Builds a record from the events of a JSON parser, and stops it at the first thing that is wrong.
//
//     {"id":"caffeine","vertices":["C","N","O"],"edges":[[0,1],[1,2,"double"]],
//      "payload":"any text","tags":{"source":"demo"},"molecule_scheme":"element,bonds"}
//
// `id` and `vertices` have to be there. `payload_base64` stands instead of `payload` for bytes that are not
// UTF-8. Other keys, and a key twice, are refused. A place that expects no further nesting refuses it, so
// that input nested without end costs nothing.
//
// Threads: one caller at a time.

#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "absl/status/statusor.h"
#include "client/formats/graph_builder.h"
#include "kindred/v1/kindred.pb.h"
#include "nlohmann/json.hpp"

namespace kindred::formats {

class JsonRecordHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonRecordHandler(bool edge_labels) : with_edge_labels_(edge_labels) {}

  // The record, once the parser is through or was stopped: then the error, which starts with the path of the
  // field (`edges[3][1]: 7 is not a vertex (the graph has 5)`).
  absl::StatusOr<v1::Record> Take() &&;

  // The id as far as it was read.
  const std::string& id() const { return record_.id(); }

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t value, const string_t& text) override;
  bool string(string_t& value) override;
  bool binary(binary_t& value) override;
  bool start_object(size_t elements) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(size_t elements) override;
  bool end_array() override;
  bool parse_error(size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  enum Field : size_t { kId, kVertices, kEdges, kPayload, kPayloadBase64, kTags, kMoleculeScheme, kFields };
  static constexpr std::array<std::string_view, kFields> kFieldNames = {
      "id", "vertices", "edges", "payload", "payload_base64", "tags", "molecule_scheme"};

  struct Edge {
    // Checked when all vertices are known: edges may stand before them.
    std::array<uint64_t, 2> ends = {};
    std::string label;
  };

  bool Fail(std::string_view path, std::string_view problem);
  // Fails for a value of the wrong kind, saying what is wanted at this place.
  bool FailKind();
  std::string Path() const;
  std::string_view Wanted() const;
  bool AtEdgeEnd() const { return depth_ == 3 && edge_elements_ < 2; }
  bool KeepField(string_t& value);
  absl::Status AddEdges();

  const bool with_edge_labels_;
  v1::Record record_;
  GraphBuilder graph_;
  std::vector<Edge> edges_;
  absl::Status error_;

  // Where the parser is: 1 in the record, 2 in a field of it, 3 in an edge.
  int depth_ = 0;
  Field field_ = kFields;
  std::bitset<kFields> seen_;
  size_t edge_elements_ = 0;
  std::string tag_key_;
  std::unordered_set<std::string> tag_keys_;
};

}  // namespace kindred::formats
