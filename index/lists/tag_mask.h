// Which graphs of a segment a filter matches, by the segment's tags.
//
// Cost: a few operations a word of 64 slots for each condition, and one for each slot in a list that it
// names.

#pragma once

#include <memory>

#include "index/filter/filter.h"
#include "index/lists/segment.h"

namespace kindred {

// Shows those of the view's live graphs that match. REQUIRES: the filter does not match everything.
std::shared_ptr<const LiveMask> MatchingMask(const SegmentView& view, const Filter& filter);

}  // namespace kindred
