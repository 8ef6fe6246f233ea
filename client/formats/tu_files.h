// The text of the files of a TU data set, found in a directory or in an archive.
//
//     NAME_A.txt                one edge a line, "vertex, vertex", vertices counted from 1 through all graphs
//     NAME_graph_indicator.txt  for each vertex the number of its graph
//     NAME_graph_labels.txt     for each graph its class      (optional)
//     NAME_node_labels.txt      for each vertex its label     (optional)
//     NAME_edge_labels.txt      for each line of NAME_A.txt   (optional)
//
// Other files (attributes, README) are not read.
// Described in: Morris et al., TUDataset, 2020.
//
// Threads: free functions without state.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "client/formats/archive_source.h"

namespace kindred::formats {

// Each file: they are held in memory, and their lines counted in 32 bits (a line has at least 4 bytes).
inline constexpr size_t kTuFileBytesMax = size_t{4} << 30;

struct TuFiles {
  std::string name;
  std::string edges;
  std::string indicator;
  std::optional<std::string> graph_labels;
  std::optional<std::string> node_labels;
  std::optional<std::string> edge_labels;
};

// Whether the path ends in "_A.txt", by which a data set is named.
bool IsTuEdgeFile(const std::string& path);

// From the directory `path`, which holds one data set.
absl::StatusOr<TuFiles> LoadTuDirectory(const std::string& path);

// From the directory of the file `path`, NAME_A.txt; other data sets may lie beside it.
absl::StatusOr<TuFiles> LoadTuBeside(const std::string& path);

// From an archive that holds one data set, in whatever folder.
absl::StatusOr<TuFiles> LoadTuArchive(ArchiveSource& source);

}  // namespace kindred::formats
