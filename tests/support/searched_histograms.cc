#include "tests/support/searched_histograms.h"

#include <memory>
#include <thread>
#include <utility>

#include "gtest/gtest.h"
#include "index/base/status.h"
#include "index/histogram/packed.h"
#include "tests/support/segment_builder.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stored_graphs.h"

namespace kindred::test {

void SearchedHistograms::Add(const std::string& id, Histogram histogram) {
  stored_.push_back({id, std::move(histogram)});
}

void SearchedHistograms::Seal(Ordering ordering) {
  test::SegmentBuilder builder;
  PlainSegmentBuilder plain;
  for (; sealed_ < stored_.size(); ++sealed_) {
    const Stored& stored = stored_[sealed_];
    builder.Add(GraphId{sealed_ + 1}, stored.id, stored.histogram);
    std::string packed;
    AppendPacked(packed, stored.histogram);
    plain.Add(GraphId{sealed_ + 1}, stored.id, stored.histogram.vertex_count(), packed);
  }
  segments_.push_back({std::move(builder).Build(ordering), nullptr});
  plain_.push_back({std::move(plain).Build(), nullptr});
}

void SearchedHistograms::Hide(size_t i) {
  stored_[i].live = false;
  for (std::vector<SegmentView>* const views : {&segments_, &plain_}) {
    for (SegmentView& view : *views) {
      if (view.segment->graphs().Find(GraphId{i + 1})) {
        HideGraph(view, GraphId{i + 1});
      }
    }
  }
}

void SearchedHistograms::Merge() {
  segments_ = {{MergeSegments(segments_, Ordering::kBySimilarity), nullptr}};
  plain_ = {{ConcatenatePlain(plain_), nullptr}};
}

HistogramSource SearchedHistograms::source() const {
  return [this](const HistogramVisitor& visit) -> absl::Status {
    for (const Stored& stored : stored_) {
      if (stored.live) {
        KINDRED_RETURN_IF_ERROR(visit(stored.id, stored.histogram));
      }
    }
    return absl::OkStatus();
  };
}

std::vector<Hit> SearchedHistograms::Exhaustive(const Query& query) const {
  return Must(ExhaustiveSearcher(source()).Search(query, Interrupt())).hits;
}

Answer SearchedHistograms::ExpectModesAgree(const Query& query) const {
  const std::vector<Hit> expected = Exhaustive(query);
  Answer pruned = Must(PrunedSearcher(segments_).Search(query, Interrupt()));
  EXPECT_EQ(pruned.hits, expected);
  for (const uint32_t parts : {2u, 5u}) {
    EXPECT_EQ(Must(PrunedSearcher(segments_, parts, OnThreads()).Search(query, Interrupt())).hits, expected)
        << parts << " parts";
    EXPECT_EQ(Must(PrunedSearcher(plain_, parts, OnThreads()).Search(query, Interrupt())).hits, expected)
        << parts << " parts, not inverted";
  }
  return pruned;
}

RunParts OnThreads() {
  return [](size_t count, const std::function<void(size_t)>& work) {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < count; ++i) {
      threads.emplace_back([&work, i] { work(i); });
    }
  };
}

}  // namespace kindred::test
