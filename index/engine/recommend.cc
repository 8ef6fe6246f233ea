#include "index/engine/recommend.h"

#include <cmath>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "index/base/molecule_scheme.h"
#include "index/base/status.h"
#include "index/engine/filtered_snapshot.h"
#include "index/search/exhaustive_recommender.h"
#include "index/search/pruned_recommender.h"

namespace kindred {
namespace {

using Examples = std::vector<RecommendRequest::Example>;

// Calls check(path, example) for every example until one fails.
template <typename Check>
absl::Status ForEachExample(const RecommendRequest& request, Check check) {
  for (const auto& [name, examples] :
       {std::pair<std::string_view, const Examples&>("liked", request.liked),
        std::pair<std::string_view, const Examples&>("disliked", request.disliked)}) {
    for (size_t i = 0; i < examples.size(); ++i) {
      KINDRED_RETURN_IF_ERROR(check(fmt::format("{}[{}]", name, i), examples[i]));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckWeights(const RecommendRequest& request) {
  const bool minimum = request.form == RecommendForm::kBestMinimum;
  return ForEachExample(request, [&](const std::string& path, const RecommendRequest::Example& example) {
    const double weight = example.weight;
    if (!(weight > 0 && weight <= kExampleWeightMax)) {
      return InvalidArgument("{}.weight: {} is not above 0 and at most {}", path, weight, kExampleWeightMax);
    }
    if (minimum && weight != 1) {
      return InvalidArgument("{}.weight: is {}, but the least similarity takes no weights", path, weight);
    }
    return absl::OkStatus();
  });
}

absl::Status CheckIdsOnce(const RecommendRequest& request) {
  std::map<std::string_view, std::string> paths;
  return ForEachExample(request, [&](const std::string& path, const RecommendRequest::Example& example) {
    const std::string* const id = std::get_if<std::string>(&example.graph);
    if (id == nullptr) {
      return absl::OkStatus();
    }
    const auto [at, fresh] = paths.emplace(*id, path);
    if (fresh) {
      return absl::OkStatus();
    }
    const bool same_side = at->second.starts_with("liked") == path.starts_with("liked");
    return same_side
               ? InvalidArgument("{}.graph.id: '{}' is {} already; give it one weight", path, *id, at->second)
               : InvalidArgument("{}.graph.id: '{}' is liked as well: {}", path, *id, at->second);
  });
}

// What the best and the worst graph could have, by a measure that ends at 1.
absl::Status CheckMinScore(const RecommendRequest& request) {
  if (!request.min_score) {
    return absl::OkStatus();
  }
  const double least = *request.min_score;
  if (!std::isfinite(least)) {
    return InvalidArgument("min_score: {} is not a number", least);
  }
  if (request.measure == Measure::kKernel) {
    return least < 0 && request.disliked.empty()
               ? InvalidArgument("min_score: {} is below 0, and no score is when nothing is disliked", least)
               : absl::OkStatus();
  }
  double highest = 0;
  double lowest = 0;
  for (const RecommendRequest::Example& example : request.liked) {
    highest += example.weight;
  }
  for (const RecommendRequest::Example& example : request.disliked) {
    lowest -= example.weight;
  }
  if (request.form == RecommendForm::kBestMinimum) {
    highest = 1;
  }
  if (least < lowest || least > highest) {
    return InvalidArgument("min_score: {} is not between {} and {}, where scores lie", least, lowest,
                           highest);
  }
  return absl::OkStatus();
}

absl::Status CheckRequest(const RecommendRequest& request, const Limits& limits) {
  if (request.liked.empty()) {
    return InvalidArgument("liked: is empty; give at least one graph, or the id of a stored one");
  }
  const uint64_t examples = request.liked.size() + request.disliked.size();
  if (examples > limits.recommend_examples_max) {
    return OverLimit("liked and disliked", examples, "recommend_examples_max", limits.recommend_examples_max);
  }
  if (request.form == RecommendForm::kBestMinimum && !request.disliked.empty()) {
    return InvalidArgument("disliked: the least similarity to the liked takes none");
  }
  KINDRED_RETURN_IF_ERROR(CheckWeights(request));
  KINDRED_RETURN_IF_ERROR(CheckIdsOnce(request));
  if (request.k == 0) {
    return InvalidArgument("k: must be at least 1");
  }
  if (request.k > limits.k_max) {
    return OverLimit("k", request.k, "k_max", limits.k_max);
  }
  return CheckMinScore(request);
}

absl::StatusOr<Histogram> HistogramOf(const Engine& engine, const Snapshot& snapshot, const std::string& path,
                                      const std::variant<std::string, Graph>& asked) {
  if (const Graph* const graph = std::get_if<Graph>(&asked)) {
    return Histogram::Of(RefineKnown(engine.hierarchy().view(), *graph, engine.depth()));
  }
  const std::string& id = std::get<std::string>(asked);
  const std::optional<GraphId> found = snapshot.FindGraph(id);
  if (!found) {
    return MakeStatus(absl::StatusCode::kNotFound, "{}.graph.id: no graph has the id '{}'", path, id);
  }
  KINDRED_ASSIGN_OR_RETURN(StoredHistogram stored, snapshot.store->ReadHistogram(*found));
  return std::move(stored.histogram);
}

absl::StatusOr<RecommendQuery> QueryOf(const Engine& engine, const Snapshot& snapshot,
                                       const RecommendRequest& request) {
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring,
                           Scoring::Create(request.measure, engine.depth(), request.depth, request.weights));
  RecommendQuery query{{}, request.form, std::move(scoring), request.k, request.min_score, {}};
  query.excluded.insert(request.excluded.begin(), request.excluded.end());
  KINDRED_RETURN_IF_ERROR(ForEachExample(
      request, [&](const std::string& path, const RecommendRequest::Example& example) -> absl::Status {
        KINDRED_ASSIGN_OR_RETURN(Histogram histogram, HistogramOf(engine, snapshot, path, example.graph));
        const bool liked = query.examples.size() < request.liked.size();
        query.examples.push_back({std::move(histogram), example.weight, liked});
        if (const std::string* const id = std::get_if<std::string>(&example.graph)) {
          query.excluded.insert(*id);
        }
        return absl::OkStatus();
      }));
  return query;
}

}  // namespace

absl::StatusOr<RecommendReply> Recommend(const Engine& engine, const RecommendRequest& request,
                                         const Interrupt& interrupt) {
  KINDRED_RETURN_IF_ERROR(CheckRequest(request, engine.limits()));
  KINDRED_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> seen, engine.snapshot(request.min_sequence));
  KINDRED_RETURN_IF_ERROR(CheckSameScheme(request.molecule_scheme, seen->store->molecule_scheme()));
  KINDRED_ASSIGN_OR_RETURN(const RecommendQuery query, QueryOf(engine, *seen, request));

  std::shared_ptr<const Snapshot> filtered;
  std::unique_ptr<Recommender> recommender;
  if (request.mode == SearchMode::kExhaustive) {
    KINDRED_ASSIGN_OR_RETURN(HistogramSource stored, HistogramsIn(*seen, request.filter, interrupt));
    recommender = std::make_unique<ExhaustiveRecommender>(std::move(stored));
  } else {
    engine.NoteSearch();
    KINDRED_ASSIGN_OR_RETURN(filtered, Filtered(seen, request.filter, interrupt, &engine.filter_lists()));
    recommender = std::make_unique<PrunedRecommender>(filtered->segments);
  }
  RecommendReply reply{{}, seen->sequence, {}};
  KINDRED_ASSIGN_OR_RETURN(reply.answer, recommender->Recommend(query, interrupt));
  if (request.fields != WantedFields::kNone) {
    std::vector<Hit> hits;
    for (const RecommendHit& hit : reply.answer.hits) {
      hits.emplace_back().id = hit.id;
    }
    KINDRED_ASSIGN_OR_RETURN(reply.fields,
                             ReadHitFields(*seen, hits, request.fields, engine.limits(), interrupt));
  }
  return reply;
}

}  // namespace kindred
