#include "index/search/score_bound.h"

#include <algorithm>

namespace kindred {

ScoreBound::ScoreBound(const RecommendQuery& query)
    : query_(query), minimum_(query.form == RecommendForm::kBestMinimum) {
  liked_ = static_cast<size_t>(std::ranges::count_if(query.examples, &RecommendQuery::Example::liked));
  reaches_.resize(liked_);
  rest_.assign(liked_ + 1, query.NoScore());
}

}  // namespace kindred
