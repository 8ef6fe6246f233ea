#include "client/formats/table.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace kindred::formats {

namespace {

std::string_view TrimmedField(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

bool EqualsIgnoreCase(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase({a.data(), a.size()}, {b.data(), b.size()});
}

// Whether a quoted field begins here, be there spaces before it.
bool BeginsQuoted(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin != std::string_view::npos && text[begin] == '"';
}

// The end of a quoted field: behind its closing quote. Nothing when there is none.
std::optional<size_t> QuotedEnd(std::string_view text) {
  size_t at = text.find('"') + 1;
  while ((at = text.find('"', at)) != std::string_view::npos) {
    if (at + 1 >= text.size() || text[at + 1] != '"') return at + 1;
    at += 2;
  }
  return std::nullopt;
}

std::string Unquoted(std::string_view text) {
  std::string field;
  for (size_t i = text.find('"') + 1; i + 1 < text.size(); ++i) {
    field += text[i];
    if (text[i] == '"') ++i;  // The second of two.
  }
  return field;
}

std::vector<std::string> SplitAtSpaces(std::string_view row) {
  std::vector<std::string> fields;
  for (size_t begin = 0; (begin = row.find_first_not_of(" \t\r\n", begin)) != std::string_view::npos;) {
    const size_t end = std::min(row.find_first_of(" \t\r\n", begin), row.size());
    fields.emplace_back(row.substr(begin, end - begin));
    begin = end;
  }
  return fields;
}

struct Row {
  std::vector<std::string> fields;
  bool ends_in_quotes = false;
};

Row Split(std::string_view row, char separator) {
  if (separator == ' ') return {SplitAtSpaces(row), false};
  Row result;
  while (true) {
    size_t behind = 0;
    std::string quoted;
    if (BeginsQuoted(row)) {
      const std::optional<size_t> end = QuotedEnd(row);
      if (!end.has_value()) return {{}, true};
      behind = *end;
      quoted = Unquoted(row.substr(0, behind));
    }
    const size_t end = std::min(row.find(separator, behind), row.size());
    // What stands between a closing quote and the separator belongs to the field, as everybody reads it.
    result.fields.emplace_back(TrimmedField(quoted + std::string(row.substr(behind, end - behind))));
    if (end == row.size()) return result;
    row.remove_prefix(end + 1);
  }
}

std::optional<uint64_t> AsNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

char GuessSeparator(std::string_view line) {
  for (const char separator : {'\t', ',', ';'}) {
    if (line.find(separator) != std::string_view::npos) return separator;
  }
  return ' ';
}

absl::StatusOr<std::vector<std::string>> SplitFields(std::string_view row, char separator) {
  Row result = Split(row, separator);
  if (result.ends_in_quotes) return absl::InvalidArgumentError("a quote is opened and not closed");
  return std::move(result.fields);
}

bool EndsInQuotes(std::string_view row, char separator) { return Split(row, separator).ends_in_quotes; }

bool IsColumnNumber(std::string_view name) { return AsNumber(name).has_value(); }

absl::StatusOr<size_t> FindColumn(std::string_view name, const std::vector<std::string>& header) {
  if (const std::optional<uint64_t> number = AsNumber(name); number.has_value()) {
    if (*number == 0) return absl::InvalidArgumentError("columns are counted from 1");
    return static_cast<size_t>(*number - 1);
  }
  const auto exact = std::ranges::find(header, name);
  const auto found =
      exact != header.end() ? exact : std::ranges::find_if(header, [&](const std::string& column) {
        return EqualsIgnoreCase(column, name);
      });
  if (found != header.end()) return static_cast<size_t>(found - header.begin());
  return absl::NotFoundError(
      header.empty() ? fmt::format("there is no header with a column '{}'", name)
                     : fmt::format("there is no column '{}'; there are {}", name, fmt::join(header, ", ")));
}

}  // namespace kindred::formats
