#include "client/formats/smiles_reader.h"

#include <deque>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "client/formats/molecule_scheme.h"
#include "client/formats/parallel_reader.h"
#include "client/formats/record_check.h"
#include "client/formats/smiles_graph.h"
#include "client/formats/smiles_table.h"
#include "client/formats/table.h"
#include "fmt/format.h"

namespace kindred::formats {

namespace {

constexpr std::string_view kAroundLine = " \t\r";
constexpr std::string_view kSeparators = " \t,";

std::string_view TrimmedLine(std::string_view text) {
  const size_t begin = text.find_first_not_of(kAroundLine);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kAroundLine) - begin + 1);
}

bool IsSkipped(std::string_view trimmed) { return trimmed.empty() || trimmed.front() == '#'; }

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
  std::string_view id = line.substr(id_begin);
  id = id.substr(0, id.find('\t'));
  if (line[smiles_bytes] == ',') id = id.substr(0, id.find(','));
  return {smiles, TrimmedLine(id)};
}

bool IsHeader(uint64_t number, std::string_view field) {
  return number == 1 && absl::EqualsIgnoreCase(absl::string_view(field.data(), field.size()), "smiles");
}

absl::StatusOr<v1::Record> MakeRecord(const Fields& fields, const MoleculeScheme& scheme) {
  if (const absl::Status id = CheckId(fields.id); !id.ok()) return id;
  absl::StatusOr<v1::Graph> graph = GraphFromSmiles(fields.smiles, scheme);
  if (!graph.ok()) return graph.status();
  v1::Record record;
  record.set_id(fields.id.data(), fields.id.size());
  *record.mutable_graph() = *std::move(graph);
  record.set_payload(fields.smiles.data(), fields.smiles.size());
  record.set_molecule_scheme(ToText(scheme));
  return record;
}

ReadResult MakeResult(uint64_t number, const Fields& fields, const ReadOptions& options) {
  ReadResult result;
  result.position = number;
  if (CheckId(fields.id).ok()) result.id = std::string(fields.id);
  result.record = MakeRecord(fields, options.molecules);
  return result;
}

std::optional<ReadResult> ReadRow(uint64_t number, std::string_view row, const SmilesTable& table,
                                  const ReadOptions& options) {
  if (TrimmedLine(row).empty()) return std::nullopt;
  const absl::StatusOr<std::vector<std::string>> fields = SplitFields(row, table.separator);
  if (!fields.ok()) return ReadResult{number, "", fields.status()};
  const bool has_id = table.id_column.has_value() && *table.id_column < fields->size();
  const std::string_view id = has_id ? (*fields)[*table.id_column] : std::string_view();
  if (table.smiles_column >= fields->size()) {
    return ReadResult{
        number, std::string(CheckId(id).ok() ? id : ""),
        absl::InvalidArgumentError(fmt::format("the row has {} columns; the SMILES is in column {}",
                                               fields->size(), table.smiles_column + 1))};
  }
  const std::string_view smiles = (*fields)[table.smiles_column];
  return MakeResult(number, {smiles, id.empty() ? smiles : id}, options);
}

// Lines, the first of which was read already; of a table, as many as make up a row.
class RowRecords : public RawRecords {
 public:
  // `first`: nothing at the end of the input.
  RowRecords(std::unique_ptr<InputStream> input, std::optional<Line> first, std::optional<char> separator)
      : input_(std::move(input)), separator_(separator) {
    if (first.has_value()) read_.push_back(*std::move(first));
  }

  std::optional<RawRecord> Next() override {
    if (!Read(1)) return std::nullopt;
    RawRecord record{read_.front().number, std::move(read_.front().text)};
    read_.pop_front();
    if (separator_.has_value() && record.text.ok()) Complete(*record.text);
    return record;
  }

  bool Ready() const override { return !read_.empty() || input_->Ready(); }

 private:
  // Whether that many lines, or more, lie in read_.
  bool Read(size_t lines) {
    while (read_.size() < lines) {
      std::optional<Line> line = input_->NextLine();
      if (!line.has_value()) return false;
      read_.push_back(*std::move(line));
    }
    return true;
  }

  // Adds the lines that a quote goes on over; none when it does not end soon enough.
  void Complete(std::string& row) {
    std::string longer = row;
    for (size_t lines = 0; EndsInQuotes(longer, *separator_); ++lines) {
      if (lines + 1 == kRowLinesMax || !Read(lines + 1) || !read_[lines].text.ok()) return;
      longer += '\n';
      longer += *read_[lines].text;
      if (!EndsInQuotes(longer, *separator_)) {
        read_.erase(read_.begin(), read_.begin() + static_cast<std::ptrdiff_t>(lines + 1));
        row = std::move(longer);
        return;
      }
    }
  }

  const std::unique_ptr<InputStream> input_;
  const std::optional<char> separator_;
  std::deque<Line> read_;
};

}  // namespace

std::optional<ReadResult> ReadSmilesLine(uint64_t number, std::string_view line, const ReadOptions& options) {
  line = TrimmedLine(line);
  if (IsSkipped(line)) return std::nullopt;
  const Fields fields = Split(line);
  if (IsHeader(number, fields.smiles)) return std::nullopt;
  return MakeResult(number, fields, options);
}

absl::StatusOr<std::unique_ptr<RecordReader>> NewSmilesReader(std::unique_ptr<InputStream> input,
                                                              const ReadOptions& options) {
  std::optional<Line> first = input->NextLine();
  while (first.has_value() && first->text.ok() && IsSkipped(TrimmedLine(*first->text))) {
    first = input->NextLine();
  }
  std::optional<SmilesTable> table;
  if (first.has_value() && first->text.ok()) {
    const auto found = FindSmilesTable(TrimmedLine(*first->text), options);
    if (!found.ok()) {
      return absl::Status(found.status().code(),
                          fmt::format("'{}': {}", input->name(), std::string(found.status().message())));
    }
    table = *found;
    if (table.has_value() ? table->has_header : IsHeader(1, Split(TrimmedLine(*first->text)).smiles)) {
      first.reset();
    }
  }
  if (!table.has_value()) {
    return std::make_unique<ParallelReader>(
        std::make_unique<RowRecords>(std::move(input), std::move(first), std::nullopt),
        [options](uint64_t number, std::string_view line) { return ReadSmilesLine(number, line, options); },
        options.threads);
  }
  return std::make_unique<ParallelReader>(
      std::make_unique<RowRecords>(std::move(input), std::move(first), table->separator),
      [options, table = *table](uint64_t number, std::string_view row) {
        return ReadRow(number, row, table, options);
      },
      options.threads);
}

}  // namespace kindred::formats
