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

// The graphs at hand as a source, numbered in the order of adding.
class SegmentBuilder::Source : public GraphSource {
 public:
  explicit Source(std::span<const Member> members) : members_(members), places_(members.size()) {}

  uint32_t number_end() const override { return static_cast<uint32_t>(members_.size()); }
  uint32_t vertex_count(uint32_t number) const override { return members_[number].histogram.vertex_count(); }
  std::string_view external_id(uint32_t number) const override { return members_[number].external_id; }
  void AddIds(GraphTable& table, std::span<const uint32_t> slots) const override {
    for (uint32_t number = 0; number < members_.size(); ++number) {
      table.AddId(members_[number].id, slots[number]);
    }
  }

  void Load(std::span<const uint32_t> numbers, const FeatureTable& features) override {
    lists_ = {};
    for (const uint32_t number : numbers) {
      places_[number] = lists_.graph_count();
      const Histogram& histogram = members_[number].histogram;
      for (Level level = 0; level <= histogram.depth(); ++level) {
        for (const Histogram::Entry& entry : histogram.at_level(level)) {
          lists_.Add({features.Find(level, entry.colour).begin, entry.count});
        }
      }
      lists_.EndGraph();
    }
  }
  void AddTo(ForwardLists& lists, uint32_t number) const override {
    for (const FeatureRun& run : lists_.graph(places_[number])) {
      lists.Add(run);
    }
    lists.EndGraph();
  }
  uint32_t run_count(uint32_t number) const override {
    return static_cast<uint32_t>(lists_.graph(places_[number]).size());
  }

 private:
  const std::span<const Member> members_;
  ForwardLists lists_;
  std::vector<uint32_t> places_;  // In lists_.
};

bool Outsize(const Histogram& histogram) {
  return histogram.vertex_count() > kBlockVerticesMax ||
         std::ranges::any_of(histogram.entries(),
                             [](const Histogram::Entry& entry) { return entry.count > kBlockCountMax; });
}

void SegmentBuilder::Add(GraphId id, std::string_view external_id, Histogram histogram) {
  members_.push_back({id, std::string(external_id), std::move(histogram)});
}

std::shared_ptr<const Segment> SegmentBuilder::Build(Ordering ordering) && {
  std::ranges::sort(members_, {}, &Member::id);
  GraphNumbers blocked;
  std::vector<uint32_t> outsize;
  ColourLists::Builder outsize_lists;
  LevelColours colours;
  blocked.reserve(members_.size());
  for (uint32_t i = 0; i < members_.size(); ++i) {
    const Histogram& histogram = members_[i].histogram;
    if (Outsize(histogram)) {
      outsize.push_back(i);
      outsize_lists.Add(histogram.entries());
      continue;
    }
    blocked.push_back(i);
    colours.resize(std::max<size_t>(colours.size(), histogram.depth() + 1u));
    for (Level level = 0; level <= histogram.depth(); ++level) {
      for (const Histogram::Entry& entry : histogram.at_level(level)) {
        colours[level].push_back({entry.colour, entry.count});
      }
    }
  }
  std::ranges::for_each(colours, Unite);
  FeatureTable features(colours);
  colours = LevelColours();
  Source source(members_);
  return AssembleSegment(std::move(features), std::move(blocked), outsize, std::move(outsize_lists).Build(),
                         source, ordering, {});
}

}  // namespace kindred
