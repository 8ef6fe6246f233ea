// The tags of a segment that was made of others.

#pragma once

#include <span>

#include "index/lists/segment.h"
#include "index/lists/tag_index.h"

namespace kindred {

// Those of the graphs in `merged`, each of which is a live graph of one of the parts. REQUIRES: ascending
// GraphIds, part after part. Cost: nothing when no part has tags, else linear in graphs and tags.
TagIndex MergeTags(std::span<const SegmentView> parts, const GraphTable& merged);

}  // namespace kindred
