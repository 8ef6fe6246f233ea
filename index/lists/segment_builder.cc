#include <algorithm>
#include <utility>

#include "index/base/check.h"
#include "index/lists/segment.h"
#include "index/lists/segment_assembly.h"

namespace kindred {
namespace {

// Runs of one level by colour: the colour in the upper half of each number, the place of the run among all in
// the lower one. Sorted they tell which colours there are, and which runs are of the same.
using RunsByColour = std::vector<uint64_t>;

ColourId ColourOf(uint64_t entry) { return ColourId{static_cast<uint32_t>(entry >> 32)}; }

// The colours of all levels, and `lists` by their features. REQUIRES: each run of `lists` is named once.
FeatureTable NumberFeatures(std::vector<RunsByColour> levels, ForwardLists& lists) {
  std::vector<std::vector<FeatureTable::Colour>> colours(levels.size());
  uint32_t first = 0;
  for (size_t level = 0; level < levels.size(); ++level) {
    RunsByColour& runs = levels[level];
    std::ranges::sort(runs);
    for (auto begin = runs.begin(); begin != runs.end();) {
      FeatureTable::Colour colour{ColourOf(*begin), 0};
      for (; begin != runs.end() && ColourOf(*begin) == colour.id; ++begin) {
        FeatureRun& run = lists.run(static_cast<uint32_t>(*begin));
        run.first = first;
        colour.count_max = std::max(colour.count_max, run.count);
      }
      colours[level].push_back(colour);
      first += colour.count_max;
    }
    runs = RunsByColour();  // Not {}, which would keep the memory.
  }
  return FeatureTable(colours);
}

}  // namespace

// The graphs at hand as a source, numbered in the order of their ids. All of them are held forward.
class SegmentBuilder::Source : public GraphSource {
 public:
  Source(std::span<const Member> members, std::vector<uint32_t> vertex_counts, ForwardLists lists)
      : members_(members), vertex_counts_(std::move(vertex_counts)), lists_(std::move(lists)) {}

  uint32_t number_end() const override { return static_cast<uint32_t>(members_.size()); }
  uint32_t vertex_count(uint32_t number) const override { return vertex_counts_[number]; }
  std::string_view external_id(uint32_t number) const override { return members_[number].external_id; }
  void AddIds(GraphTable& table, std::span<const uint32_t> slots) const override {
    for (uint32_t number = 0; number < members_.size(); ++number) {
      table.AddId(members_[number].id, slots[number]);
    }
  }

  void Load(std::span<const uint32_t> /*numbers*/, const FeatureTable& /*features*/) override {}
  void AddTo(ForwardLists& lists, uint32_t number) const override {
    for (const FeatureRun& run : lists_.graph(number)) {
      lists.Add(run);
    }
    lists.EndGraph();
  }
  uint32_t run_count(uint32_t number) const override {
    return static_cast<uint32_t>(lists_.graph(number).size());
  }

 private:
  const std::span<const Member> members_;
  const std::vector<uint32_t> vertex_counts_;
  const ForwardLists lists_;
};

bool Outsize(const Histogram& histogram) {
  return histogram.vertex_count() > kBlockVerticesMax ||
         std::ranges::any_of(histogram.entries(),
                             [](const Histogram::Entry& entry) { return entry.count > kBlockCountMax; });
}

void SegmentBuilder::Add(GraphId id, std::string_view external_id, Histogram histogram) {
  members_.push_back({id, std::string(external_id), std::move(histogram)});
}

std::shared_ptr<const Segment> SegmentBuilder::Build(Ordering ordering, const std::stop_token& stop) && {
  std::ranges::sort(members_, {}, &Member::id);
  GraphNumbers blocked;
  std::vector<uint32_t> outsize;
  ColourLists::Builder outsize_lists;
  std::vector<uint32_t> vertex_counts;
  std::vector<RunsByColour> runs;
  ForwardLists lists;
  blocked.reserve(members_.size());
  vertex_counts.reserve(members_.size());
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Histogram histogram = std::move(members_[i].histogram);  // Goes when it is held forward.
    vertex_counts.push_back(histogram.vertex_count());
    if (Outsize(histogram)) {
      outsize.push_back(i);
      outsize_lists.Add(histogram.entries());
      lists.EndGraph();
      continue;
    }
    blocked.push_back(i);
    runs.resize(std::max<size_t>(runs.size(), histogram.depth() + 1u));
    for (Level level = 0; level <= histogram.depth(); ++level) {
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        runs[level].push_back(uint64_t{Raw(entry.colour)} << 32 | lists.run_count());
        lists.Add({0, entry.count});
      }
    }
    lists.EndGraph();
  }
  KINDRED_CHECK(lists.run_count() <= UINT32_MAX);
  FeatureTable features = NumberFeatures(std::move(runs), lists);
  Source source(members_, std::move(vertex_counts), std::move(lists));
  return AssembleSegment(std::move(features), std::move(blocked), outsize, std::move(outsize_lists).Build(),
                         source, ordering, stop);
}

}  // namespace kindred
