#include "client/formats/record_reader.h"

#include <utility>

namespace kindred::formats {

std::optional<EncodedResult> RecordReader::NextEncoded() {
  std::optional<ReadResult> result = Next();
  if (!result.has_value()) return std::nullopt;
  absl::StatusOr<std::string> bytes = std::string();
  if (result->record.ok()) {
    result->record->SerializeToString(&*bytes);
  } else {
    bytes = result->record.status();
  }
  return EncodedResult{result->position, std::move(result->id), std::move(bytes)};
}

}  // namespace kindred::formats
