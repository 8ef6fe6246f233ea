// A query and the graphs nearest to it, as a grid of molecules with their names and similarities.
//
// Threads: free functions without state.
// Cost: some milliseconds a molecule.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::drawing {

// More would make a picture that nobody looks through.
inline constexpr size_t kDrawnHitsMax = 100;

// One cell of the grid. Texts are printable UTF-8 and are cut where they are too long.
struct NeighbourCell {
  std::string name;
  std::string caption;     // The line below the name.
  const v1::Graph* graph;  // Null: no longer stored.
};

struct NeighboursPicture {
  std::string svg;
  // Why cells could not be drawn; theirs say so in the picture as well.
  std::vector<std::string> notes;
};

// The query comes first. An error, with its name, when the query itself cannot be drawn.
// REQUIRES: kDrawnHitsMax hits at most.
absl::StatusOr<NeighboursPicture> DrawNeighbours(const NeighbourCell& query,
                                                 const std::vector<NeighbourCell>& hits);

}  // namespace kindred::drawing
