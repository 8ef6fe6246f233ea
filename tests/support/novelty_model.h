// Novelty by definition: compares a graph with every graph of the model, decides isomorphism by trying
// assignments, and takes the best. Shares no code with index/ beyond Graph and the words of a question.

#pragma once

#include <optional>
#include <vector>

#include "index/engine/novelty.h"
#include "tests/support/reference_model.h"

namespace kindred::test {

// The most similar graph that makes `graph` not novel; on ties an isomorphic one, then the smaller id.
std::optional<ClosestGraph> ClosestByDefinition(const ReferenceModel& model, Level depth, const Graph& graph,
                                                const NoveltyParts& rule);

}  // namespace kindred::test

namespace kindred {

// So that GoogleTest shows what it is.
void PrintTo(const ClosestGraph& closest, std::ostream* out);

}  // namespace kindred
