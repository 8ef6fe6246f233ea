#include "tests/support/novelty_model.h"

#include <vector>

#include "fmt/format.h"
#include "tests/support/hard_graphs.h"

namespace kindred {

void PrintTo(const ClosestGraph& closest, std::ostream* out) {
  *out << fmt::format("'{}' K={} similarity={} identity={}", closest.id, closest.kernel, closest.similarity,
                      static_cast<int>(closest.identity));
}

}  // namespace kindred

namespace kindred::test {
namespace {

// Level by level, those of weight 0 aside.
bool EqualHistograms(const Graph& a, const Graph& b, Level depth, const std::vector<double>& weights) {
  const NaiveHistogram of_a = NaiveHistogramOf(a, depth);
  const NaiveHistogram of_b = NaiveHistogramOf(b, depth);
  for (size_t level = 0; level < of_a.size(); ++level) {
    if ((weights.empty() || weights[level] > 0) && of_a[level] != of_b[level]) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<ClosestGraph> ClosestByDefinition(const ReferenceModel& model, Level depth, const Graph& graph,
                                                const NoveltyParts& rule,
                                                const std::function<bool(const std::string& id)>& counts) {
  const auto used = static_cast<Level>(rule.depth.value_or(depth));
  std::optional<ClosestGraph> closest;
  for (const Hit& hit : model.Search(graph, {rule.measure, rule.depth, rule.weights,
                                             static_cast<uint32_t>(model.size()) + 1, rule.min_similarity})) {
    const Graph& stored = model.graph(hit.id);
    Identity identity = Identity::kDifferent;
    if (EqualHistograms(graph, stored, used, rule.weights)) {
      identity = IsomorphicByDefinition(graph, stored) ? Identity::kIsomorphic : Identity::kEqualHistogram;
    }
    if (!counts(hit.id) || (rule.isomorphic && identity == Identity::kEqualHistogram)) {
      continue;
    }
    // Best first: a later one wins only by being isomorphic, which nothing is more similar than.
    if (!closest || (identity == Identity::kIsomorphic && closest->identity != Identity::kIsomorphic)) {
      closest = ClosestGraph{hit.id, hit.kernel, hit.similarity, identity};
    }
  }
  return closest;
}

}  // namespace kindred::test
