// Reads molecules from lines of a SMILES and an id, parted by tabs, spaces or commas:
//
//     CCO<TAB>ethanol
//
// The id is the rest of the line; without one it is the SMILES itself. The record's payload is the SMILES as
// it stands there. Blank lines and lines that start with '#' are skipped, and so is a first line whose first
// field is "smiles", in any case: the header of a table.
//
// Threads: one caller at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "client/formats/input_stream.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

std::unique_ptr<RecordReader> NewSmilesReader(std::unique_ptr<InputStream> input, const ReadOptions& options);

// The record of one line; nothing for one that is skipped. Any number of threads.
std::optional<ReadResult> ReadSmilesLine(uint64_t number, std::string_view line, const ReadOptions& options);

}  // namespace kindred::formats
