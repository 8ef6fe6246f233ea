// Reads graphs as JSON lines: one object a line, as json_record_handler.h shows it. Blank lines are skipped.
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

std::unique_ptr<RecordReader> NewJsonLinesReader(std::unique_ptr<InputStream> input,
                                                 const ReadOptions& options);

// The record of one line; nothing for a blank one. Any number of threads.
std::optional<ReadResult> ReadJsonLine(uint64_t number, std::string_view line, const ReadOptions& options);

}  // namespace kindred::formats
