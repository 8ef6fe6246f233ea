// Random filters: their text, and what they mean by an evaluator of their own.
//
// Keys and values are few, so that filters match, contradict themselves and hit ties. Threads: values.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "index/base/tags.h"
#include "tests/support/graphs.h"

namespace kindred::test {

using TagMap = std::map<std::string, std::string>;

struct RandomFilter {
  std::string text;
  std::function<bool(const TagMap&)> matches;
};

// Of up to 2^depth conditions.
RandomFilter MakeRandomFilter(Rng& rng, int depth);

// Some of the keys that filters name, with some of their values.
TagMap RandomTags(Rng& rng);
Tags ToTags(const TagMap& tags);

// Every combination of tags a filter could tell apart from the others.
std::vector<TagMap> AllTags();

}  // namespace kindred::test
