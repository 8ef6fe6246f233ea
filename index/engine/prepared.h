// What of a write can be done before its turn comes: everything that does not depend on the order of commits.
//
// Threads: Prepare runs beside others and beside the writer; the rest is values.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "index/engine/mutation.h"
#include "index/engine/speculation.h"
#include "index/hierarchy/colour_hierarchy.h"
#include "index/hierarchy/refinement.h"

namespace kindred {

struct PreparedGraph {
  // A graph that wears colours no one knew.
  struct Unfinished {
    Graph graph;
    VertexColours colours;
  };

  std::string record;  // Encoded, as the histogram is.
  Tags tags;
  std::variant<std::string, Unfinished> histogram;
};

struct PreparedMutation {
  std::string external_id;
  absl::Status status;                 // Not OK: it was refused before it got here.
  std::optional<PreparedGraph> graph;  // Nothing: a delete.
  WriteMode mode = WriteMode::kUpsert;
  std::string molecule_scheme;
  std::unique_ptr<Speculation> speculation;  // Of a put that has to be novel.
};

struct PreparedRequest {
  std::vector<PreparedMutation> mutations;
  std::optional<FrameOrigin> origin;
  std::shared_ptr<const NoveltyRule> novelty;
};

// Reads the request, if that is still to be done, and refines its graphs as far as colours are known. With a
// rule of novelty they are compared with what is committed, too. REQUIRES: a speculator for a request that
// has a rule.
PreparedRequest Prepare(WriteRequest& request, const ColourHierarchy& hierarchy, Level depth,
                        const Speculator* speculator = nullptr);

}  // namespace kindred
