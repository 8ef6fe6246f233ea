#include "client/formats/jsonl_reader.h"

#include "client/formats/json_record_handler.h"
#include "client/formats/molecule_scheme.h"
#include "client/formats/parallel_reader.h"
#include "client/formats/record_check.h"

namespace kindred::formats {

std::optional<ReadResult> ReadJsonLine(uint64_t number, std::string_view line, const ReadOptions& options) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
  JsonRecordHandler handler(options.edge_labels);
  // What it returns is in the handler as well: false exactly when that holds an error.
  nlohmann::json::sax_parse(line.begin(), line.end(), &handler);
  ReadResult result;
  result.position = number;
  if (CheckId(handler.id()).ok()) result.id = handler.id();
  result.record = std::move(handler).Take();
  if (!options.edge_labels && result.record.ok()) {
    if (const absl::Status status = DropBondsOfScheme(*result.record); !status.ok()) result.record = status;
  }
  return result;
}

std::unique_ptr<RecordReader> NewJsonLinesReader(std::unique_ptr<InputStream> input,
                                                 const ReadOptions& options) {
  return std::make_unique<ParallelReader>(
      std::make_unique<LineRecords>(std::move(input)),
      [options](uint64_t number, std::string_view line) { return ReadJsonLine(number, line, options); },
      options.threads);
}

}  // namespace kindred::formats
