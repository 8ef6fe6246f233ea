#include "client/formats/smiles_reader.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "client/formats/line_record_reader.h"
#include "client/formats/record_check.h"
#include "client/formats/smiles_graph.h"

namespace kindred::formats {

namespace {

constexpr std::string_view kAroundLine = " \t\r";
constexpr std::string_view kSeparators = " \t,";

std::string_view TrimmedLine(std::string_view text) {
  const size_t begin = text.find_first_not_of(kAroundLine);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAroundLine) - begin + 1);
}

struct Fields {
  std::string_view smiles;
  std::string_view id;
};

Fields Split(std::string_view line) {
  const size_t smiles_bytes = line.find_first_of(kSeparators);
  if (smiles_bytes == std::string_view::npos) return {line, line};
  const std::string_view smiles = line.substr(0, smiles_bytes);
  const size_t id_begin = line.find_first_not_of(kSeparators, smiles_bytes);
  if (id_begin == std::string_view::npos) return {smiles, smiles};
  return {smiles, line.substr(id_begin)};
}

bool IsHeader(uint64_t number, std::string_view field) {
  return number == 1 && absl::EqualsIgnoreCase(absl::string_view(field.data(), field.size()), "smiles");
}

absl::StatusOr<v1::Record> MakeRecord(const Fields& fields, bool edge_labels) {
  if (const absl::Status id = CheckId(fields.id); !id.ok()) return id;
  absl::StatusOr<v1::Graph> graph = GraphFromSmiles(fields.smiles, edge_labels);
  if (!graph.ok()) return graph.status();
  v1::Record record;
  record.set_id(fields.id.data(), fields.id.size());
  *record.mutable_graph() = *std::move(graph);
  record.set_payload(fields.smiles.data(), fields.smiles.size());
  return record;
}

}  // namespace

std::optional<ReadResult> ReadSmilesLine(uint64_t number, std::string_view line, const ReadOptions& options) {
  line = TrimmedLine(line);
  if (line.empty() || line.front() == '#') return std::nullopt;
  const Fields fields = Split(line);
  if (IsHeader(number, fields.smiles)) return std::nullopt;
  ReadResult result;
  result.position = number;
  if (CheckId(fields.id).ok()) result.id = std::string(fields.id);
  result.record = MakeRecord(fields, options.edge_labels);
  return result;
}

std::unique_ptr<RecordReader> NewSmilesReader(std::unique_ptr<InputStream> input,
                                              const ReadOptions& options) {
  return std::make_unique<LineRecordReader>(
      std::move(input),
      [options](uint64_t number, std::string_view line) { return ReadSmilesLine(number, line, options); });
}

}  // namespace kindred::formats
