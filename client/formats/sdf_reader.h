// Reads molecules from SDF files, V2000 and V3000 (sdf_record.h); a file of one connection table is one of
// one record.
//
// The id is the title line, or a property that is asked for; without a title it is the SMILES. The payload is
// the SMILES; properties can be tags, or as one JSON object the payload. Properties have to be UTF-8 for
// either.
//
// Threads: one caller at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "client/formats/input_stream.h"
#include "client/formats/record_reader.h"

namespace kindred::formats {

std::unique_ptr<RecordReader> NewSdfReader(std::unique_ptr<InputStream> input, const ReadOptions& options);

// One record; `line` is its first line. Any number of threads.
ReadResult ReadSdfRecord(uint64_t line, std::string_view text, const ReadOptions& options);

// Whether a text that begins so is SDF: the fourth line ends in V2000 or V3000, or a connection table ends.
bool LooksLikeSdf(std::string_view begin);

}  // namespace kindred::formats
