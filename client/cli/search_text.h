// What a search takes and gives, as text.
//
// Threads: free functions without state.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/choice.h"
#include "client/cli/json.h"
#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

std::vector<Choice<v1::Measure>> MeasureChoices();
std::string MeasureWord(v1::Measure measure);

// "1,0.5,0" -> {1, 0.5, 0}.
absl::StatusOr<std::vector<double>> ParseWeights(std::string_view text);

// {"query":"x","sequence":12,"hits":[{"id":"x","kernel":60,"similarity":0.652,"vertices":23}],"stats":{...}},
// a line. Hits have "payload" (or "payload_base64") and "tags", too, if there are any.
std::string SearchJsonLine(const std::string& query, const v1::SearchResponse& response);

// Adds a hit's payload, as text or, where it is none, in base64, and its tags; what is empty is left out.
void AddFieldsJson(const std::string& payload, const google::protobuf::RepeatedPtrField<v1::Tag>& tags,
                   Json& json);

// A line about the search and a table of the hits, the first of which has this rank.
std::string SearchText(const std::string& query, v1::Measure measure, const std::string& depth,
                       const v1::SearchResponse& response, uint64_t first_rank, bool colour);

}  // namespace kindred::cli
