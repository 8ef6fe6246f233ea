// Whether a filter can be seen to match nothing, whatever tags graphs have.
//
// Conditions that must hold together contradict each other when, of one key, they leave no value, or want it
// there and not there. `or` contradicts what stands around it when each of its alternatives does. Two `or`s
// are never held against each other, which could take exponentially long: such a filter matches nothing
// without being refused. A filter that some graph could match is never refused.
//
// Cost: every condition is compared once with those of the same key around it.

#pragma once

#include "absl/status/status.h"
#include "index/filter/filter.h"

namespace kindred {

// INVALID_ARGUMENT names the conditions that contradict each other.
absl::Status CheckSatisfiable(const FilterNode& root);

}  // namespace kindred
