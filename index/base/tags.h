// What a client wants known of a graph beside the graph: keys with a value each, every key once.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kindred {

using Tags = std::vector<std::pair<std::string, std::string>>;  // Key and value.

}  // namespace kindred
