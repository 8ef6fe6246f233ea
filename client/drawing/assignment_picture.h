// Two molecules side by side, their atoms coloured by the depth to which they agree with their partners.
//
// Equal numbers stand at partners, bonds are coloured that both molecules have between partners, and the
// second molecule is turned so that partners lie in like places. A legend tells the colours and the
// similarities.
//
// Threads: free functions without state.
// Cost: some milliseconds.

#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::drawing {

// SVG. The names are printable UTF-8 and are cut where they are too long; `answer` carries its graphs.
// An error starts with the name of what cannot be drawn.
absl::StatusOr<std::string> DrawAssignment(const std::string& name_a, const std::string& name_b,
                                           const v1::ExplainResponse& answer);

}  // namespace kindred::drawing
