#include "client/formats/sdf_records.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace kindred::formats {

std::optional<RawRecord> SdfRecords::Next() {
  RawRecord record{0, std::string()};
  bool is_blank = true;
  while (std::optional<Line> line = input_->NextLine()) {
    if (record.position == 0) record.position = line->number;
    if (!line->text.ok()) {
      is_blank = false;
      if (record.text.ok()) record.text = line->text.status();
      continue;  // To the end of the record; of an input that cannot be read, to that.
    }
    if (line->text->starts_with("$$$$")) return record;
    if (line->text->find_first_not_of(" \t") != std::string::npos) is_blank = false;
    if (!record.text.ok()) continue;
    if (record.text->size() + line->text->size() + 1 > kSdfRecordBytesMax) {
      record.text =
          absl::InvalidArgumentError(fmt::format("record is longer than {} bytes", kSdfRecordBytesMax));
      continue;
    }
    record.text->append(*line->text);
    record.text->push_back('\n');
  }
  if (is_blank) return std::nullopt;
  return record;
}

}  // namespace kindred::formats
