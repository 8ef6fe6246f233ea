// Reads the graphs of a TU data set (tu_files.h says what that is) as records.
//
// The id is the name of the set and the number of the graph, as wide as the last number, so that the order of
// ids is that of the file: MUTAG-001 to MUTAG-188. The tag "class" is the label of the graph. The label of a
// vertex or edge is its number as text; without node labels all vertices are labelled with the empty string.
// The position of a record is the number of its graph.
//
// Threads: one caller at a time.

#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/formats/record_reader.h"
#include "client/formats/tu_files.h"

namespace kindred::formats {

// Fails when the files as a whole disagree.
absl::StatusOr<std::unique_ptr<RecordReader>> NewTuReader(TuFiles files, const ReadOptions& options);

}  // namespace kindred::formats
