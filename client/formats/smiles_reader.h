// Reads molecules from lines of a SMILES and an id, or from the columns of a table.
//
// Lines, when there is no header but "smiles id", and no column is asked for:
//
//     CCO<TAB>ethanol
//
// SMILES and id are parted by tabs, spaces or commas. The id is the rest of the line, up to a tab or, when a
// comma stands right behind the SMILES, up to the next comma; without one it is the SMILES itself. Blank
// lines and lines that start with '#' are skipped, and so is a first line whose first field is "smiles", in
// any case.
//
// A table, when a column is asked for, when the first line is a header that has a column whose name ends in
// "smiles" (unless its first field is a SMILES), or when the first line starts with a quote: fields as
// table.h tells, separated by what the first line is separated by. The id is that of the column asked for;
// else of the first column called id, name or title or ending in "_id"; else, when there are two columns, the
// other one; else the SMILES itself. A quoted field may go on over at most kRowLinesMax lines.
//
// The payload of a record is the SMILES as it stands there.
//
// Threads: one caller at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/formats/input_stream.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

// A quote that someone forgot to close costs its line, not the rest of the file.
inline constexpr size_t kRowLinesMax = 16;

// NOT_FOUND: a column that is asked for is not in the header.
absl::StatusOr<std::unique_ptr<RecordReader>> NewSmilesReader(std::unique_ptr<InputStream> input,
                                                              const ReadOptions& options);

// The record of one line, not of a table; nothing for one that is skipped. Any number of threads.
std::optional<ReadResult> ReadSmilesLine(uint64_t number, std::string_view line, const ReadOptions& options);

}  // namespace kindred::formats
