// Every searcher equals the model, id for id and score for score, on random sets full of ties: all measures,
// depths, weights, k from 1 to n + 3, thresholds, in random segments with random graphs hidden.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/property/generators.h"
#include "tests/property/rapidcheck_gtest.h"
#include "tests/support/corpus.h"

namespace kindred {

void showValue(const Hit& hit, std::ostream& out) {
  out << "'" << hit.id << "' K=" << hit.kernel << " similarity=" << hit.similarity;
}

}  // namespace kindred

namespace kindred::test {
namespace {

constexpr Level kModelDepth = 3;

struct Member {
  GraphSpec graph;
  bool seals = false;   // The last of its segment.
  bool hidden = false;  // Deleted later.
};

void showValue(const Member& member, std::ostream& out) {
  showValue(member.graph, out);
  out << (member.seals ? " sealed" : "") << (member.hidden ? " hidden" : "");
}

rc::Gen<std::vector<Member>> GenMembers() {
  return rc::gen::mapcat(rc::gen::inRange(1, 25), [](int count) {
    return rc::gen::container<std::vector<Member>>(
        static_cast<size_t>(count),
        rc::gen::build<Member>(
            rc::gen::set(&Member::graph, GenGraph({.vertices_max = 5})),
            rc::gen::set(&Member::seals,
                         rc::gen::map(rc::gen::inRange(0, 5), [](int draw) { return draw == 4; })),
            rc::gen::set(&Member::hidden,
                         rc::gen::map(rc::gen::inRange(0, 6), [](int draw) { return draw == 5; }))));
  });
}

// Ids whose order is neither that of insertion nor of numbers.
std::string IdOf(size_t i) {
  return std::string(1, static_cast<char>('a' + i * 7 % 26)) + std::to_string(i % 3) + std::to_string(i);
}

void Fill(Corpus& corpus, const std::vector<Member>& members) {
  for (size_t i = 0; i < members.size(); ++i) {
    corpus.Add(IdOf(i), ToGraph(members[i].graph));
    if (members[i].seals) {
      corpus.Seal();
    }
  }
  corpus.Seal();
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i].hidden) {
      corpus.Hide(IdOf(i));
    }
  }
}

enum class Weighting { kDefault, kIntegral, kBinaryFractions, kDecimalFractions };

std::vector<double> DrawWeights(uint32_t depth, Weighting weighting) {
  std::vector<double> weights;
  for (uint32_t level = 0; weighting != Weighting::kDefault && level <= depth; ++level) {
    const int draw = *rc::gen::inRange(level == 0 ? 1 : 0, 8);
    const double unit = weighting == Weighting::kBinaryFractions ? 0.125 : 0.1;
    weights.push_back(weighting == Weighting::kIntegral ? draw : draw * unit);
  }
  return weights;
}

ModelQuery DrawQuery(size_t graphs) {
  ModelQuery how;
  how.measure = *rc::gen::element(Measure::kKernel, Measure::kCosine, Measure::kTanimoto);
  how.depth = *rc::gen::inRange<uint32_t>(0, kModelDepth + 1u);
  how.weights =
      DrawWeights(*how.depth, *rc::gen::element(Weighting::kDefault, Weighting::kIntegral,
                                                Weighting::kBinaryFractions, Weighting::kDecimalFractions));
  how.k = *rc::gen::inRange<uint32_t>(1, static_cast<uint32_t>(graphs) + 4);
  return how;
}

RC_GTEST_PROP(SearchModel, BothSearchersEqualTheModel, ()) {
  const auto members = *GenMembers();
  const Graph query = ToGraph(*GenGraph({.vertices_max = 5, .vertex_labels = 3, .edge_labels = 3}));
  Corpus corpus(kModelDepth);
  Fill(corpus, members);
  for (int question = 0; question < 8; ++question) {
    const ModelQuery how = DrawQuery(members.size());
    const std::vector<Hit> expected = corpus.model().Search(query, how);
    RC_ASSERT(corpus.Pruned(corpus.QueryFor(query, how)) == expected);
    RC_ASSERT(corpus.Exhaustive(corpus.QueryFor(query, how)) == expected);
  }
}

RC_GTEST_PROP(SearchModel, ThresholdsCutWhereTheModelDoes, ()) {
  const auto members = *GenMembers();
  const Graph query = ToGraph(*GenGraph({.vertices_max = 5}));
  Corpus corpus(kModelDepth);
  Fill(corpus, members);
  ModelQuery how = DrawQuery(members.size());
  how.k = static_cast<uint32_t>(members.size());
  const std::vector<Hit> all = corpus.model().Search(query, how);
  how.k = *rc::gen::inRange<uint32_t>(1, static_cast<uint32_t>(members.size()) + 4);
  // Thresholds that are somebody's similarity, to the last bit, and one that is likely nobody's.
  std::vector<double> thresholds{*rc::gen::inRange(0, 100) / 100.0};
  for (const Hit& hit : all) {
    thresholds.push_back(hit.similarity);
  }
  for (const double threshold : thresholds) {
    how.min_similarity = threshold;
    const std::vector<Hit> expected = corpus.model().Search(query, how);
    RC_ASSERT(corpus.Pruned(corpus.QueryFor(query, how)) == expected);
    RC_ASSERT(corpus.Exhaustive(corpus.QueryFor(query, how)) == expected);
  }
}

// A longer answer begins with the shorter one.
RC_GTEST_PROP(SearchModel, MoreNeighboursOnlyAddToTheEnd, ()) {
  const auto members = *GenMembers();
  const Graph query = ToGraph(*GenGraph({.vertices_max = 5}));
  Corpus corpus(kModelDepth);
  Fill(corpus, members);
  ModelQuery how = DrawQuery(members.size());
  std::vector<Hit> before;
  for (how.k = 1; how.k <= members.size() + 1; ++how.k) {
    const std::vector<Hit> hits = corpus.Pruned(corpus.QueryFor(query, how));
    RC_ASSERT(hits.size() == std::min<size_t>(how.k, corpus.model().size()));
    RC_ASSERT(std::equal(before.begin(), before.end(), hits.begin()));
    before = hits;
  }
}

// Multiplying all weights by one number changes no order: here by powers of two, which round nothing.
RC_GTEST_PROP(SearchModel, ScaledWeightsGiveTheSameOrder, ()) {
  const auto members = *GenMembers();
  const Graph query = ToGraph(*GenGraph({.vertices_max = 5}));
  Corpus corpus(kModelDepth);
  Fill(corpus, members);
  ModelQuery how;
  how.k = static_cast<uint32_t>(members.size());
  how.weights = DrawWeights(kModelDepth, Weighting::kIntegral);
  for (how.measure = Measure::kKernel;; how.measure = Measure::kTanimoto) {
    const std::vector<Hit> plain = corpus.Pruned(corpus.QueryFor(query, how));
    ModelQuery scaled = how;
    for (double& weight : scaled.weights) {
      weight /= 16;
    }
    const std::vector<Hit> other = corpus.Pruned(corpus.QueryFor(query, scaled));
    RC_ASSERT(plain.size() == other.size());
    for (size_t i = 0; i < plain.size(); ++i) {
      RC_ASSERT(plain[i].id == other[i].id);
      RC_ASSERT(plain[i].kernel == other[i].kernel * 16);
    }
    if (how.measure == Measure::kTanimoto) {
      break;
    }
  }
}

}  // namespace
}  // namespace kindred::test
