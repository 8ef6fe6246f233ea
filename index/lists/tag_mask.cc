#include "index/lists/tag_mask.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "index/lists/tag_index.h"

namespace kindred {
namespace {

// The slots that match; of slots without a graph, anything.
class Matching {
 public:
  Matching(const TagIndex& tags, uint32_t slot_count) : tags_(tags), words_(SlotWords(slot_count)) {}

  SlotBits Of(const FilterNode& node) const {
    SlotBits bits(words_);
    switch (node.kind) {
      case FilterNode::Kind::kIn:
        for (const std::string& value : node.values) {
          tags_.AddSlots(node.key, value, bits);
        }
        break;
      case FilterNode::Kind::kExists:
        tags_.AddSlotsOfKey(node.key, bits);
        break;
      case FilterNode::Kind::kNot:
        bits = Of(node.parts.front());
        for (uint64_t& word : bits) {
          word = ~word;
        }
        break;
      case FilterNode::Kind::kAll:
      case FilterNode::Kind::kAny:
        bits = Joined(node);
    }
    return bits;
  }

 private:
  SlotBits Joined(const FilterNode& node) const {
    const bool all = node.kind == FilterNode::Kind::kAll;
    SlotBits bits = Of(node.parts.front());
    for (const FilterNode& part : std::span(node.parts).subspan(1)) {
      const SlotBits more = Of(part);
      for (size_t word = 0; word < words_; ++word) {
        bits[word] = all ? bits[word] & more[word] : bits[word] | more[word];
      }
    }
    return bits;
  }

  const TagIndex& tags_;
  const size_t words_;
};

}  // namespace

std::shared_ptr<const LiveMask> MatchingMask(const SegmentView& view, const Filter& filter) {
  const GraphTable& graphs = view.segment->graphs();
  const uint32_t slots = graphs.slot_count();
  SlotBits bits = Matching(view.segment->tags(), slots).Of(filter.root());
  if (slots % 64 != 0) {
    bits.back() &= (uint64_t{1} << slots % 64) - 1;
  }
  for (const uint32_t slot : graphs.empty_slots()) {
    bits[slot / 64] &= ~(uint64_t{1} << slot % 64);
  }
  uint32_t shown = 0;
  for (size_t word = 0; word < bits.size(); ++word) {
    bits[word] &= view.live == nullptr ? ~uint64_t{0} : view.live->words()[word];
    shown += static_cast<uint32_t>(std::popcount(bits[word]));
  }
  return std::make_shared<const LiveMask>(std::move(bits), graphs.graph_count() - shown);
}

}  // namespace kindred
