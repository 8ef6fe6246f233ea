// Graphs in memory, ready for every searcher and for the model: an index without a store.
//
//   Corpus corpus(3);
//   corpus.Add("a", Path("CCO"));
//   corpus.Seal();  // Closes a segment.
//   corpus.Hide("a");
//   EXPECT_EQ(corpus.Pruned(query), corpus.Exhaustive(query));

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/hierarchy/colour_hierarchy.h"
#include "index/histogram/histogram.h"
#include "index/lists/segment.h"
#include "index/search/exhaustive.h"
#include "index/search/pruned.h"
#include "tests/support/reference_model.h"

namespace kindred::test {

// The growing refinement of one graph.
Histogram GrowHistogram(ColourHierarchy& hierarchy, const Graph& graph, Level depth);

class Corpus {
 public:
  explicit Corpus(Level depth) : depth_(depth), model_(depth) {}

  // REQUIRES: no live graph has this id.
  void Add(const std::string& id, const Graph& graph);
  // Closes the segment that Add filled. REQUIRES: before a search or Hide.
  void Seal(Ordering ordering = Ordering::kBySimilarity);
  // Makes one segment of all.
  void Merge();
  // Deletes a graph, leaving it in its segment. REQUIRES: it is live and sealed.
  void Hide(const std::string& id);

  const ReferenceModel& model() const { return model_; }
  const std::vector<SegmentView>& segments() const { return segments_; }
  const ColourHierarchy& hierarchy() const { return hierarchy_; }

  Query QueryFor(const Graph& graph, const ModelQuery& how) const;
  std::vector<Hit> Pruned(const Query& query) const;
  std::vector<Hit> Exhaustive(const Query& query) const;
  // The histograms of the live graphs.
  HistogramSource source() const;

 private:
  struct Entry {
    std::string id;
    GraphId graph_id{};
    Histogram histogram;
    bool live = true;
  };

  Level depth_;
  ReferenceModel model_;
  ColourHierarchy hierarchy_;
  std::vector<Entry> entries_;
  size_t sealed_ = 0;  // The entries before this one are in segments.
  std::vector<SegmentView> segments_;
};

}  // namespace kindred::test
