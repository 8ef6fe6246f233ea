// Histograms in segments, and the same histograms for the exhaustive search: large sets, made without graphs
// or with them, on which both searches have to agree.
//
//   SearchedHistograms stored;
//   stored.Add("a", histogram);
//   stored.Seal();
//   stored.ExpectModesAgree(query);

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/lists/segment.h"
#include "index/search/exhaustive.h"
#include "index/search/pruned.h"
#include "index/search/searcher.h"

namespace kindred::test {

class SearchedHistograms {
 public:
  // REQUIRES: no live graph has this id.
  void Add(const std::string& id, Histogram histogram);
  // Closes the segment that Add filled. REQUIRES: before a search or Hide.
  void Seal(Ordering ordering = Ordering::kBySimilarity);
  // Deletes the graph that was added as number `i`, leaving it in its segment. REQUIRES: it is live and
  // sealed.
  void Hide(size_t i);
  // Makes one segment of all.
  void Merge();

  size_t size() const { return stored_.size(); }
  const Histogram& histogram(size_t i) const { return stored_[i].histogram; }
  const std::vector<SegmentView>& segments() const { return segments_; }
  // The same, not inverted.
  const std::vector<SegmentView>& plain_segments() const { return plain_; }
  // The histograms of the live graphs.
  HistogramSource source() const;

  std::vector<Hit> Exhaustive(const Query& query) const;
  // Expects the pruned search, in one part and in several, and over plain graphs, to answer as the exhaustive
  // one. Returns the answer of the pruned one in one part.
  Answer ExpectModesAgree(const Query& query) const;

 private:
  struct Stored {
    std::string id;
    Histogram histogram;
    bool live = true;
  };

  std::vector<Stored> stored_;  // Number i has the GraphId i + 1.
  size_t sealed_ = 0;
  std::vector<SegmentView> segments_;
  std::vector<SegmentView> plain_;
};

// Every part on a thread of its own.
RunParts OnThreads();

}  // namespace kindred::test
