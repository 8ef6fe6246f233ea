#include "client/formats/smiles_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "client/formats/smiles_graph.h"
#include "client/formats/table.h"

namespace kindred::formats {

namespace {

using Columns = std::vector<std::string>;

bool NamesSmiles(const std::string& column) { return absl::EndsWithIgnoreCase(column, "smiles"); }

bool NamesId(const std::string& column) {
  return absl::EqualsIgnoreCase(column, "id") || absl::EqualsIgnoreCase(column, "name") ||
         absl::EqualsIgnoreCase(column, "title") || absl::EndsWithIgnoreCase(column, "_id");
}

std::optional<size_t> FindIf(const Columns& fields, bool (*is)(const std::string&)) {
  const auto found = std::ranges::find_if(fields, is);
  if (found == fields.end()) return std::nullopt;
  return static_cast<size_t>(found - fields.begin());
}

// A column whose name ends in "smiles"; but "CO smiles" is methanol with an odd id.
bool IsHeader(const Columns& fields) {
  return !fields.empty() && (NamesSmiles(fields.front()) || (FindIf(fields, NamesSmiles).has_value() &&
                                                             !GraphFromSmiles(fields.front(), {}).ok()));
}

std::optional<size_t> GuessIdColumn(const Columns& header, size_t smiles_column) {
  for (size_t i = 0; i < header.size(); ++i) {
    if (i != smiles_column && NamesId(header[i])) return i;
  }
  if (header.size() == 2 && smiles_column < 2) return 1 - smiles_column;
  return std::nullopt;
}

absl::StatusOr<SmilesTable> AskedTable(const Columns& fields, SmilesTable table, const ReadOptions& options) {
  const auto by_name = [](const std::string& column) { return !column.empty() && !IsColumnNumber(column); };
  table.has_header = table.has_header || by_name(options.smiles_column) || by_name(options.id_column);
  const Columns header = table.has_header ? fields : Columns();
  if (!options.smiles_column.empty()) {
    const absl::StatusOr<size_t> column = FindColumn(options.smiles_column, header);
    if (!column.ok()) return column.status();
    table.smiles_column = *column;
  } else {
    table.smiles_column = FindIf(header, NamesSmiles).value_or(0);
  }
  if (options.id_column.empty()) {
    table.id_column = GuessIdColumn(header, table.smiles_column);
    return table;
  }
  const absl::StatusOr<size_t> column = FindColumn(options.id_column, header);
  if (!column.ok()) return column.status();
  table.id_column = *column;
  return table;
}

}  // namespace

absl::StatusOr<std::optional<SmilesTable>> FindSmilesTable(std::string_view first_line,
                                                           const ReadOptions& options) {
  SmilesTable table;
  table.separator = GuessSeparator(first_line);
  absl::StatusOr<Columns> split = SplitFields(first_line, table.separator);
  const Columns fields = split.ok() ? *std::move(split) : Columns();
  table.has_header = IsHeader(fields);
  const bool is_asked_for = !options.smiles_column.empty() || !options.id_column.empty();
  const bool is_quoted = first_line.starts_with('"') && table.separator != ' ';
  // "smiles id" says nothing that lines do not say; and what spaces part may be an id of several words.
  const bool says_more =
      table.has_header && (!NamesSmiles(fields.front()) || (fields.size() > 2 && table.separator != ' '));
  if (!is_asked_for && !is_quoted && !says_more) return std::nullopt;
  absl::StatusOr<SmilesTable> found = AskedTable(fields, table, options);
  if (!found.ok()) return found.status();
  // Without a header the id stands behind the SMILES.
  if (!is_asked_for && !found->has_header) found->id_column = 1;
  return *found;
}

}  // namespace kindred::formats
