#include <utility>

#include "index/lists/segment.h"

namespace kindred {
namespace {

struct PlainSizes {
  size_t graphs = 0;
  size_t id_bytes = 0;
  size_t packed_bytes = 0;
};

template <typename Visit>  // void(const SegmentView&, GraphId, uint32_t slot)
void ForEachLive(std::span<const SegmentView> parts, Visit visit) {
  for (const SegmentView& part : parts) {
    part.segment->graphs().ForEach([&](GraphId id, uint32_t slot) {
      if (part.is_live(slot)) {
        visit(part, id, slot);
      }
    });
  }
}

}  // namespace

void PlainSegmentBuilder::Reserve(size_t graphs, size_t id_bytes, size_t packed_bytes) {
  graphs_.Reserve(graphs, id_bytes);
  graphs_.ReserveIds(graphs);
  plain_.Reserve(graphs, packed_bytes);
}

void PlainSegmentBuilder::Add(GraphId id, std::string_view external_id, uint32_t vertex_count,
                              std::string_view packed) {
  graphs_.Add(vertex_count, external_id);
  graphs_.AddId(id, plain_.graph_count());
  plain_.Add(packed);
}

std::shared_ptr<const Segment> PlainSegmentBuilder::Build() && {
  return std::make_shared<const Segment>(std::move(graphs_), std::move(plain_));
}

std::shared_ptr<const Segment> ConcatenatePlain(std::span<const SegmentView> parts) {
  PlainSizes sizes;
  ForEachLive(parts, [&](const SegmentView& part, GraphId, uint32_t slot) {
    ++sizes.graphs;
    sizes.id_bytes += GraphTable::IdBytes(part.segment->graphs().external_id(slot));
    sizes.packed_bytes += part.segment->plain().packed(slot).size();
  });
  PlainSegmentBuilder builder;
  builder.Reserve(sizes.graphs, sizes.id_bytes, sizes.packed_bytes);
  ForEachLive(parts, [&](const SegmentView& part, GraphId id, uint32_t slot) {
    const GraphTable& graphs = part.segment->graphs();
    builder.Add(id, graphs.external_id(slot), graphs.vertex_count(slot), part.segment->plain().packed(slot));
  });
  return std::move(builder).Build();
}

}  // namespace kindred
