#include <utility>

#include "index/lists/segment.h"
#include "index/lists/tag_merge.h"

namespace kindred {
void PlainSegmentBuilder::Reserve(size_t graphs, size_t id_bytes, size_t packed_bytes) {
  graphs_.Reserve(graphs, id_bytes);
  graphs_.ReserveIds(graphs);
  plain_.Reserve(graphs, packed_bytes);
}

void PlainSegmentBuilder::Add(GraphId id, std::string_view external_id, uint32_t vertex_count,
                              std::string_view packed) {
  graphs_.Add(vertex_count, external_id);
  graphs_.AddId(id, plain_.graph_count());
  plain_.Add(vertex_count, packed);
}

std::shared_ptr<const Segment> PlainSegmentBuilder::Build() && {
  TagIndex tags = tags_.Build(graphs_.slot_count());
  return std::make_shared<const Segment>(std::move(graphs_), std::move(plain_), std::move(tags));
}

// What is hidden is left out; of a part where nothing is, histograms are copied as one.
std::shared_ptr<const Segment> ConcatenatePlain(std::span<const SegmentView> parts) {
  size_t graph_count = 0;
  size_t id_bytes = 0;
  size_t packed_bytes = 0;
  for (const SegmentView& part : parts) {
    graph_count += part.live_count();
    id_bytes += part.segment->graphs().id_bytes();
    packed_bytes += part.segment->plain().packed_bytes();
  }
  GraphTable graphs;
  graphs.Reserve(graph_count, id_bytes);
  graphs.ReserveIds(graph_count);
  PlainGraphs plain;
  plain.Reserve(graph_count, packed_bytes);
  for (const SegmentView& part : parts) {
    const GraphTable& from = part.segment->graphs();
    from.ForEach([&](GraphId id, uint32_t slot) {
      if (part.is_live(slot)) {
        graphs.AddId(id, graphs.slot_count());
        graphs.Add(from.vertex_count(slot), from.external_id(slot));
        if (part.live != nullptr) {
          plain.Add(from.vertex_count(slot), part.segment->plain().packed(slot));
        }
      }
    });
    if (part.live == nullptr) {
      plain.Append(part.segment->plain());
    }
  }
  TagIndex tags = MergeTags(parts, graphs);
  return std::make_shared<const Segment>(std::move(graphs), std::move(plain), std::move(tags));
}

}  // namespace kindred
