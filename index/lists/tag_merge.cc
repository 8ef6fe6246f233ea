#include "index/lists/tag_merge.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace kindred {
namespace {

constexpr uint32_t kNotMerged = UINT32_MAX;

// One part: where its slots went, and the key and value it has come to.
struct TagSource {
  const TagIndex* tags = nullptr;
  std::vector<uint32_t> slots;  // kNotMerged: nowhere.
  uint32_t key = 0;
  uint32_t value = 0;

  bool done() const { return key == tags->key_count(); }
  std::pair<std::string_view, std::string_view> tag() const { return {tags->key(key), tags->value(value)}; }
  void Advance() {
    if (++value == tags->values_end(key)) {
      ++key;
    }
  }
};

// Both tables are walked in the order of the ids.
std::vector<TagSource> SourcesOf(std::span<const SegmentView> parts, const GraphTable& merged) {
  std::vector<TagSource> sources;
  uint32_t place = 0;  // In `merged`.
  for (const SegmentView& part : parts) {
    const GraphTable& graphs = part.segment->graphs();
    TagSource source{&part.segment->tags(), std::vector<uint32_t>(graphs.slot_count(), kNotMerged)};
    graphs.ForEach([&](GraphId id, uint32_t slot) {
      if (place < merged.graph_count() && merged.id_at(place) == id) {
        source.slots[slot] = merged.slot_at(place++);
      }
    });
    if (!source.done()) {
      sources.push_back(std::move(source));
    }
  }
  return sources;
}

}  // namespace

TagIndex MergeTags(std::span<const SegmentView> parts, const GraphTable& merged) {
  if (std::ranges::all_of(parts, [](const SegmentView& part) { return part.segment->tags().empty(); })) {
    return {};
  }
  std::vector<TagSource> sources = SourcesOf(parts, merged);
  TagIndexBuilder builder(merged.slot_count());
  std::vector<uint32_t> slots;
  while (!sources.empty()) {
    // The texts live as long as the parts.
    const auto [key, value] = std::ranges::min_element(sources, {}, &TagSource::tag)->tag();
    slots.clear();
    for (TagSource& source : sources) {
      if (source.tag() != std::pair(key, value)) {
        continue;
      }
      source.tags->ForEachSlot(source.value, [&](uint32_t slot) {
        if (source.slots[slot] != kNotMerged) {
          slots.push_back(source.slots[slot]);
        }
      });
      source.Advance();
    }
    if (!slots.empty()) {
      std::ranges::sort(slots);
      builder.Add(key, value, slots);
    }
    std::erase_if(sources, [](const TagSource& source) { return source.done(); });
  }
  return std::move(builder).Build();
}

}  // namespace kindred
