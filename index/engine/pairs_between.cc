#include "index/engine/pairs_between.h"

#include <utility>

#include "index/base/molecule_scheme.h"
#include "index/base/status.h"
#include "index/hierarchy/refinement.h"
#include "index/search/pruned.h"

namespace kindred {
namespace {

// A record with many pairs is searched for again, page by page.
constexpr uint32_t kPageHits = 1'024;

}  // namespace

absl::StatusOr<std::unique_ptr<const PairsBetween>> PairsBetween::Create(
    std::shared_ptr<const Snapshot> snapshot, const PairsRequest& request, const ColourHierarchy& hierarchy) {
  KINDRED_RETURN_IF_ERROR(CheckPairSimilarity(request.measure, request.min_similarity));
  KINDRED_ASSIGN_OR_RETURN(Scoring scoring, Scoring::Create(request.measure, snapshot->store->depth(),
                                                            request.depth, request.weights));
  return std::unique_ptr<const PairsBetween>(
      new PairsBetween(std::move(snapshot), std::move(scoring), request.min_similarity, hierarchy));
}

absl::StatusOr<Query> PairsBetween::QueryOf(const Graph& graph, const std::string& molecule_scheme) const {
  KINDRED_RETURN_IF_ERROR(CheckSameScheme(molecule_scheme, snapshot_->store->molecule_scheme()));
  return Query{Histogram::Of(RefineKnown(hierarchy_.view(), graph, snapshot_->store->depth())), scoring_,
               kPageHits, min_similarity_};
}

absl::StatusOr<HitPage> NextPage(const Snapshot& snapshot, Query& query, const Interrupt& interrupt) {
  KINDRED_ASSIGN_OR_RETURN(Answer answer, PrunedSearcher(snapshot.segments).Search(query, interrupt));
  HitPage page{std::move(answer.hits), true, answer.stats.candidates};
  if (page.hits.size() == query.k) {
    const Hit& hit = page.hits.back();
    query.after = AnswerPlace{{hit.kernel, hit.vertices}, hit.id};
    page.last = false;
  }
  return page;
}

}  // namespace kindred
