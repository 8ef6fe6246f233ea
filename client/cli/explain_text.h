// The answer of Explain, as text.
//
// Threads: free functions without state.

#pragma once

#include <string>

#include "absl/status/status.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// INVALID_ARGUMENT unless the answer carries its graphs and its pairs fit them: a daemon may be anybody.
absl::Status CheckExplanation(const v1::ExplainResponse& answer);

// REQUIRES, here and below: CheckExplanation found nothing.
// {"a":"x","b":"y","sequence":12,"depth":3,...,"pairs":[{"a":0,"b":2,...}],...}, a line.
std::string ExplainJsonLine(const std::string& a, const std::string& b, const v1::ExplainResponse& answer);

// A line about the two, a table of the vertices, one of the levels, and the similarities.
std::string ExplainText(const std::string& a, const std::string& b, const v1::ExplainResponse& answer,
                        bool colour);

}  // namespace kindred::cli
