#include "tests/support/corpus.h"

#include <algorithm>
#include <utility>

#include "index/base/check.h"
#include "index/base/status.h"
#include "index/hierarchy/refinement.h"
#include "tests/support/segment_builder.h"
#include "tests/support/status_matchers.h"

namespace kindred::test {

Histogram GrowHistogram(ColourHierarchy& hierarchy, const Graph& graph, Level depth) {
  VertexColours colours(graph.vertex_count(), depth);
  IssueMissing(hierarchy, graph, colours);
  return Histogram::Of(colours);
}

void Corpus::Add(const std::string& id, const Graph& graph) {
  KINDRED_CHECK(!model_.Put(id, graph));
  entries_.push_back({id, GraphId{entries_.size() + 1}, GrowHistogram(hierarchy_, graph, depth_)});
}

void Corpus::Seal(Ordering ordering) {
  test::SegmentBuilder builder;
  for (; sealed_ < entries_.size(); ++sealed_) {
    const Entry& entry = entries_[sealed_];
    builder.Add(entry.graph_id, entry.id, entry.histogram);
  }
  segments_.push_back({std::move(builder).Build(ordering), nullptr});
}

void Corpus::Merge() { segments_ = {{MergeSegments(segments_, Ordering::kBySimilarity), nullptr}}; }

void Corpus::Hide(const std::string& id) {
  KINDRED_CHECK(model_.Delete(id));
  const auto entry = std::ranges::find_if(
      entries_, [&](const Entry& candidate) { return candidate.id == id && candidate.live; });
  entry->live = false;
  for (SegmentView& view : segments_) {
    if (const auto slot = view.segment->graphs().Find(entry->graph_id)) {
      auto mask = view.live ? std::make_shared<LiveMask>(*view.live)
                            : std::make_shared<LiveMask>(view.segment->graphs().slot_count());
      mask->Hide(*slot);
      view.live = std::move(mask);
      return;
    }
  }
  KINDRED_CHECK(false);
}

Query Corpus::QueryFor(const Graph& graph, const ModelQuery& how) const {
  return {Histogram::Of(RefineKnown(hierarchy_.view(), graph, depth_)),
          Must(Scoring::Create(how.measure, depth_, how.depth, how.weights)), how.k, how.min_similarity};
}

std::vector<Hit> Corpus::Pruned(const Query& query) const {
  return Must(PrunedSearcher(segments_).Search(query, Interrupt())).hits;
}

std::vector<Hit> Corpus::Exhaustive(const Query& query) const {
  return Must(ExhaustiveSearcher(source()).Search(query, Interrupt())).hits;
}

HistogramSource Corpus::source() const {
  return [this](const HistogramVisitor& visit) -> absl::Status {
    for (const Entry& entry : entries_) {
      if (entry.live) {
        KINDRED_RETURN_IF_ERROR(visit(entry.id, entry.histogram));
      }
    }
    return absl::OkStatus();
  };
}

}  // namespace kindred::test
