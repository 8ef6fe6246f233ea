#include <algorithm>
#include <utility>

#include "index/lists/segment.h"
#include "index/lists/segment_assembly.h"

namespace kindred {
namespace {

using LevelColours = std::vector<std::vector<FeatureTable::Colour>>;

// One entry a colour, with the largest of its counts.
void Unite(std::vector<FeatureTable::Colour>& colours) {
  std::ranges::sort(colours, [](const auto& a, const auto& b) {
    return a.id != b.id ? a.id < b.id : a.count_max > b.count_max;
  });
  const auto same = [](const auto& a, const auto& b) { return a.id == b.id; };
  colours.erase(std::unique(colours.begin(), colours.end(), same), colours.end());
}

}  // namespace

bool Outsize(const Histogram& histogram) {
  return histogram.vertex_count() > kBlockVerticesMax ||
         std::ranges::any_of(histogram.entries(),
                             [](const Histogram::Entry& entry) { return entry.count > kBlockCountMax; });
}

void SegmentBuilder::Add(GraphId id, std::string_view external_id, Histogram histogram) {
  members_.push_back({id, std::string(external_id), std::move(histogram)});
}

std::shared_ptr<const Segment> SegmentBuilder::Build(Ordering ordering) && {
  std::vector<Incoming> blocked;
  std::vector<Incoming> outsize;
  ColourLists::Builder outsize_lists;
  LevelColours colours;
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Histogram& histogram = members_[i].histogram;
    const Incoming graph{histogram.vertex_count(), 0, i};
    if (Outsize(histogram)) {
      outsize.push_back(graph);
      outsize_lists.Add(histogram.entries());
      continue;
    }
    blocked.push_back(graph);
    colours.resize(std::max<size_t>(colours.size(), histogram.depth() + 1u));
    for (Level level = 0; level <= histogram.depth(); ++level) {
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        colours[level].push_back({entry.colour, entry.count});
      }
    }
  }
  std::ranges::for_each(colours, Unite);
  FeatureTable features(colours);
  colours = {};

  // The histograms at hand as a source.
  struct Members : GraphSource {
    ForwardLists Read(std::span<const Incoming> graphs) override {
      ForwardLists lists;
      for (const Incoming& graph : graphs) {
        const Histogram& histogram = members[graph.slot].histogram;
        for (Level level = 0; level <= histogram.depth(); ++level) {
          for (const Histogram::Entry& entry : histogram.at_level(level)) {
            lists.Add({features.Find(level, entry.colour).begin, entry.count});
          }
        }
        lists.EndGraph();
      }
      return lists;
    }
    void AddTo(GraphTable& table, const Incoming& graph) override {
      const Member& member = members[graph.slot];
      table.Add(member.id, graph.vertex_count, member.external_id);
    }
    Members(std::span<const Member> all, const FeatureTable& table) : members(all), features(table) {}
    const std::span<const Member> members;
    const FeatureTable features;
  };
  Members source(members_, features);
  return AssembleSegment(std::move(features), std::move(blocked), outsize, std::move(outsize_lists).Build(),
                         source, ordering, {});
}

}  // namespace kindred
