// A recommendation as text.
//
// Threads: free functions without state.

#pragma once

#include <string>

#include "client/cli/example_flags.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// {"liked":[{"name":"x","weight":1}],"disliked":[],"form":"sum","measure":"tanimoto","sequence":12,
//  "hits":[{"id":"y","score":0.65,"similarities":[0.65]}],"stats":{...}}, a line.
std::string RecommendJsonLine(const v1::RecommendRequest& request, const ExampleNames& names,
                              const v1::RecommendResponse& response);

// A line about the question and a table of the hits, with the similarity to each example.
std::string RecommendText(const v1::RecommendRequest& request, const ExampleNames& names,
                          const std::string& depth, const v1::RecommendResponse& response, bool colour);

}  // namespace kindred::cli
