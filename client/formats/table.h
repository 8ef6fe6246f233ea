// Rows of a table as text: fields, their separators, quotes, and the columns that someone asked for.
//
// A field may stand in double quotes, as in CSV (RFC 4180): separators and line ends in it are then part of
// it, and a quote in it is written twice. Fields that are separated by spaces are never quoted.
//
// Threads: free functions without state.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace kindred::formats {

// What a table is most likely separated by, judged by its first line: tab, comma, semicolon or space.
char GuessSeparator(std::string_view line);

// The fields of a row, without quotes and white space around them. INVALID_ARGUMENT when a quote is not
// closed.
absl::StatusOr<std::vector<std::string>> SplitFields(std::string_view row, char separator);

// Whether the row goes on in the next line, since a quote is open.
bool EndsInQuotes(std::string_view row, char separator);

// The place, from 0, of the column called `name`, in this case or another; or, if `name` is a number, of the
// column of this number, counted from 1. NOT_FOUND lists the columns there are. `header` is empty without
// one.
absl::StatusOr<size_t> FindColumn(std::string_view name, const std::vector<std::string>& header);

// Whether `name` is a number, and so no name of a column.
bool IsColumnNumber(std::string_view name);

}  // namespace kindred::formats
