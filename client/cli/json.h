// JSON as the command line prints it: keys in the order they were set, one object a line.
//
// Threads: free functions without state.

#pragma once

#include <string>

#include "nlohmann/json.hpp"

namespace kindred::cli {

using Json = nlohmann::ordered_json;

// A number that prints as an integer when it is one.
Json JsonNumber(double value);

// One line with its end. What is not UTF-8 becomes U+FFFD.
std::string JsonLine(const Json& json);

}  // namespace kindred::cli
