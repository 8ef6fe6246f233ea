// Novelty by definition: compares a graph with every graph of the model, decides isomorphism by trying
// assignments, and takes the best. Shares no code with index/ beyond Graph and the words of a question.

#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "index/engine/novelty.h"
#include "tests/support/reference_model.h"

namespace kindred::test {

// The most similar graph that makes `graph` not novel, of those whose ids count; on ties an isomorphic one,
// then the smaller id. The rule's filter is the caller's affair.
std::optional<ClosestGraph> ClosestByDefinition(
    const ReferenceModel& model, Level depth, const Graph& graph, const NoveltyParts& rule,
    const std::function<bool(const std::string& id)>& counts = [](const std::string&) { return true; });

}  // namespace kindred::test

namespace kindred {

// So that GoogleTest shows what it is.
void PrintTo(const ClosestGraph& closest, std::ostream* out);

}  // namespace kindred
